"""What stands around the statements of a text: comments and empty lines."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import Operation

from tilewright.ir.parsing.sources import file_location

_Line: TypeAlias = tuple[str, int]
"""A file and the number of a line in it."""

TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
"""A string, or a comment."""

OPEN = "//?"
"""From here to its end, a comment is about open choices: it holds until one is made."""

_ABOUT_OPEN = re.compile(r"\s*//\?.*?(?=\s*//[^?]|$)")

_HEADER = (
    re.compile(r"// from the schedule '.*'"),
    re.compile(r"// point: \w.* = .*"),
    re.compile(r"// device: .*"),
    re.compile(r"// time: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*"),
)
"""The lines that `Schedule.to_tw` puts above a schedule; it always writes the first."""


@dataclass
class Notes:
    """Comments around one statement; `""` stands for an empty line."""

    above: list[str] = field(default_factory=list[str])
    beside: str = ""
    """Behind the statement, or behind its opening brace."""
    closing: str = ""
    """Behind its closing brace."""
    below: list[str] = field(default_factory=list[str])
    """Between the statement and the end of the block."""

    def behind(self, text: str) -> None:
        """Add a comment behind the statement."""
        self.beside = f"{self.beside}  {text}" if self.beside else text

    def joined(self, last: Notes) -> Notes:
        """The notes of a statement that expresses what these belong to, and `last`."""
        behind = [self.beside] if self.beside and last.beside else []
        return Notes(
            [*self.above, *behind, *last.above],
            last.beside or self.beside,
            "  ".join(filter(None, (self.closing, last.closing))),
            [*self.below, *last.below],
        )

    def opened(self, indent: str, line: str, is_first: bool) -> list[str]:
        """The first line of the statement, and what stands above it.

        No empty line stands at the begin of a block.
        """
        above = list(self.above)
        while is_first and above and not above[0]:
            above.pop(0)
        end = f"  {self.beside}" if self.beside else ""
        return [*_indented(above, indent), f"{indent}{line}{end}"]

    def closed(self, indent: str) -> tuple[str, list[str]]:
        """What stands behind the last line, and below it."""
        end = f"  {self.closing}" if self.closing else ""
        return end, list(_indented(self.below, indent))

    def closed_choices(self) -> None:
        """Leave out what is about open choices."""
        self.above, self.below = without_open(self.above), without_open(self.below)
        self.beside, self.closing = map(_without_open, (self.beside, self.closing))

    def lone(self, indent: str) -> list[str]:
        """All comments as lines of their own, for a statement that is not written."""
        lines = [*self.above, self.beside, self.closing, *self.below]
        return list(_indented([line for line in lines if line], indent))


def comment_texts(text: str) -> list[str]:
    """The comments of a text in either form of schedules."""
    found = (match.group().rstrip() for match in TEXT.finditer(text))
    return [words for words in found if words.startswith("//")]


def without_open(lines: list[str]) -> list[str]:
    """Comments without what is about open choices; empty lines stay."""
    kept = [(line, _without_open(line)) for line in lines]
    return [new for old, new in kept if new or not old]


def _without_open(line: str) -> str:
    return _ABOUT_OPEN.sub("", line).strip()


def _indented(lines: list[str], indent: str) -> Iterator[str]:
    return (f"{indent}{line}" if line else "" for line in lines)


class Comments:
    """The notes of a text by line; each is given out once."""

    def __init__(self, file: str = "") -> None:
        self._file = file
        self._notes: dict[_Line, Notes] = {}
        self._starts: dict[_Line, _Line] = {}
        self._branches: dict[tuple[_Line, int], _Line] = {}
        self._first: _Line | None = None
        self.top: list[str] = []
        """The comments above the imports; what is above the module, in MLIR."""
        self.end: list[str] = []
        """The comments after the last definition."""
        self.table = ""
        """The decision table, with its comments."""

    # -- reading -------------------------------------------------------------------

    def at(self, line: int) -> Notes:
        """The notes of a line, to add to."""
        return self._at((self._file, line))

    def _at(self, line: _Line) -> Notes:
        return self._notes.setdefault(self._starts.get(line, line), Notes())

    def begins(self, line: int) -> None:
        """Note that the first definition is at a line."""
        self._first = self._file, line

    def continues(self, start: int, line: int) -> None:
        """Note that a line belongs to the statement that starts at another."""
        self._starts.setdefault((self._file, line), (self._file, start))

    def has_branch(self, start: int, number: int, line: int) -> None:
        """Note that a branch of the `choose` at `start` begins at a line."""
        self._branches[(self._file, start), number] = self._file, line

    def add(self, other: Comments) -> None:
        """Add the comments of another file, whose sequences are written too."""
        if other.top and other._first is not None:
            other._at(other._first).above[:0] = other.top
        self._notes |= other._notes
        self._starts |= other._starts
        self._branches |= other._branches

    def settle(self, module: Operation) -> None:
        """Move the notes of statements that have no op to the next one that has."""
        lines = {line for op in module.walk() if (line := self._line(op)) is not None}
        known = sorted(number for file, number in lines if file == self._file)
        kept = {*lines, *self._branches.values()}
        for line in sorted(self._notes.keys() - kept, reverse=True):
            moved = self._notes.pop(line).lone("")
            following = bisect(known, line[1])
            if following == len(known):
                self.end[:0] = moved
            elif moved:
                self._at((self._file, known[following])).above[:0] = moved

    # -- writing -------------------------------------------------------------------

    def of(self, op: Operation) -> Notes:
        """The notes of an op's statement, if they were not given out yet."""
        line = self._line(op)
        return Notes() if line is None else self._notes.pop(line, Notes())

    def of_branch(self, choice: Operation, number: int) -> Notes:
        """The notes of a branch of a `choose`."""
        line = self._line(choice)
        branch = None if line is None else self._branches.get((line, number))
        return Notes() if branch is None else self._notes.pop(branch, Notes())

    def inline(self, choice: Operation, number: int) -> None:
        """Move what stands above a `choose` to the branch that takes its place."""
        block = choice.regions[number].block
        first = None if block.first_op is block.last_op else block.first_op
        line = None if first is None else self._line(first)
        kept = (self.of(choice), self.of_branch(choice, number))
        if line is None:
            return
        moved = [
            each for notes in kept for each in (*notes.above, notes.beside) if each
        ]
        target = self._at(line)
        blank = [""] if any("" in notes.above[:1] for notes in kept) else []
        target.above[:0] = [*blank, *moved]
        if blank and not moved and target.above[1:2] == [""]:
            target.above.pop(0)

    def drop_open(self) -> None:
        """Drop what is about open choices: some are made."""
        self.top, self.end = without_open(self.top), without_open(self.end)
        for notes in self._notes.values():
            notes.closed_choices()

    def drop_header(self) -> None:
        """Drop the header of an earlier writing, above the first definition."""
        lines = self.top
        if not lines and self._first in self._notes:
            lines = self._notes[self._first].above
        if not lines or not _HEADER[0].fullmatch(lines[0]):
            return
        for line in _HEADER:
            if lines and line.fullmatch(lines[0]):
                lines.pop(0)
        while lines and not lines[0]:
            lines.pop(0)

    def _line(self, op: Operation) -> _Line | None:
        location = file_location(op.location)
        if location is None:
            return None
        line = location.filename.data, location.line.data
        return self._starts.get(line, line)
