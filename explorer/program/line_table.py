"""Texts of many steps, in which most lines are equal: each line is stored once."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Hunk = tuple[int, int, int, int]
"""Lines [a, b) of the step before became lines [c, d)."""


class LineTable:
    """The different lines of all steps, in the order in which they appear."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[str, int] = {}

    def add(self, lines: Sequence[str]) -> list[int]:
        """The numbers of some lines."""
        return [self._number(line) for line in lines]

    def _number(self, line: str) -> int:
        if line not in self._numbers:
            self._numbers[line] = len(self.lines)
            self.lines.append(line)
        return self._numbers[line]


def hunks(before: Sequence[int], after: Sequence[int]) -> list[Hunk]:
    """What changed from one step to the next."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [tuple(place) for tag, *place in matcher.get_opcodes() if tag != "equal"]  # pyright: ignore
