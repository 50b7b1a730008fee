"""Short chains of reductions along outer axes: a program holds all that its row needs.

The merge of a split chain is one: for each row a maximum over the chunks, a sum that
depends on it, and a weighted sum of vectors. Other sketches compute such reductions in
a kernel each, and each is as short as its launch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE, WORD
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.grouping.group import Axis, Group
from tilewright.planning.model.memory import memory_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, times
from tilewright.schedules.language.syntax import Value

SHORT_BYTES = 8_000_000
"""Bytes that an H200 moves in 1.7 us, which is less than the 2.5 us of a launch."""
MOST_HELD = 32768
"""The most elements of a program's largest tile, where a kernel moves `SHORT_BYTES`."""
MOST_HELD_OF_LARGE = 4096
"""The same where it moves more bytes, so that many programs run together."""
WIDTHS = (8, 16, 32, 64)
"""The elements side by side in a tile, where rows lie across them."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a small group of reductions, if a program can hold a row of it."""
    roles = {facts.role for facts in group.ops}
    if roles & {*ALONE, Role.CONTRACTION} or group.also_sinks:
        return ()
    axes = group.grid_axes()
    if not group.reductions or not axes or group.sink.reduced:
        return ()
    if any(axis.is_open for axis in group.axes()):
        return ()
    sketch = HeldRows(group, target)
    most = MOST_HELD if group.moved_bytes <= SHORT_BYTES else MOST_HELD_OF_LARGE
    return [sketch] if sketch.held <= most else ()


class HeldRows(Sketch):
    """A program for each row of the result: it reads what the row needs, once."""

    label = "held_rows"
    summary = "a program holds everything that a row of the result needs"

    def __init__(self, group: Group, target: Target):
        super().__init__(group, target)
        axes = [axis for axis in group.grid_axes() if axis.extent > 1]
        self.whole = _row(group, axes)
        """The innermost axis of the result, which a tile has whole."""
        self.cut = [axis for axis in axes if axis is not self.whole]
        self.side = _side(group, self.cut)
        """An axis along which elements lie side by side, which tiles cut in parts."""
        self.held = max(map(self._tile, group.ops))
        """The elements of the largest tile."""

    def _tile(self, facts: OpFacts) -> int:
        """The elements of an op's tile."""
        cut = {axis.loops.get(facts.number) for axis in self.cut}
        return math.prod(
            power_of_two(extent)
            for loop, extent in enumerate(facts.extents)
            if loop not in cut
        )

    def knobs(self) -> Sequence[Knob]:
        """The warps."""
        widths = [] if self.side is None else _widths(self.side)
        most = max(1, self.held * max(widths, default=1) // 64)
        warps = Knob("warps", tuple(w for w in (1, 2, 4, 8) if w <= most))
        return [Knob("columns", tuple(widths)), warps] if widths else [warps]

    def conditions(self) -> Sequence[Value]:
        """A program holds its tile."""
        if self.side is None:
            return []
        return [ascending(times(self.held, "columns"), MOST_HELD_OF_LARGE)]

    def seconds(self, point: Point) -> float:
        """The time to move the bytes; a thread with many elements takes its time."""
        columns = point.get("columns", 1)
        programs = math.prod(axis.extent for axis in self.cut) // columns
        tile = self.held * columns * WORD
        seconds = memory_seconds(self.group.moved_bytes, programs, tile, self.target)
        each = self.held * columns / (32 * point["warps"])
        seconds *= 1 + 0.02 * abs(math.log2(each / 16))
        line = columns * WORD / LINE
        return seconds if self.side is None else seconds / min(1.0, 0.6 + 0.4 * line)

    def write(self, lines: Lines) -> None:
        """Tile the sink, and fuse everything else."""
        number = self.group.sink.number
        sizes: list[Term] = [0] * len(self.group.sink.extents)
        for axis in self.cut or self.group.grid_axes()[:1]:
            part = lines.knob("columns") if axis is self.side else 1
            sizes[axis.loops[number]] = part
        lines.tile_sink(self.group, sizes, "grid")
        lines.fuse_all(self.group.fused, "grid")
        lines.include("clean", "grid")
        lines.launch()


def _side(group: Group, cut: Sequence[Axis]) -> Axis | None:
    """The axis along which the largest input lies, if it is cut and wide enough.

    Rows that lie across it would be read element by element.
    """
    if group.moved_bytes <= SHORT_BYTES or not group.outside_inputs():
        return None
    largest = max(group.outside_inputs(), key=lambda operand: operand.bytes)
    reader = next(facts for facts in group.ops if largest in facts.operands)
    inner = largest.loops[-1] if largest.loops else None
    found = [axis for axis in cut if axis.loops.get(reader.number, -1) == inner]
    return next((axis for axis in found if _widths(axis)), None)


def _widths(axis: Axis) -> list[int]:
    """The parts of an axis that tiles may have: no tile is cut."""
    return [width for width in WIDTHS if axis.extent % width == 0]


def _row(group: Group, axes: Sequence[Axis]) -> Axis | None:
    """The axis along the innermost loop of the sink."""
    last = len(group.sink.extents) - 1
    number = group.sink.number
    return next((axis for axis in axes if axis.loops[number] == last), None)
