"""Prologues apart: a kernel stores what a matmul reads, then the matmul runs alone.

Computing an operand in the matmul's loop saves its traffic, and costs the matmul's
speed. Where both are possible, the schedule leaves the choice open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Around, Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import renamed
from tilewright.schedules.language.syntax import Value

FIRST = "_first"
"""The end of the names of the first kernel's knobs."""


def apart(
    analysis: Analysis,
    group: Group,
    target: Target,
    sketches_for: Callable[[Analysis, Group, Target], Sequence[Sketch]],
) -> list[Sketch]:
    """For a group with prologues: each sketch of the rest, after a kernel of these."""
    parts = split_off(analysis, group)
    if parts is None:
        return []
    first, rest = parts
    timed = [
        (sketch.seconds(point), number, sketch, point)
        for number, sketch in enumerate(sketches_for(analysis, first, target))
        for point in sketch.points()
    ]
    if not timed:
        return []
    seconds, _, before, point = min(timed, key=lambda each: each[:2])
    return [
        Apart(group, target, (before, point, seconds), after)
        for after in sketches_for(analysis, rest, target)
    ]


def split_off(analysis: Analysis, group: Group) -> tuple[Group, Group] | None:
    """The prologues as a group of their own, and the rest; None if they are several."""
    ops = [facts for facts in group.ops if facts in group.prologues]
    if not ops or any(facts in group.leaving for facts in ops):
        return None
    sink = ops[-1]
    for facts in ops:
        readers = analysis.readers(facts)
        if not all(group.has(reader) for reader in readers):
            return None  # other kernels compute it too
        if facts is not sink and not all(reader in ops for reader in readers):
            return None
    first = Group(ops, group.places, leaving={sink})
    others = [facts for facts in group.ops if facts not in ops]
    rest = Group(others, group.places, [], group.also_sinks, group.leaving)
    return first, rest


class Apart(Around):
    """Two kernels: the prologues, then a sketch of the rest."""

    def __init__(
        self,
        group: Group,
        target: Target,
        first: tuple[Sketch, Point, float],
        rest: Sketch,
    ):
        super().__init__(group, target, rest)
        self.first, self.first_point, self.first_seconds = first
        self.calls_library = rest.calls_library
        self.label = f"apart_{rest.label}"
        self.summary = f"{self.first.group.sink.name} stored first, then {rest.summary}"

    def knobs(self) -> Sequence[Knob]:
        """The knobs of both kernels."""
        before = [Knob(k.name + FIRST, k.options) for k in self.first.knobs()]
        return [*before, *super().knobs()]

    def requires(self) -> Sequence[Value]:
        """The conditions of both kernels."""
        names = {knob.name: knob.name + FIRST for knob in self.first.knobs()}
        before = [renamed(each, names) for each in self.first.requires()]
        return [*before, *super().requires()]

    def is_valid(self, point: Point) -> bool:
        """Whether the conditions of both kernels hold."""
        before = {
            n.removesuffix(FIRST): v for n, v in point.items() if n.endswith(FIRST)
        }
        return self.first.is_valid(before) and super().is_valid(_own(point))

    def points(self) -> Iterator[Point]:
        """The points of the matmul, with the first kernel at its best."""
        before = {n + FIRST: value for n, value in self.first_point.items()}
        for point in super().points():
            yield before | dict(point)

    def seconds(self, point: Point) -> float:
        """Both kernels, one after the other."""
        return self.first_seconds + super().seconds(_own(point))

    def write(self, lines: Lines) -> None:
        """The statements of both kernels."""
        suffix = lines.suffix
        lines.suffix = FIRST + suffix
        self.first.write(lines)
        lines.suffix = suffix
        super().write(lines)


def _own(point: Point) -> Point:
    """The knobs of the second kernel."""
    return {n: v for n, v in point.items() if not n.endswith(FIRST)}
