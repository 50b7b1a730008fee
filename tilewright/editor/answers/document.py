"""A text with its tree, its names, and what is known of its payload."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tilewright.editor.answers.holdings import Held, Holdings
from tilewright.editor.reading.names import Binding, Names, names_of
from tilewright.editor.reading.partial import Partial, read_partial
from tilewright.editor.reading.payload import Payload
from tilewright.editor.reading.positions import Spot
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.schedules.language.syntax import Definition, File, Import
from tilewright.schedules.library.imports import with_imports
from tilewright.schedules.library.prelude import definitions

_PARTIAL = "<half-typed>"
"""The file of trees that may lack lines; errors never name it."""


@dataclass(frozen=True)
class Document:
    """A text that is being written."""

    text: str
    path: Path
    payload: Payload | None = None
    holdings: Holdings = field(default_factory=Holdings)
    """What handles held in the last run; its text may have been an older one."""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    @cached_property
    def partial(self) -> Partial:
        """The tree, without the lines that do not parse."""
        return read_partial(self.text, _PARTIAL)

    @cached_property
    def names(self) -> Names:
        """All names in the text."""
        return names_of(self.partial.file)

    @cached_property
    def sequences(self) -> dict[str, Definition]:
        """The sequences that an include may name: own, imported, of the library."""
        file = self.partial.file
        found = {d.name.text: d for d in file.definitions if not d.is_schedule}
        for statement in file.imports:
            found |= imported_by(statement, self.path)
        return found | dict(definitions())

    @cached_property
    def payload_ops(self) -> Counter[str]:
        """The ops of the payload by name, and how many of each there are."""
        if self.payload is None:
            return Counter()
        return Counter(op.name for op in self.payload.module.walk())

    @cached_property
    def ranks(self) -> dict[str, int]:
        """How likely an op is meant: 1 structured, 2 around those, 3 in a body."""
        ranks: dict[str, int] = {}
        for op in self.payload.module.walk() if self.payload is not None else ():
            rank = 3 if isinstance(op.parent_op(), StructuredOp) else 2
            rank = 1 if isinstance(op, StructuredOp) else rank
            ranks[op.name] = min(rank, ranks.get(op.name, rank))
        return ranks

    def held(self, binding: Binding) -> Held | None:
        """What a name holds after the statement that binds it."""
        line = binding.node.place.line
        return self.holdings.of(str(self.path), line, binding.name)

    def line(self, number: int) -> str:
        """A line by its number from 1; empty behind the last."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def spot_at(self, offset: int) -> Spot:
        """The spot of an offset of the text."""
        before = self.text[:offset]
        return Spot(before.count("\n") + 1, offset - before.rfind("\n"))

    def word_at(self, spot: Spot) -> tuple[str, Spot]:
        """The word around a spot, dots included, and where it begins."""
        line = self.line(spot.line)
        start = end = min(spot.column - 1, len(line))
        while start > 0 and _in_word(line[start - 1]):
            start -= 1
        while end < len(line) and _in_word(line[end]):
            end += 1
        return line[start:end], Spot(spot.line, start + 1)


def imported_by(statement: Import, path: Path) -> dict[str, Definition]:
    """The sequences of one import, by the names that the text gives them."""
    imported = with_imports(File((), (), (statement,)), str(path))
    prefix = f"{Path(statement.source).stem}."
    return {
        f"{statement.title}.{name.removeprefix(prefix)}": definition
        for name, definition in imported.definitions.items()
        if name.startswith(prefix)
    }


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_."
