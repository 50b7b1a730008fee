"""Prepares the tokens of the schedule language for the parser.

It drops line ends that end no statement, splits `-2` after an operand into a minus and
a number, refuses brackets that are nested too deep, and makes many numbers one token.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

from tilewright.schedules.language.parsing.number_runs import gather_numbers
from tilewright.schedules.language.parsing.unfinished import END
from tilewright.schedules.language.syntax import WORDS_OF_STATEMENTS

_OPERANDS = {"NAME", "NUMBER", "RPAR", "RSQB", *map(str.upper, WORDS_OF_STATEMENTS)}
"""A '-' after one of these may be a minus."""

DEEPEST = 64
"""The deepest nesting of brackets and braces; later passes recurse."""

_JOINING = {"COMPARE", "PLUS", "MINUS", "TIMES", "AND", "OR", "EQUAL", "COMMA"}
"""A line that ends or begins with one of these continues."""


class Lines(PostLex):
    """Keeps the line ends that end a statement; tells a minus from a sign."""

    always_accept = (END,)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens for the parser."""
        return gather_numbers(self._joined(stream))

    def _joined(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Drop line ends that repeat, or are in brackets or next to operators."""
        depth = nesting = 0
        previous: Token | None = None
        before = kept = "LBRACE"
        in_condition = False
        waiting: Token | None = None
        for token in stream:
            if token.type == END:
                if depth == 0 and kept not in {"LBRACE", *_JOINING}:
                    waiting = waiting or token
                continue
            if waiting is not None and token.type not in {"RBRACE", "ELSE", *_JOINING}:
                yield waiting
                in_condition = False
            waiting = None
            depth += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
            nesting += _NESTING.get(token.type, 0)
            if nesting > DEEPEST:
                raise TooDeepError(token)
            in_condition = token.type == "REQUIRE" or (
                in_condition and token.type != "RBRACE"
            )
            joined = depth > 0 or in_condition or before == "EQUAL"
            before, kept = kept, token.type
            if token.type == "NEGATIVE" and _is_minus(previous, token, joined):
                yield from _split(token)
                kept = "NUMBER"
            else:
                yield token
            previous = token


_NESTING = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}


class TooDeepError(Exception):
    """Brackets are nested too deep; `token` is the first that is."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


def _is_minus(previous: Token | None, token: Token, joined: bool) -> bool:
    """Whether the sign of `-2` is a minus between two operands.

    Arguments of a verb stand side by side: `along -1` is two arguments, `BM - 1` one.
    """
    if previous is None or previous.type not in _OPERANDS:
        return False
    return joined or previous.end_pos == token.start_pos


def _split(token: Token) -> Iterator[Token]:
    line, column, start = token.line, token.column or 1, token.start_pos or 0
    yield Token("MINUS", "-", start, line, column, line, column + 1, start + 1)
    yield Token(
        "NUMBER",
        token[1:],
        start + 1,
        line,
        column + 1,
        token.end_line,
        token.end_column,
        token.end_pos,
    )
