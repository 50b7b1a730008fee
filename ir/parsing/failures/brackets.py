"""Finds the bracket of a text that has no partner.

Counting alone names the wrong brace: where an inner one is not closed, the outermost is
left over. So a brace counts as unclosed if the `}` that would close it stands on a line
of its own that is indented less than the line of the brace. In the same way a `}`
closes nothing if it is indented more than the line of the brace that it would close.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*+|[(\[{]|[)\]}]')
CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Unmatched:
    """A bracket without a partner, by its offset in the text."""

    bracket: str
    start: int
    closed_by: str | None = None
    """The wrong bracket that stands where it should be closed."""


def unmatched_bracket(text: str) -> Unmatched | None:
    """The first bracket that does not match, or the one that is never closed."""
    opened: list[Unmatched] = []
    suspect: Unmatched | None = None
    stray: Unmatched | None = None
    for token in _TOKENS.finditer(text):
        char = token[0]
        if char in CLOSERS:
            opened.append(Unmatched(char, token.start()))
        elif char in CLOSERS.values():
            if not opened:
                return stray or Unmatched(char, token.start())
            last = opened.pop()
            if CLOSERS[last.bracket] != char:
                return Unmatched(last.bracket, last.start, closed_by=char)
            deeper = _deeper(text, last.start, token.start())
            if deeper < 0:
                suspect = suspect or last
            elif deeper > 0:
                stray = stray or Unmatched(char, token.start())
    if not opened:
        return None
    return suspect or opened[-1]


def _deeper(text: str, start: int, end: int) -> int:
    """How much deeper a closing bracket stands than the line that it closes.

    It is 0 if other words stand before the bracket on its line.
    """
    first = text.rfind("\n", 0, end) + 1
    if text[first:end].strip():
        return 0
    return end - first - _indentation(text, start)


def _indentation(text: str, position: int) -> int:
    first = text.rfind("\n", 0, position) + 1
    line = text[first:position]
    return len(line) - len(line.lstrip())
