"""Scans in steps: a program walks along the loop and carries the last total.

A step is read, scanned, combined with the total in front of it, and stored, so each
element moves once whatever the length. A scan along rows has one row in a program; any
other one a few neighbouring columns. If a warp has as many columns as its widest access
covers, each thread scans its own, and the next steps are loaded meanwhile. Rows that
registers hold whole are for `rows/whole.py`, short columns for `held_columns.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, reduction_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, times
from tilewright.schedules.language.syntax import Literal, Name, Operator, Value

STEPS = (1024, 2048, 4096)
"""The elements of a step."""
WIDEST = 64
"""The columns of a step of a scan that is not along rows."""
LEAST, MOST, MOST_ODD = 8, 32, 16
"""The elements of a step for each thread; of rows at odd addresses, fewer: their
elements are loaded one by one, and lanes combine each of them."""
INSTRUCTIONS, INSTRUCTIONS_ODD = 8, 30
"""Machine instructions for each element, in one warp."""
WIDE_STEPS = (8, 16)
"""The rows of a step in which each thread scans columns of its own."""
STAGES = 3
"""The steps that are loaded at once. With 16 rows of 128 columns, one warp a program:
38 us for 64 x 512 x 512 numbers of f32 on an H200, 48 us without, and 60 us by steps of
64 rows of 64 columns, which lanes and warps combine."""
POINTWISE = (Role.ELEMENTWISE, Role.MOVEMENT)


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a group that ends in a scan, with element-wise ops before it."""
    sink = group.sink
    if sink.role != Role.SCAN or group.also_sinks:
        return ()
    others = [facts for facts in group.fused if facts.role != Role.FILL]
    if any(facts.role not in POINTWISE or facts in group.leaving for facts in others):
        return ()
    sketch = ScanSteps(group, target)
    wide = WideScanSteps(group, target)
    sketch = wide if wide.is_wide else sketch
    return [sketch]


class ScanSteps(Sketch):
    """A program scans a row, or a few columns, step by step."""

    label = "scan_steps"
    summary = "steps along the scan, the last total is carried"

    def __init__(self, group: Group, target: Target):
        super().__init__(group, target)
        sink = group.sink
        (self.loop,) = sink.reduced
        inner = _innermost(sink)
        self.columns = None if inner == self.loop else inner
        """The loop along which a program has several columns."""
        self.width = (
            1
            if self.columns is None
            else min(WIDEST, power_of_two(sink.extents[self.columns]))
        )
        self.is_odd = self.columns is None and any(
            sink.extents[self.loop] * operand.element.byte_width % WIDE_LOAD
            for operand in sink.operands
            if self.loop in operand.loops and (operand.is_read or operand.is_written)
        )
        """Whether rows start at addresses that are no multiples of 16 bytes."""
        self.most = MOST_ODD if self.is_odd else MOST
        self.cut = [
            loop
            for loop in sink.parallel
            if sink.extents[loop] > 1 or loop in sink.open_loops
        ] or list(sink.parallel[:1])

    def knobs(self) -> Sequence[Knob]:
        """The length of a step, and the warps."""
        longest = power_of_two(self.group.sink.extents[self.loop])
        lengths = sorted({min(max(1, size // self.width), longest) for size in STEPS})
        return [Knob("block", tuple(lengths)), Knob("warps", (1, 2, 4, 8))]

    def conditions(self) -> Sequence[Value]:
        """A thread has a few elements."""
        least, most = times(32 * LEAST, "warps"), times(32 * self.most, "warps")
        tile = Operator("*", (Literal(self.width), Name("block")))
        return [ascending(least, tile, most)]

    def fallback(self) -> Iterator[Point]:
        """A short scan has one warp."""
        return (point for point in self.all_points() if point["warps"] == 1)

    def _each(self, point: Point) -> float:
        """The elements of a thread."""
        return self.width * point["block"] / (32 * point["warps"])

    def seconds(self, point: Point) -> float:
        """Bytes in flight; the lanes of a step combine their totals."""
        sink, warps = self.group.sink, point["warps"]
        tiles = math.prod(
            -(-sink.extents[loop] // self._size(loop)) for loop in self.cut
        )
        read = max(o.element.byte_width for o in sink.operands if o.is_read)
        at_once = self.width * point["block"] * read
        traffic = Traffic(self.group.moved_bytes, tiles, warps, at_once)
        line = 1.0 if self.columns is None else min(1.0, self.width * read / 128)
        instructions = INSTRUCTIONS_ODD if self.is_odd else INSTRUCTIONS
        instructions += 40 / max(self._each(point), 1) + 1.5 * math.log2(warps)
        lanes = 128 * self.target.clock * min(tiles, self.target.sms)
        computed = math.prod(sink.extents) * instructions / lanes
        return reduction_seconds(traffic, line, self.target) + 0.3 * computed

    def _size(self, loop: int) -> int:
        return self.width if loop == self.columns else 1

    def write(self, lines: Lines) -> None:
        """A grid over rows or columns, and a loop with all of the work in it."""
        sink = self.group.sink
        sizes: list[Term] = [0] * len(sink.extents)
        for loop in self.cut:
            sizes[loop] = self._size(loop)
        if self.cut:
            lines.tile_sink(self.group, sizes, "grid")
        else:
            lines.in_one_block(sink.name, "grid")
        lines.fuse_all(self.group.fused, "grid")
        lines.launch()
        steps: list[Term] = [0] * len(sink.extents)
        steps[self.loop] = lines.knob("block")
        lines.do("tile", sink.name, "by", steps, to=(sink.name, "loop"))
        inside = [f for f in self.group.fused if f.role != Role.FILL]
        lines.recompute_in_loops(list(reversed(inside)), "grid")


class WideScanSteps(ScanSteps):
    """Each thread scans columns of its own."""

    label = "wide_scan_steps"
    summary = "steps along the scan, each thread has its own columns"

    def __init__(self, group: Group, target: Target):
        super().__init__(group, target)
        read = [o.element.byte_width for o in group.outside_inputs()]
        self.width = 32 * WIDE_LOAD // min(read, default=4)

    @property
    def is_wide(self) -> bool:
        """Whether there are columns for a warp, and several steps."""
        sink = self.group.sink
        if self.columns is None or sink.open_loops:
            return False
        long = sink.extents[self.loop] > WIDE_STEPS[-1]
        return long and sink.extents[self.columns] >= self.width

    def knobs(self) -> Sequence[Knob]:
        """The length of a step, of one warp."""
        return [Knob("block", WIDE_STEPS), Knob("warps", (1,))]

    def conditions(self) -> Sequence[Value]:
        """None."""
        return ()

    def seconds(self, point: Point) -> float:
        """Bytes in flight; the lanes combine nothing."""
        sink = self.group.sink
        tiles = math.prod(
            -(-sink.extents[loop] // self._size(loop)) for loop in self.cut
        )
        read = max(o.element.byte_width for o in sink.operands if o.is_read)
        at_once = STAGES * self.width * point["block"] * read
        traffic = Traffic(self.group.moved_bytes, tiles, 1, at_once)
        return reduction_seconds(traffic, 1.0, self.target)

    def write(self, lines: Lines) -> None:
        """As by steps, with several of them in flight."""
        super().write(lines)
        lines.pipeline("loop", stages=STAGES)


def _innermost(facts: OpFacts) -> int | None:
    """The loop along which the totals lie side by side."""
    return facts.outputs[0].loops[-1]
