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
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, reduction_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.columns import (
    COMBINED_SECONDS,
    FILLED,
    LAST_SECONDS,
    SharedColumns,
)
from tilewright.planning.sketches.reduced import Reduced, reduced
from tilewright.planning.writing.lines import Lines
from tilewright.schedules.default.tiles import power_of_two

SHORT_BLOCK = 128
"""Blocks of fewer neighbours are not worth a program."""
LONGEST_STEP = 4096
"""The elements of one step."""


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


class SharedBlocks(SharedColumns):
    """Programs share the blocks of a result."""

    summary = "programs share the blocks of a result; the last one combines their parts"

    def __init__(self, group: Group, target: Target, work: Reduced, parts: int):
        super().__init__(group, target, work, parts)
        self.main, self.parts = work.extents[self.loop], parts
        self.label = f"blocks_{parts}"
        self.block = work.reduced_loops[1]
        self.kept = [loop for loop in self.kept if loop != self.block]

    @property
    def step(self) -> int:
        """The neighbours of a step."""
        return min(power_of_two(self.work.extents[self.block]), LONGEST_STEP)

    def knobs(self) -> Sequence[Knob]:
        """The warps."""
        return [Knob("warps", (2, 4, 8))]

    def requires(self) -> Sequence[str]:
        """No conditions."""
        return ()

    def is_valid(self, point: Point) -> bool:
        """Whether a step suits the warps."""
        return self.step >= 128 * point["warps"] or point["warps"] == 2

    def seconds(self, point: Point) -> float:
        """The time of the programs that share, and of those that combine."""
        width = self.work.read_width
        programs = self.parts * self.work.results
        step = min(self.step, self.work.extents[self.block])
        traffic = Traffic(
            self.work.collapsed.moved, programs, point["warps"], step * width
        )
        combined = LAST_SECONDS + self.parts * COMBINED_SECONDS
        return reduction_seconds(traffic, 1.0, self.target) + combined

    def result_sizes(self, lines: Lines, reduced_loop: int) -> list[str | int]:
        """One result a tile; the blocks stay whole."""
        sizes: list[str | int] = [1] * len(self.kept)
        sizes.insert(reduced_loop, 0)
        return sizes

    def reader_sizes(self, lines: Lines, reader: OpFacts) -> list[str | int]:
        """One result a tile."""
        return [1] * len(self.work.collapsed.loops(reader))

    def write_steps(self, lines: Lines, name: str, shift: int) -> None:
        """Walk along the blocks in steps, with an accumulator for every lane."""
        sizes = [0] * (len(self.work.extents) + shift)
        sizes[self.loop + shift] = 1
        sizes[self.block + shift] = self.step
        lines.add(f"zeros, {name}, lanes, loop = tile_reduction {name} by {sizes}")
