"""Element-wise kernels: one pass over the data, tiles of a few thousand elements.

The loops are collapsed to as few as the operands allow. A tile takes as much of the
innermost loop as it can, so that neighbouring threads access neighbouring elements, and
then of the loops around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import Role
from tilewright.planning.analysis.gathers import (
    GatherLoops,
    count_gathers,
    gather_loops,
)
from tilewright.planning.grouping.group import Group, Place
from tilewright.planning.model.gathers import Windows, gather_seconds
from tilewright.planning.model.memory import Traffic, streaming_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.collapsed import Collapsed, collapsed_alone
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import (
    Term,
    ascending,
    ceiling,
    smaller,
    times,
)
from tilewright.schedules.language.syntax import Value

BLOCKS = (512, 1024, 2048, 4096, 8192)
"""The elements of a tile."""
COLUMNS = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
"""The elements of a tile along the innermost loop, if it does not hold the loop."""

FEW_BLOCKS = (32, 64, 128, 256)
"""The elements of a tile of few elements that each take many accesses, such as the
steps of a recurrence: more multiprocessors share the waiting."""
MANY_ACCESSES = 8
"""The fewest tensors that such a kernel reads and writes."""

GATHER_BLOCKS = (128, 256)
"""The elements of a tile if each is computed from many gathered ones."""
GATHERED = 64
"""The gathered elements that a thread holds at once; more of them, with their
addresses, do not fit into its registers."""

UNALIGNED_COLUMNS = 1024
"""The tile along rows that do not begin at multiples of 16 bytes: several rows beside
each other keep more accesses in flight."""
SHARED_COLUMNS = 128
"""The same where rows share most of what they read: a warp has several rows of a few
columns, and loads what they share once."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group without reductions, whose operands lie alike."""
    if not is_pointwise(group):
        return ()
    if not group.sink.extents:
        has_loops = any(facts.extents for facts in group.ops)
        return () if has_loops else [Numbers(group, target)]
    collapsed = collapsed_alone(group)
    if crossing_axes(collapsed) is not None:
        return ()
    return [Tiles(group, target)]


def is_pointwise(group: Group) -> bool:
    """Whether no op of a group reduces."""
    roles = (Role.FILL, Role.MOVEMENT, Role.ELEMENTWISE)
    return all(facts.role in roles for facts in group.ops)


def crossing_axes(collapsed: Collapsed) -> tuple[int, int] | None:
    """Two loops of the sink: a tensor lies along the first, the others along the last.

    None if all tensors of the kernel lie along the innermost loop, or along none.
    """
    sink = collapsed.group.sink
    loops = collapsed.loops(sink)
    extents = collapsed.extents(sink)
    wide = [loop for loop, extent in enumerate(extents) if extent > 1]
    if not wide:
        return None
    innermost = wide[-1]
    for stream in [*collapsed.reads, *collapsed.writes]:
        inner = stream.inner
        if inner is None or inner not in loops or len(stream.axes) < 2:
            continue
        loop = loops.index(inner)
        if loop != innermost and loops[innermost] in stream.axes:
            return loop, innermost
    return _crossing_gathers(collapsed, loops, innermost)


def _crossing_gathers(
    collapsed: Collapsed, loops: Sequence[Place], innermost: int
) -> tuple[int, int] | None:
    """As `crossing_axes`, for tensors that are read at computed indices."""
    for facts in collapsed.group.ops:
        for found in gather_loops(facts):
            inner = collapsed.head(facts, found.inner)
            others = {collapsed.head(facts, loop) for loop in found.others}
            if inner not in loops or facts.extents[found.inner] == 1:
                continue
            loop = loops.index(inner)
            if loop != innermost and loops[innermost] in others:
                return loop, innermost
    return None


