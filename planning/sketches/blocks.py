"""Reductions over an outer and the innermost loop, with the results between them.

The mean of each channel of a batch of images is one: a channel's elements are a block
of neighbours in each image. Programs share the images of a channel; each walks along
its blocks, and the last one to arrive combines their parts. A sum over all rows that
have a factor for each column is another: its two loops cannot be collapsed.
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

SHORT_BLOCK = 128
"""Blocks of fewer neighbours are not worth a program."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a group that reduces an outer and the innermost loop."""
    work = reduced(group)
    if work is None or work.is_open or len(work.reduced_loops) != 2:
        return ()
    outer, inner = work.reduced_loops
    is_last = inner == work.inner_loop == len(work.extents) - 1
    is_row = outer == inner - 1 and work.results > 1
    if not is_last or is_row or work.extents[inner] < SHORT_BLOCK:
        return ()
    parts = _parts(work, target)
    return [] if parts is None else [SharedBlocks(group, target, work, parts)]


def _parts(work: Reduced, target: Target) -> int | None:
    """A divisor of the outer loop that fills the card, or nearly."""
    extent = work.extents[work.reduced_loops[0]]
    wanted = max(2, 2 * FILLED * target.sms // work.results)
    divisors = [n for n in range(2, extent + 1) if extent % n == 0]
    return max((n for n in divisors if n <= wanted), default=None) or min(
        divisors, default=None
    )


class SharedBlocks(OneResult, SharedColumns):
    """Programs share the blocks of a result."""

    summary = "programs share the blocks of a result; the last one combines their parts"

    def __init__(self, group: Group, target: Target, work: Reduced, parts: int):
        SharedColumns.__init__(self, group, target, work, parts)
        self.main, self.parts = work.extents[self.loop], parts
        self.label = f"blocks_{parts}"
        self.block = work.reduced_loops[1]
        self.kept = [loop for loop in self.kept if loop != self.block]

    @property
    def neighbours(self) -> int:
        """The elements of a block."""
        return self.work.extents[self.block]

    def is_valid(self, point: Point) -> bool:
        """Whether a step suits the warps."""
        return self.step >= 128 * point["warps"] or point["warps"] == 2

    def seconds(self, point: Point) -> float:
        """The time of the programs that share, and of those that combine."""
        return self.shared_seconds(point, self.parts)

    def write_steps(self, lines: Lines, name: str, shift: int) -> None:
        """Walk along the blocks in steps, with an accumulator for every lane."""
        sizes = [0] * (len(self.work.extents) + shift)
        sizes[self.loop + shift] = 1
        sizes[self.block + shift] = self.step
        lines.tile_reduction(name, sizes, "zeros", "lanes", "loop")
