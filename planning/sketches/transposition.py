"""Transpositions: tensors of one kernel lie along different loops.

A tile has whole cache lines along both loops. Triton brings it from one order into the
other through shared memory, so that loads and stores are both wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.gathers import count_gathers
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, streaming_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.collapsed import Collapsed
from tilewright.planning.sketches.elementwise import (
    crossing_axes,
    gathered_by_thread,
    is_pointwise,
)
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, smaller, times
from tilewright.schedules.language.syntax import Value

SIDES = (16, 32, 64, 128, 256)
"""The extents of a tile."""
ELEMENTS = (1024, 16384)
"""The fewest and the most elements of a tile."""
PROGRAMS = 4096
"""Fewer programs run at once, and need not be longer."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a group without reductions, some of whose operands cross."""
    if not is_pointwise(group):
        return ()
    crossing = crossing_axes(Collapsed(group))
    return [] if crossing is None else [Crossing(group, target, crossing)]


class Crossing(Sketch):
    """Tiles along two loops, each the innermost one of some tensor."""

    label = "transposed_tiles"
    summary = "tiles with whole cache lines on both sides"

    def __init__(self, group: Group, target: Target, loops: tuple[int, int]):
        super().__init__(group, target)
        self.collapsed = Collapsed(group)
        self.extents = self.collapsed.extents(group.sink)
        self.loops = loops
        streams = [*self.collapsed.reads, *self.collapsed.writes]
        self.width = max(
            (s.operand.element.byte_width for s in streams if s.axes), default=4
        )
        gathers = count_gathers(group.ops)
        self.bounds = (64, 2048)
        """The least and the most elements of a tile for each warp."""
        if gathers:
            self.bounds = (32, 32 * min(64, gathered_by_thread(gathers)))
        self.depth = self._depth()
        """A third loop and its tile, beside two short ones."""

    def _depth(self) -> tuple[int, int]:
        """The innermost other loop that is long enough, and its indices in a tile.

        Short programs do not keep enough loads on their way, as long as there are
        others to start.
        """
        plane = math.prod(power_of_two(self.extents[loop]) for loop in self.loops)
        others = [at for at in range(len(self.extents)) if at not in self.loops]
        if not others or plane >= ELEMENTS[0]:
            return 0, 1
        planes = math.prod(self.extents[at] for at in others)
        size = min(ELEMENTS[0] // plane, power_of_two(max(1, planes // PROGRAMS)))
        while not (fitting := [at for at in others if self.extents[at] % size == 0]):
            size //= 2
        return fitting[-1], size

    def knobs(self) -> Sequence[Knob]:
        """The tile along both loops, and the warps."""
        down, across = (self.extents[loop] for loop in self.loops)
        return [
            Knob("rows", self.sides(down, across)),
            Knob("columns", self.sides(across, down)),
            Knob("warps", (2, 4, 8)),
        ]

    def sides(self, extent: int, other: int) -> tuple[int, ...]:
        """Options for the tile along a loop: beside a short loop, longer ones."""
        covered = power_of_two(extent)
        if covered <= SIDES[0]:
            return (covered,)
        longest = max(128, ELEMENTS[0] // min(power_of_two(other), 64))
        most = min(covered, max(longest, SIDES[0]))
        found = [side for side in SIDES if side <= min(most, 256)]
        if most > SIDES[-1]:
            found.append(most)
        return tuple(found[-4:])

    def conditions(self) -> Sequence[Value]:
        """A tile has enough elements for its warps, and fits into registers."""
        least, most = (times(bound, "warps") for bound in self.bounds)
        tile = times("rows", "columns", self.depth[1])
        return [ascending(least, tile, smaller(ELEMENTS[1], most))]

    def fallback(self) -> Iterator[Point]:
        """The smallest tile."""
        yield {knob.name: knob.options[0] for knob in self.knobs()}

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth; lines that a tile cuts are moved in part."""
        sizes = self.sizes(point["rows"], point["columns"])
        programs = math.prod(
            -(-extent // size) for extent, size in zip(self.extents, sizes, strict=True)
        )
        moved = self.collapsed.moved
        traffic = Traffic(moved, programs, point["warps"], moved / max(programs, 1))
        seconds = streaming_seconds(traffic, self.target)
        aligned = True
        for side, loop in zip(("rows", "columns"), self.loops, strict=True):
            extent = self.extents[loop] * self.width
            aligned = aligned and extent % 16 == 0
            row = min(point[side] * self.width, extent)
            # A tile with parts of a cache line shares the line with another program.
            seconds *= 1 + 0.03 * math.log2(max(1.0, 2 * LINE / row))
            seconds *= 1.1 if row < min(LINE, extent) else 1.0
        per_thread = math.prod(sizes) / (32 * point["warps"])
        if not aligned:  # an address and a predicate for each element
            seconds *= 1 + 0.2 * max(0.0, math.log2(per_thread / 32))
        return seconds

    def sizes(self, rows: int, columns: int) -> list[int]:
        """The tile of each loop."""
        found = [1] * len(self.extents)
        found[self.depth[0]] = self.depth[1]
        found[self.loops[0]], found[self.loops[1]] = rows, columns
        return found

    def write(self, lines: Lines) -> None:
        """Collapse the loops, tile the sink, fuse the rest."""
        self.collapsed.write(lines)
        sizes: list[Term] = [1] * len(self.extents)
        sizes[self.depth[0]] = self.depth[1]
        sizes[self.loops[0]] = lines.knob("rows")
        sizes[self.loops[1]] = lines.knob("columns")
        lines.tile_sink(self.group, sizes, "grid")
        lines.fuse_all(self.group.fused, "grid")
        lines.launch()
