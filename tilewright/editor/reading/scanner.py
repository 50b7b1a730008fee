"""Tokens of a text that may be half-typed, by the terminals of the grammar.

The grammar's own lexer stops at a character that no token begins with; this one goes
on. A string without an end goes to the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from tilewright.schedules.language.parsing.grammar import load_parser
from tilewright.schedules.language.parsing.tokens import Lines

_KINDS = ("STRING", "RAW", "NAME", "NUMBER", "COMPARE")
"""The terminals that are read as they are; keywords are read as names."""


@dataclass(frozen=True)
class Token:
    """A token; `kind` is the terminal's name, `COMMENT`, `OPEN_STRING` or `SIGN`."""

    kind: str
    text: str
    start: int
    """The offset of its first character."""

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


@cache
def keywords() -> tuple[str, ...]:
    """The words that the grammar itself has: `schedule`, `for each`, `default`, ..."""
    found: list[str] = []
    for name, pattern in _terminals().items():
        word = name.lower().replace("_", " ")
        if re.fullmatch(pattern, word) and name not in _KINDS:
            found.append(word)
    return tuple(sorted(found))


def terminal(name: str) -> str:
    """The regular expression of a terminal of the grammar."""
    return _terminals()[name]


def scan(text: str) -> Iterator[Token]:
    """The tokens of a text, comments included, line ends as the sign `\\n`."""
    before = ""
    for found in _pattern().finditer(text):
        kind = found.lastgroup or "SIGN"
        # The mark of `match?` belongs to the verb, which is read without it.
        is_mark = found[0] == "?" and before == "NAME"
        if kind != "SPACE" and not is_mark:
            yield Token(kind, found[0], found.start())
        before = kind


@cache
def _pattern() -> re.Pattern[str]:
    parts = [rf"(?P<{name}>{_terminals()[name]})" for name in _KINDS]
    return re.compile(
        r"(?P<COMMENT>//[^\n]*)|"
        + "|".join(parts)
        + r'|(?P<OPEN_STRING>"[^"\n]*|`[^`\n]*)|(?P<SPACE>[ \t\r]+)|(?P<SIGN>.|\n)'
    )


@cache
def _terminals() -> dict[str, str]:
    terminals = cast("Any", load_parser(Lines())).terminals
    return {t.name: t.pattern.to_regexp() for t in terminals}
