"""Many plain numbers in a row in a list, as one token.

The parser reduces six rules for each item of a list, since an item may be an
expression. `knob [1, 2, ..., 10000]` needs none of them. A run is a token `NUMBERS`
that holds the tokens of its numbers, so that each keeps its place.
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
        """The token that stands for these."""
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
    """Numbers and commas in turn; whether they are a run the next token tells."""
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
    """What was held, as a run if it is long enough."""
    numbers = held[::2]
    if held and held[-1].type != "COMMA" and following != "RSQB":
        # In `1, 2, 3 * N` the 3 belongs to a product.
        numbers.pop()
    if len(numbers) < _SHORTEST:
        yield from held
        return
    yield NumberRun.of(numbers)
    yield from held[2 * len(numbers) - 1 :]
