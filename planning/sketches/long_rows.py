"""Long reductions along rows of one or several dimensions; few rows are shared.

The mean of each image of a batch is one: its rows are longer than a program holds, and
may be fewer than the card's multiprocessors. A program walks along its row, or along
its part of a row; then the last one to arrive combines the parts, in the same launch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, reduction_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.columns import (
    COMBINED_SECONDS,
    FILLED,
    LAST_SECONDS,
    Columns,
    SharedColumns,
)
from tilewright.planning.sketches.reduced import Reduced, reduced
from tilewright.planning.writing.lines import Lines
from tilewright.schedules.default.tiles import power_of_two

LONG = 8192
"""The elements of a row that is worth a loop."""
SHORTEST_PART = 8192
"""The elements of a part of a row that is worth a program."""
LONGEST_STEP = 4096
"""The elements of one step."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group that reduces long rows to one element each."""
    work = reduced(group)
    if work is None or work.is_open or len(work.reduced_loops) != 1:
        return ()
    (loop,) = work.reduced_loops
    is_row = loop == work.inner_loop == len(work.extents) - 1
    if not is_row or work.results == 1 or work.length < LONG:
        return ()
    found: list[Sketch] = [LongRows(group, target, work)]
    wanted = min(FILLED * target.sms // work.results, work.length // SHORTEST_PART)
    if wanted >= 2:
        found.append(SharedRows(group, target, work, wanted))
    return found


class LongRows(Columns):
    """A program walks along a row."""

    label = "long_rows"
    summary = "a program walks along a row"

    @property
    def step(self) -> int:
        """The neighbours of a step."""
        return min(power_of_two(self.steps_length), LONGEST_STEP)

    def knobs(self) -> Sequence[Knob]:
        """The warps."""
        return [Knob("warps", (2, 4, 8))]

    def requires(self) -> Sequence[str]:
        """No conditions."""
        return ()

    def is_valid(self, point: Point) -> bool:
        """All points are."""
        return True

    def tiles(self, point: Point) -> int:
        """The rows."""
        return self.work.results

    def seconds(self, point: Point) -> float:
        """The bytes of all rows; few programs leave the memory idle."""
        return self.row_seconds(point, self.work.results)

    def row_seconds(self, point: Point, programs: int) -> float:
        """The time of programs that walk along rows, or parts of rows."""
        step = self.step * self.work.read_width
        moved = self.work.collapsed.moved
        traffic = Traffic(moved, programs, point["warps"], step)
        return reduction_seconds(traffic, 1.0, self.target)

    def result_sizes(self, lines: Lines, reduced_loop: int) -> list[str | int]:
        """One result a tile."""
        sizes: list[str | int] = [1] * len(self.kept)
        sizes.insert(reduced_loop, 0)
        return sizes

    def reader_sizes(self, lines: Lines, reader: OpFacts) -> list[str | int]:
        """One result a tile."""
        return [1] * len(self.work.collapsed.loops(reader))


class SharedRows(LongRows, SharedColumns):
    """Several programs share a row; the last one combines their parts."""

    summary = "programs share a row; the last one combines their parts"

    def __init__(self, group: Group, target: Target, work: Reduced, parts: int):
        SharedColumns.__init__(self, group, target, work, parts)
        self.label = f"row_parts_{self.parts}"

    @property
    def unit(self) -> int:
        """A part begins at a multiple of 16 bytes."""
        return 16 // self.work.read_width

    def seconds(self, point: Point) -> float:
        """The time of the programs that share, and of those that combine."""
        combined = LAST_SECONDS + self.parts * COMBINED_SECONDS
        return self.row_seconds(point, self.parts * self.work.results) + combined
