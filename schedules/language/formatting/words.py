"""A text of the schedule language as words, with the comments between them.

The words are the tokens that the parser reads, so `BM-1` and `along -1` are told apart
as the parser tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, cast

from lark import Lark, Token

from tilewright.ir.errors import Place
from tilewright.schedules.language.parsing.grammar import load_parser
from tilewright.schedules.language.parsing.parse_errors import END
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.parsing.tokens import Lines
from tilewright.schedules.language.syntax import (
    Body,
    Branch,
    Decide,
    Definition,
    File,
    Node,
    SizeRule,
    Statement,
    Target,
)

LAST = "$END"
"""The kind of the word after the text: it holds the comments at its end."""

_GAP = re.compile(r"//[^\n]*|\n")

_Start: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Comment:
    """A comment with its `//`; `column` counts from 1."""

    text: str
    column: int
    is_alone: bool
    """Whether nothing stands before it on its line."""
    has_blank: bool
    """Whether an empty line stands before it."""


@dataclass(frozen=True)
class Word:
    """A token, and what stands between the token before and this one."""

    kind: str
    text: str
    line: int
    column: int
    comments: tuple[Comment, ...] = ()
    is_first: bool = False
    """Whether it is the first word of its line."""
    has_blank: bool = False
    """Whether an empty line stands before it."""
    is_after_end: bool = False
    """Whether a statement ended before it, by a line's end or a `;`."""
    begins: bool = False
    """Whether a statement begins with it."""


class _Joined(Lines):
    """The tokens without runs of numbers, which have no words of their own."""

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens in which statements end and minus signs are settled."""
        return self._joined(stream)


@cache
def _lark() -> Lark:
    return load_parser(_Joined())


def read_words(text: str, file: str) -> list[Word]:
    """The words of a text; raises an error where it cannot be parsed."""
    starts = set(_statement_starts(parse(text, file)))
    words: list[Word] = []
    position, is_after_end = 0, False
    stream = cast("Iterator[Token]", cast("Any", _lark()).lex(text + "\n"))
    for token in stream:
        if token.type == END:
            is_after_end = True
            continue
        at = (token.line or 1, token.column or 1)
        begin = token.start_pos or 0
        comments, newlines = _between(text, position, begin)
        shown = " ".join(token.split()) if token.type == "FOR_EACH" else str(token)
        words.append(
            Word(
                token.type,
                shown,
                *at,
                comments,
                is_first=newlines > 0 or not words,
                has_blank=newlines > 1,
                is_after_end=is_after_end,
                begins=at in starts,
            )
        )
        position, is_after_end = token.end_pos or begin, False
    comments, _ = _between(text, position, len(text))
    words.append(Word(LAST, "", text.count("\n") + 1, 1, comments, is_after_end=True))
    return words


def _between(text: str, start: int, end: int) -> tuple[tuple[Comment, ...], int]:
    """The comments between two words, and the line ends after the last of them."""
    comments: list[Comment] = []
    newlines = 0
    for found in _GAP.finditer(text, start, end):
        if found.group() == "\n":
            newlines += 1
            continue
        comments.append(
            Comment(
                found.group().rstrip(),
                found.start() - text.rfind("\n", 0, found.start()),
                is_alone=newlines > 0 or bool(comments) or start == 0,
                has_blank=newlines > 1,
            )
        )
        newlines = 0
    return tuple(comments), newlines


def _statement_starts(file: File) -> Iterator[_Start]:
    """Where the statements begin: at their first name."""
    waiting: list[Node] = [*file.definitions, *file.decisions]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Statement):
            yield min(map(_position, [node.place, *_targets(node)]))
        for value in vars(node).values():
            waiting.extend(node for node in _each(value) if isinstance(node, _Holder))


_Holder = Statement | Body | Branch | Decide | Definition | SizeRule
"""A node that has statements in it, or is a statement."""


def _targets(statement: Statement) -> list[Place]:
    """The places of the names that a statement binds."""
    found = (getattr(statement, field, ()) for field in ("targets", "target"))
    names = [name for names in found for name in _each(names)]
    return [name.place for name in names if isinstance(name, Target)]


def _each(value: object) -> tuple[object, ...]:
    """The items of a field of a node, which may have one."""
    return cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)


def _position(place: Place) -> _Start:
    return place.line, place.column