def gathered_by_thread(gathers: int) -> int:
    """The most elements of a thread that gathers as many inputs for each."""
    return max(1, GATHERED // gathers)


class Tiles(Sketch):
    """Tiles along the innermost loops."""

    label = "tiles"
    summary = "tiles of neighbouring elements"

    def __init__(self, group: Group, target: Target):
        super().__init__(group, target)
        self.collapsed = collapsed_alone(group)
        self.extents = self.collapsed.extents(group.sink)
        streams = [*self.collapsed.reads, *self.collapsed.writes]
        self.narrowest = min(
            (s.operand.element.byte_width for s in streams if s.axes), default=4
        )

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The least and the most elements of a tile for each warp.

        A thread has work for at least one full access, and at most for eight; or for
        as many elements as it can gather the inputs of.
        """
        least = 32 * WIDE_LOAD // self.narrowest
        gathers = count_gathers(self.group.ops)
        if self.waits:
            return 32, 8 * least
        if len(self.steps) > 1:
            return 32, 32 * gathered_by_thread(gathers)
        if gathers * 8 * WIDE_LOAD // self.narrowest <= 2 * GATHERED:
            return least, 8 * least
        return 32, 32 * gathered_by_thread(gathers)

    @cached_property
    def waits(self) -> bool:
        """Whether few programs would wait for many accesses of few elements."""
        streams = len(self.collapsed.reads) + len(self.collapsed.writes)
        few = math.prod(self.extents) < BLOCKS[0] * self.target.sms
        return few and streams >= MANY_ACCESSES and not self.alone

    @cached_property
    def alone(self) -> list[GatherLoops]:
        """The reads of one element at a time."""
        found = [one for facts in self.group.ops for one in gather_loops(facts)]
        return [one for one in found if one.step]

    @property
    def steps(self) -> list[float]:
        """The bytes between neighbours, for each read of one element at a time."""
        return [one.step for one in self.alone]

    @cached_property
    def gathered(self) -> int:
        """The bytes of the tensors that windows cover."""
        if len(self.alone) < 2:
            return 0
        return sum({one.tensor: one.bytes for one in self.alone}.values())

    def knobs(self) -> Sequence[Knob]:
        """The tile's elements and the warps."""
        least, most = self.bounds
        small = least == 32 or most <= 8 * 32
        sizes = (*GATHER_BLOCKS, *BLOCKS) if small else BLOCKS
        if self.waits:
            sizes = (*FEW_BLOCKS, *BLOCKS)
        whole = max(
            math.prod(power_of_two(extent) for extent in self.extents), sizes[0]
        )
        blocks = tuple(block for block in sizes if block <= min(whole, 8 * most))
        warps = (4, 8) if len(self.steps) > 1 else (2, 4, 8)
        warps = (1, *warps) if self.waits else warps
        return [Knob("block", blocks), Knob("warps", warps)]

    def conditions(self) -> Sequence[Value]:
        """A thread has enough work, and not too much."""
        least, most = (times(bound, "warps") for bound in self.bounds)
        return [ascending(least, "block", most)]

    def fallback(self) -> Iterator[Point]:
        """The smallest tile."""
        yield {knob.name: knob.options[0] for knob in self.knobs()}

    def columns(self) -> int:
        """The tile of the innermost loop: the widest that leaves few lanes idle.

        A divisor needs no mask; a power of two above the extent leaves lanes idle.
        """
        extent = self.extents[-1]
        whole = min(power_of_two(extent), BLOCKS[-1])
        if len(self.extents) == 1:
            return whole
        divisor = extent & -extent
        widest = UNALIGNED_COLUMNS if self.is_unaligned else BLOCKS[-1]
        if self.shares_columns:
            widest = SHARED_COLUMNS
        if divisor >= min(whole, 256, widest):
            return min(divisor, widest)
        sizes = [size for size in COLUMNS if size <= min(whole, widest)]
        fitting = [size for size in sizes if -(-extent // size) * size <= 1.15 * extent]
        return max(fitting, default=min(whole, widest))

    @cached_property
    def shares_columns(self) -> bool:
        """Whether all rows read the same vectors, and move little besides.

        The overlaps of all pairs of boxes are such elements: four numbers of a column
        for each number that is stored.
        """
        inner = self.collapsed.loops(self.group.sink)[-1]
        streams = [*self.collapsed.reads, *self.collapsed.writes]
        shared = sum(stream.axes == (inner,) for stream in streams)
        moved = sum(inner in stream.axes[1:] for stream in streams)
        return shared > 2 * moved

    @property
    def is_unaligned(self) -> bool:
        """Whether rows begin at addresses that are no multiples of `WIDE_LOAD`."""
        return self.extents[-1] * self.narrowest % WIDE_LOAD != 0

    def parts(self) -> list[tuple[int, int]]:
        """For each loop, the elements of a tile inside it, and most of its own tile."""
        found: list[tuple[int, int]] = []
        inside = 1
        for number, extent in enumerate(reversed(self.extents)):
            most = self.columns() if number == 0 else power_of_two(extent)
            found.insert(0, (inside, most))
            inside *= most
        return found

    def sizes(self, block: int) -> list[int]:
        """The tile of each loop: as much of the innermost ones as fits."""
        return [min(-(-block // inside), most) for inside, most in self.parts()]

    def seconds(self, point: Point) -> float:
        """Bytes over the bandwidth that the tiles reach."""
        sizes = self.sizes(point["block"])
        tiles = [
            -(-extent // size) for extent, size in zip(self.extents, sizes, strict=True)
        ]
        programs = math.prod(tiles)
        moved = self.collapsed.moved + self.gathered
        traffic = Traffic(moved, programs, point["warps"], moved / max(programs, 1))
        seconds = streaming_seconds(traffic, self.target)
        if self.is_unaligned and len(sizes) > 1:
            # One element an access: rows side by side keep more of them in flight.
            rows, thread = math.prod(sizes[:-1]), point["block"] / (32 * point["warps"])
            seconds *= 1.3 if rows < 4 and self.extents[-2] >= 4 else 1.0
            seconds *= 1 + 0.08 * math.log2(max(1.0, thread / 8))
        if len(self.steps) > 1:
            thread = point["block"] / (32 * point["warps"])
            windows = Windows(math.prod(self.extents), self.steps)
            seconds = gather_seconds(windows, thread, seconds, self.target)
            # Fewer programs to start, if all else is equal.
            seconds *= 1 + 0.02 * math.log2(max(programs, 1))
        return seconds

    def write(self, lines: Lines) -> None:
        """Collapse the loops, tile the sink, fuse the rest."""
        self.collapsed.write(lines)
        lines.tile_sink(self.group, self.written_sizes(lines.knob("block")), "grid")
        fused = [
            each for each in self.group.fused if each not in self.collapsed.inlined
        ]
        lines.fuse_all(fused, "grid")
        lines.launch()

    def written_sizes(self, block: str) -> list[Term]:
        """The tile of each loop, in the schedule language."""
        smallest, *_, largest = self.knobs()[0].options * 2
        found: list[Term] = []
        for inside, most in self.parts():
            rest = ceiling(block, inside) if inside > 1 else block
            if most == 1 or inside >= largest:
                found.append(1)
            elif most * inside >= largest:
                found.append(rest)
            elif most * inside <= smallest:
                found.append(most)
            else:
                found.append(smaller(rest, most))
        return found


class Numbers(Sketch):
    """One program computes single numbers, such as a loss from its sums."""

    label = "numbers"
    summary = "one program for all numbers"

    def knobs(self) -> Sequence[Knob]:
        """One warp: there is nothing to share."""
        return [Knob("warps", (1,))]

    def seconds(self, point: Point) -> float:
        """The launch."""
        return self.target.calibration.launch

    def write(self, lines: Lines) -> None:
        """A block for the sinks, with the other ops in it."""
        lines.in_one_block(self.group.sink.name, "grid")
        for other in self.group.also_sinks:
            lines.in_one_block(other.name, f"grid_{other.name}")
            lines.merge_into("grid", f"grid_{other.name}")
        lines.fuse_all(self.group.fused, "grid")
        lines.launch()
