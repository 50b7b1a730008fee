"""Chains of reductions across rows: a program holds some columns whole.

A softmax over the channels of images is one, and a sum by its weights another: their
rows lie apart in memory, one for each channel. A program reads a tile of neighbouring
columns with all their rows once, and reduces and stores it from registers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, streaming_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.collapsed import Collapsed, collapsed_alone
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, times
from tilewright.schedules.language.syntax import Value

COLUMNS = (16, 32, 64, 128, 256)
LONGEST_SCAN = 128
"""The rows of a scan that nothing follows; `scans.py` walks along longer ones."""
EACH = (8, 32)
"""The least and the most elements of a thread."""
FEW_BYTES = 64
"""The bytes of the shortest row of a tile that is worth reading."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a group that would read its columns more than once otherwise."""
    other = (*ALONE, Role.CONTRACTION)
    sink = group.sink
    if not group.reductions or group.also_sinks or not sink.extents:
        return ()
    if any(facts.role in other or facts.open_loops for facts in group.ops):
        return ()
    sketch = HeldColumns(group, target)
    if not (sketch.stores or len(group.reductions) > 1):
        return ()
    return [sketch] if any(sketch.points()) else ()


class HeldColumns(Sketch):
    """A program holds neighbouring columns with all their rows."""

    label = "held_columns"
    summary = "some columns with all their rows in registers"

    def __init__(self, group: Group, target: Target):
        super().__init__(group, target)
        self.collapsed: Collapsed = collapsed_alone(group)
        self.extents = self.collapsed.extents(group.sink)
        grid = {
            group.axis(group.sink, axis.loops[group.sink.number])
            for axis in group.grid_axes()
        }
        self.cut = [axis in grid for axis in self.collapsed.loops(group.sink)]
        self.length = max(map(self._length, group.ops))
        """The elements of the largest tile, for each of its columns."""
        streams = [*self.collapsed.reads, *self.collapsed.writes]
        widths = [s.operand.element.byte_width for s in streams if s.axes]
        self.width = min(widths, default=4)

    @property
    def stores(self) -> bool:
        """Whether whole columns are stored, not only what they are reduced to."""
        sink = self.group.sink
        if sink.role == Role.SCAN:
            return True
        reduced = {self.collapsed.head(sink, loop) for loop in sink.reduced}
        loops = self.collapsed.loops(sink)
        return any(
            size == 0 and axis not in reduced
            for axis, size in zip(loops, self.sizes(1), strict=True)
        )

    def _length(self, facts: OpFacts) -> int:
        """The elements of an op for one element of each axis that the grid cuts."""
        kept = {
            axis
            for axis, is_cut in zip(
                self.collapsed.loops(self.group.sink), self.cut, strict=True
            )
            if is_cut
        }
        loops, extents = self.collapsed.loops(facts), self.collapsed.extents(facts)
        return math.prod(
            power_of_two(extent)
            for axis, extent in zip(loops, extents, strict=True)
            if axis not in kept
        )

    def sizes(self, columns: int) -> list[int]:
        """The tile of each loop of the sink; 0 is whole."""
        found = [int(is_cut) for is_cut in self.cut]
        if self.cut[-1]:
            found[-1] = columns
        return found

    def knobs(self) -> Sequence[Knob]:
        """The columns of a tile, and the warps."""
        most = power_of_two(self.extents[-1])
        columns = [size for size in COLUMNS if size <= most]
        return [Knob("columns", tuple(columns)), Knob("warps", (2, 4, 8))]

    def conditions(self) -> Sequence[Value]:
        """A thread has enough elements, and not too many."""
        least, most = (times(32 * each, "warps") for each in EACH)
        return [ascending(least, times(self.length, "columns"), most)]

    def points(self) -> Iterator[Point]:
        """None if rows are contiguous, or if columns are too few."""
        if not self.cut[-1] or self.length <= 1:
            return iter(())
        if self.group.sink.role == Role.SCAN and self.length > LONGEST_SCAN:
            return iter(())
        if self.extents[-1] * self.width < FEW_BYTES:
            return iter(())
        return super().points()

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth; a tile that cuts cache lines moves them in part."""
        columns = point["columns"]
        programs = math.prod(
            -(-extent // size)
            for extent, size in zip(self.extents, self.sizes(columns), strict=True)
            if size
        )
        moved = self.collapsed.moved
        traffic = Traffic(moved, programs, point["warps"], moved / max(programs, 1))
        seconds = streaming_seconds(traffic, self.target)
        row = columns * self.width
        return seconds * (1.05 + 0.1 * math.log2(max(1.0, LINE / row)))

    def write(self, lines: Lines) -> None:
        """Collapse the loops, tile the columns of the sink, fuse the rest."""
        self.collapsed.write(lines)
        sizes: list[Term] = [*self.sizes(1)[:-1], lines.knob("columns")]
        lines.tile_op(self.group.sink.name, sizes, "grid")
        inlined = self.collapsed.inlined
        fused = [facts for facts in self.group.fused if facts not in inlined]
        lines.fuse_all(fused, "grid")
        lines.include("clean", "grid")
        lines.launch()
