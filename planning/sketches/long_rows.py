"""Long reductions along rows of one or several dimensions; few rows are shared.

The mean of each image of a batch is one: its rows are longer than a program holds, and
may be fewer than the card's multiprocessors. A program walks along its row, or along
its part of a row; then the last one to arrive combines the parts, in the same launch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Point, Sketch
from tilewright.planning.sketches.columns import FILLED, OneResult, SharedColumns
from tilewright.planning.sketches.reduced import Reduced, reduced
from tilewright.planning.writing.lines import Lines

LONG = 8192
"""The elements of a row that is worth a loop."""
SHORTEST_PART = 8192
"""The elements of a part of a row that is worth a program."""


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


class LongRows(OneResult):
    """A program walks along a row."""

    label = "long_rows"
    summary = "a program walks along a row"

    def seconds(self, point: Point) -> float:
        """The bytes of all rows."""
        return self.walk_seconds(point, self.work.results)

    def write(self, lines: Lines) -> None:
        """Rows larger than the L2 cache only pass by: nobody finds them there later."""
        super().write(lines)
        if self.work.collapsed.moved > self.target.l2_bytes:
            lines.do("launch", "grid", read_once=1)


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
        return self.shared_seconds(point, self.parts)
