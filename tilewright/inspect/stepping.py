"""`--stop-after`: which step to stop after, by number, by name or by line.

--stop-after 3                 the third step that changed payload, as dumps count
--stop-after tile              the first op of that verb
--stop-after structured.match  the first op of that name; its prefix may be left out
--stop-after s.tw:12           the last op that line 12 of s.tw makes; also ":12"
"""

from __future__ import annotations

import re
from pathlib import Path

from xdsl.ir import Operation

from tilewright.ir.errors import Place
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.interpreter import Step


class Stopped(Exception):
    """The op to stop after has run."""


class StopAfter:
    """A hook for a run's `after_each` that ends it after the op a label names."""

    def __init__(self, label: str):
        self.label = label
        self.seen: dict[str, None] = {}
        """Labels that would have stopped the run, in the order it met them."""
        self._line = re.fullmatch(r"(.*):(\d+)", label)

    def __call__(self, op: TransformOp, step: Step | None) -> None:
        """Raise `Stopped` if this is the op."""
        if step is not None:
            self.seen[f"{step.index} {step.name}"] = None
        if self._is_meant(op, step):
            raise Stopped

    def _is_meant(self, op: TransformOp, step: Step | None) -> bool:
        if self.label.isdigit():
            return step is not None and step.index == int(self.label)
        if self._line is not None:
            file, line = self._line.groups()
            following = op.next_op
            return _is_at(place_of(op), file, int(line)) and not (
                # A line may make several ops; the line is done after the last.
                following is not None and _same_line(op, following)
            )
        name = op.name.removeprefix("transform.")
        short = name.rpartition(".")[2]
        return self.label.removeprefix("transform.") in (name, short, verb_of(op))


def _is_at(place: Place | None, file: str, line: int) -> bool:
    if place is None or place.line != line:
        return False
    return not file or place.file == file or Path(place.file).name == file


def _same_line(op: Operation, other: Operation) -> bool:
    a, b = place_of(op), place_of(other)
    return a is not None and b is not None and (a.file, a.line) == (b.file, b.line)
