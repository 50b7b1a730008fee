"""Makes one token of many plain numbers in a list.

The parser reduces six rules for each item of a list, since an item may be an
expression. The items of `knob [1, 2, ..., 10000]` need none of them. A run of numbers
is a token `NUMBERS`; it holds the tokens of its numbers, so that each keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lark import Token

NUMBERS = "NUMBERS"
_SHORTEST = 8
"""Shorter runs are left to the grammar."""
_PLAIN = {"NUMBER", "NEGATIVE"}
_OPENING = {"LSQB", "LPAR", "LBRACE"}
_CLOSING = {"RSQB", "RPAR", "RBRACE"}


class NumberRun(Token):
    """Numbers with commas between them."""

    numbers: list[Token]

    @staticmethod
    def of(numbers: list[Token]) -> NumberRun:
        """The token for these numbers."""
        first, last = numbers[0], numbers[-1]
        run = NumberRun(
            NUMBERS,
            str(first),
            first.start_pos,
            first.line,
            first.column,
            last.end_line,
            last.end_column,
            last.end_pos,
        )
        # Lark's types say that a subclass makes a plain token.
        run = cast("NumberRun", run)
        run.numbers = numbers
        return run


def gather_numbers(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, with one token for each long run of numbers in a list."""
    brackets: list[str] = []
    before = ""
    held: list[Token] = []
    """Numbers and commas in turn; the next token decides whether they are a run."""
    for token in stream:
        kind = token.type
        in_list = bool(brackets) and brackets[-1] == "LSQB"
        if in_list and kind in _PLAIN and before in {"LSQB", "COMMA"}:
            held.append(token)
        elif held and kind == "COMMA" and before in _PLAIN:
            held.append(token)
        else:
            yield from _released(held, kind)
            held = []
            yield token
            if kind in _OPENING:
                brackets.append(kind)
            elif kind in _CLOSING and brackets:
                brackets.pop()
        before = kind
    yield from held


def _released(held: list[Token], following: str) -> Iterator[Token]:
    """The held tokens, as a run if there are enough of them."""
    numbers = held[::2]
    if held and held[-1].type != "COMMA" and following != "RSQB":
        # In `1, 2, 3 * N` the 3 belongs to a product.
        numbers.pop()
    if len(numbers) < _SHORTEST:
        yield from held
        return
    yield NumberRun.of(numbers)
    yield from held[2 * len(numbers) - 1 :]
