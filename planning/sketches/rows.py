"""Row reductions: whole rows in registers, as many in a program as pay."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import memory_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines

LONGEST = 32768
"""The longest row that one program holds."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with reductions and without products."""
    if group.contractions or not group.reductions or not group.grid_axes():
        return ()
    if _length(group) > LONGEST or any(a.is_open for a in group.axes() if a.is_reduced):
        return ()
    return [WholeRows(group, target)]


def _length(group: Group) -> int:
    """The elements of a row: the axes that the grid does not cut."""
    return math.prod(axis.extent for axis in group.inner_axes())


class WholeRows(Sketch):
    """A program holds whole rows in registers: every element is read once."""

    label = "whole_rows"
    summary = "whole rows in registers"

    def knobs(self) -> Sequence[Knob]:
        """The rows of a program and its warps."""
        covered = 1 << (_length(self.group) - 1).bit_length()
        rows = tuple(r for r in (1, 2, 4, 8, 16, 32) if r * covered <= 16384) or (1,)
        warps = tuple(w for w in (1, 2, 4, 8, 16, 32) if covered >= 32 * w) or (1,)
        return [Knob("rows", rows), Knob("warps", warps)]

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth; a thread should hold 8 to 32 elements."""
        moved = sum(o.bytes for o in self.group.outside_inputs())
        moved += self.group.sink.written_bytes
        rows = math.prod(axis.extent for axis in self.group.grid_axes())
        programs = -(-rows // point["rows"])
        seconds = memory_seconds(
            moved, programs, moved * point["rows"] // max(rows, 1), self.target
        )
        covered = 1 << (_length(self.group) - 1).bit_length()
        held = point["rows"] * covered / (32 * point["warps"])
        return seconds * (1 + 0.1 * abs(math.log2(held / 16)))

    def write(self, lines: Lines) -> None:
        """Tile the sink's rows, fuse the rest."""
        sink = self.group.sink
        grid = [axis.loops[sink.number] for axis in self.group.grid_axes()]
        sizes: list[str | int] = [0] * len(sink.extents)
        for loop in grid:
            sizes[loop] = 1
        sizes[grid[-1]] = lines.knob("rows")
        lines.tile_sink(self.group, sizes, "grid")
        lines.fuse_all(self.group.fused, "grid", lines.shared)
        lines.add(f"launch grid warps = {lines.knob('warps')}")
