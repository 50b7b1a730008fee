"""Single numbers: what a loss computes from its sums, in one program."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.elementwise import is_pointwise
from tilewright.planning.writing.lines import Lines


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a group of ops that have no loops."""
    if group.also_sinks or not is_pointwise(group):
        return ()
    has_loops = any(facts.extents for facts in group.ops)
    return () if has_loops else [Numbers(group, target)]


class Numbers(Sketch):
    """One program computes all numbers."""

    label = "numbers"
    summary = "one program for all numbers"

    def knobs(self) -> Sequence[Knob]:
        """One warp: there is nothing to share."""
        return [Knob("warps", (1,))]

    def seconds(self, point: Point) -> float:
        """The launch."""
        return self.target.calibration.launch

    def write(self, lines: Lines) -> None:
        """A block for the sink, with the other ops in it."""
        sink = self.group.sink.name
        lines.in_one_block(sink, "grid")
        lines.fuse_all(self.group.fused, "grid")
        lines.launch()
