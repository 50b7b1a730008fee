"""Reductions that no program holds: it walks along what it reduces.

A program makes a tile of results, which lie across the reduced loop, or a single one of
a long row, or of blocks of neighbours that lie apart, such as a channel of a batch of
images. Each lane adds up its own elements, and the lanes are combined once, at the end.
Where results are few, several programs share the reduced loop: each stores its partial
results, and the last one to arrive combines them, in the same launch. Several sinks
that reduce alike are computed in one pass, which loads each element once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, reduction_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.reduced import Reduced, works_of
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import (
    Term,
    ascending,
    ceiling,
    smaller,
    text,
    times,
)
from tilewright.schedules.language.syntax import Value

ELEMENTS = 4096
"""The elements of a step of four warps: a few wide accesses for each thread."""
SHORT = 16
"""A reduced loop up to this length is one step."""
FILLED = 8
"""Programs on a multiprocessor that keep its memory accesses overlapping."""
LONG_ROW = 8192
"""The elements of a row, or of a part of one, that is worth a program."""
SHORT_BLOCK = 128
"""Blocks of fewer neighbours are not worth a program."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group that reduces once, or alike for each of its sinks."""
    works = works_of(group)
    if not works or (len(works) > 1 and any(work.is_open for work in works)):
        return ()
    work = works[0]
    last = len(work.extents) - 1
    is_row = work.inner_loop in work.reduced_loops and work.results > 1
    if len(work.reduced_loops) == 1 and not is_row:
        counts = [] if work.is_open else _column_parts(work, target)
        shared = [Reduction(group, target, works, parts) for parts in counts]
        apart = {each.parts: each for each in shared}.values()
        found = [each for each in apart if len(works) == 1 or not each.has_rest]
        if work.results > 1 or not (found or len(works) > 1):
            found.append(Reduction(group, target, works))
        return found
    if len(works) > 1 or work.is_open or work.inner_loop != last:
        return ()
    if work.reduced_loops == [last] and work.length >= LONG_ROW:
        most = min(FILLED * target.sms // work.results, work.length // LONG_ROW)
        counts = [None, most] if most >= 2 else [None]
        return [Reduction(group, target, works, n, walks=True) for n in counts]
    if len(work.reduced_loops) == 2 and work.extents[last] >= SHORT_BLOCK:
        outer, inner = work.reduced_loops
        parts = _block_parts(work, target)
        is_apart = inner == last and (outer != inner - 1 or work.results == 1)
        if is_apart and parts is not None:
            return [Reduction(group, target, works, parts, walks=True)]
    return ()


def _column_parts(work: Reduced, target: Target) -> list[int]:
    """How many programs may share the reduced loop: some that fill the GPU."""
    columns = min(power_of_two(work.extents[-1]), 128) if work.results > 1 else 1
    tiles = max(1, work.results // columns)
    most = work.length // (ELEMENTS if work.results == 1 else 64)
    wanted = FILLED * target.sms // tiles
    counts = {
        1 << (min(count, most).bit_length() - 1)
        for count in (wanted // 2, wanted)
        if min(count, most) >= 2
    }
    return sorted(counts)


def _block_parts(work: Reduced, target: Target) -> int | None:
    """A divisor of the outer loop that fills the GPU, or nearly."""
    extent = work.extents[work.reduced_loops[0]]
    wanted = max(2, 2 * FILLED * target.sms // work.results)
    divisors = [n for n in range(2, extent + 1) if extent % n == 0]
    return max((n for n in divisors if n <= wanted), default=None) or min(
        divisors, default=None
    )


class Reduction(Sketch):
    """A program reduces a tile of results, or one; or several share them."""

    def __init__(
        self,
        group: Group,
        target: Target,
        works: Sequence[Reduced],
        parts: int | None = None,
        *,
        walks: bool = False,
    ):
        """`parts` programs share a tile; one that `walks` makes a single result."""
        super().__init__(group, target)
        self.works, self.work = works, works[0]
        self.walks = walks
        self.loop, *blocks = self.work.reduced_loops
        self.block = blocks[0] if blocks else None
        extents = self.work.extents
        self.kept = [i for i in range(len(extents)) if i not in (self.loop, self.block)]
        self.is_scalar = self.work.results == 1
        self.main = extents[self.loop]
        """The length of the reduced loop that divides into parts."""
        self.parts = parts
        if parts is not None and self.block is None:
            self.parts = self._divisor(parts)
        self.label, self.summary = self._words()

    def _divisor(self, parts: int) -> int:
        """A number of parts near `parts` that divides the loop.

        A part along rows begins at a multiple of 16 bytes.
        """
        unit = 16 // self.work.read_width if self.is_scalar or self.walks else 1
        for count in sorted(
            range(max(2, parts // 2), 2 * parts),
            key=lambda count: abs(math.log2(count / parts)),
        ):
            if self.main % (count * unit) == 0:
                return count
        self.main -= self.main % (parts * unit)
        return parts

    def _words(self) -> tuple[str, str]:
        """The label and the summary."""
        if self.parts is None:
            if self.walks:
                return "long_rows", "a program walks along a row"
            tile = "results" if len(self.works) == 1 else "all results"
            return "columns", f"a program for a tile of {tile}"
        label, what = "parts", "a tile of results"
        if self.block is not None:
            label, what = "blocks", "the blocks of a result"
        elif self.walks:
            label, what = "row_parts", "a row"
        elif len(self.works) > 1:
            what = "tiles of all results"
        words = f"programs share {what}; the last one combines their parts"
        return f"{label}_{self.parts}", words

    @property
    def has_rest(self) -> bool:
        """Whether elements are left that do not divide into parts."""
        return self.main != self.work.extents[self.loop]

    @property
    def has_steps(self) -> bool:
        """Whether the reduced loop of a program is longer than one step."""
        length = self.main // (self.parts or 1)
        return self.block is not None or power_of_two(length) > SHORT

    @property
    def step(self) -> int:
        """The elements of a step along the loop; `tile_reduction` takes no knob."""
        if self.block is not None:
            return min(power_of_two(self.work.extents[self.block]), ELEMENTS)
        rows = power_of_two(self.main // (self.parts or 1))
        if self.is_scalar or self.walks:
            return min(rows, ELEMENTS)
        columns = min(power_of_two(self.work.extents[self.kept[-1]]), 128)
        return min(rows, max(16, ELEMENTS // columns))

    def knobs(self) -> Sequence[Knob]:
        """The results of a tile, and the warps."""
        warps = Knob("warps", (2, 4, 8))
        if self.is_scalar or self.walks:
            return [warps]
        extent = self.work.extents[self.kept[-1]]
        whole = power_of_two(extent)
        # The last tile along the results is full, or one of many.
        columns = tuple(
            size
            for size in (32, 64, 128, 256)
            if size <= whole and (extent % size == 0 or extent >= 8 * size)
        )
        return [Knob("columns", columns or (min(whole, 256),)), warps]

    def conditions(self) -> Sequence[Value]:
        """A step has a few accesses for each thread, of 128 bytes at the most.

        The sums of several reductions take a quarter of a thread's registers at most.
        """
        if self.walks:
            return ()
        sums = self.target.max_registers // 4 // len(self.works)
        most = times(32 * min(128 // self.work.read_width, sums), "warps")
        tile = times(self.step, 1 if self.is_scalar else "columns")
        return [ascending(times(256, "warps"), tile, most)]

    def is_valid(self, point: Point) -> bool:
        """The conditions, and that short blocks have few warps."""
        if self.block is not None and self.step < 128 * point["warps"] > 256:
            return False
        return super().is_valid(point)

    def fallback(self) -> Iterator[Point]:
        """The largest tile of a reduction by itself; several are kernels apart."""
        if len(self.works) > 1:
            return
        largest = {knob.name: knob.options[-1] for knob in self.knobs()}
        yield {**largest, "warps": 4}

    def seconds(self, point: Point) -> float:
        """Bytes over the bandwidth that the programs reach, and combining the parts."""
        columns, warps = point.get("columns", 1), point["warps"]
        work, parts, fitted = self.work, self.parts or 0, self.target.calibration.parts
        width, extents, moved = work.read_width, work.extents, work.collapsed.moved
        tiles = work.results if self.walks else 1
        if not (self.is_scalar or self.walks):
            tiles = math.prod(extents[i] for i in self.kept[:-1])
            tiles *= -(-extents[self.kept[-1]] // columns)
        programs = tiles * (parts or 1)
        combined = fitted.last if parts else 0.0
        if self.walks:
            along = self.main // (parts or 1) if self.block is None else extents[-1]
            at_once, line = min(self.step, along) * work.read_bytes, 1.0
            combined += parts * fitted.combined
        else:
            at_once = self.step * columns * work.read_bytes
            line = 1.0 if self.is_scalar else min(1.0, columns * width / 128)
            many = len(self.works)
            combined += many * parts * columns * fitted.combined / warps
            combined += 0.0 if self.is_scalar else many * programs * warps * fitted.end
            moved += 8 * many * parts * work.results
        traffic = Traffic(moved, programs, warps, at_once)
        return reduction_seconds(traffic, line, self.target) + combined

    def write(self, lines: Lines) -> None:
        """Write each reduction by itself, then make their grids and loops one."""
        ends = ["", *(f"_{number}" for number in range(2, len(self.works) + 1))]
        for end, work in zip(ends, self.works, strict=True):
            work.write_one_op(lines)
            if self.parts is None:
                self._write_tiles(lines, work, f"grid{end}")
            else:
                self._write_split(lines, work, end)
        if self.parts is not None:
            for end in ends:
                self._write_parts(lines, f"part{end}", f"zero{end}", f"grid{end}")
        for end in ends[1:]:
            if self.parts is not None:
                lines.merge_into("last", f"last{end}")
            lines.merge_into("grid", f"grid{end}")
        if self.has_steps and len(ends) > 1:
            lines.do("match", text("scf.for"), "in", "grid", to=("loops",))
            lines.do("split_handle", "loops", to=[f"loop{end}" for end in ends])
            for end in ends[1:]:
                lines.merge_into("loop", f"loop{end}")
        lines.launch()
        if self.parts is not None:
            lines.do("last_arriver", "last")
        is_large = self.work.collapsed.moved > self.target.l2_bytes
        if self.walks and self.block is None and is_large:
            # Rows larger than the L2 cache only pass by: nobody finds them there later.
            lines.do("launch", "grid", read_once=1)

    def _write_tiles(self, lines: Lines, work: Reduced, grid: str) -> None:
        """Tile the results; lanes walk along the reduced loop."""
        self._write_results(lines, work, grid, work.reduction.name, self.loop)
        lines.fuse_all(work.fills, grid)
        self._write_steps(lines, work.reduction.name, 0)

    def _write_split(self, lines: Lines, work: Reduced, end: str) -> None:
        """Split the reduced loop, and tile what combines the parts.

        `end` is the end of the names of this reduction's handles.
        """
        name, last, parts = work.reduction.name, f"last{end}", self.parts or 1
        if self.has_rest:
            lines.do(
                "split", name, "after", self.main, "along", self.loop, to=("halves",)
            )
            lines.do("split_handle", "halves", to=(name, "rest"))
        made = ("partial", f"zero{end}", f"part{end}", name)
        lines.do("split_reduction", name, "by", parts, "at", 0, to=made)
        if self.has_rest:
            lines.do("match", text("func.func"), "in", "root", to=("func",))
            lines.do("patterns", "func", ["tensor.fold_tensor_subset_ops"])
            self._write_results(lines, work, last, "rest", self.loop)
            if self.is_scalar and work.extents[self.loop] - self.main > ELEMENTS:
                lines.tile_loop("rest", [*[0] * self.loop, ELEMENTS], "rests")
            lines.fuse(name, last)
        else:
            self._write_results(lines, work, last, name, 0)
        lines.fuse_all(work.fills, last)
        self._write_combining(lines, name)

    def _write_combining(self, lines: Lines, name: str) -> None:
        """Load as many parts at once as registers hold: one load waits for another."""
        parts = self.parts or 1
        tiles = [o for k in self.knobs() if k.name == "columns" for o in k.options]
        if parts * max(tiles, default=1) <= ELEMENTS:
            return
        step: Term = ELEMENTS
        if tiles:
            step = smaller(parts, ceiling(ELEMENTS, lines.knob("columns")))
        lines.tile_loop(name, [step], "parts")

    def _write_parts(self, lines: Lines, part: str, zero: str, grid: str) -> None:
        """Tile what computes the parts; lanes walk along the reduced loop."""
        lines.tile_op(part, [1, *self._result_sizes(lines, self.loop)], grid)
        lines.fuse(zero, grid)
        self._write_steps(lines, part, 1)

    def _write_results(
        self, lines: Lines, work: Reduced, grid: str, total: str, loop: int
    ) -> None:
        """Tile the results, with all that is computed from them.

        `loop` is the reduced loop of the op `total`, which gives the results.
        """
        if work.readers:
            sink = work.readers[-1].name
            sizes = self._reader_sizes(lines, work, work.readers[-1])
        else:
            sink, sizes = total, self._result_sizes(lines, loop)
        if any(sizes):
            lines.tile_op(sink, sizes, grid)
        else:
            lines.in_one_block(sink, grid)
        lines.fuse_all(work.readers[:-1], grid)
        if sink != total:
            lines.fuse(total, grid)

    def _result_sizes(self, lines: Lines, reduced_loop: int) -> list[Term]:
        """The tile of each loop of an op with the loops of the results, and another."""
        one = 0 if self.is_scalar and not self.walks else 1
        kept: list[Term] = [one] * len(self.kept)
        if kept and not (self.is_scalar or self.walks):
            kept[-1] = lines.knob("columns")
        kept.insert(reduced_loop, 0)
        return kept

    def _reader_sizes(self, lines: Lines, work: Reduced, reader: OpFacts) -> list[Term]:
        """The tile of each loop of a reader, which may have more loops of one step."""
        axes = work.collapsed.loops(reader)
        if self.walks or self.is_scalar:
            return [int(self.walks)] * len(axes)
        inner = work.collapsed.loops(work.reduction)[self.kept[-1]]
        return [lines.knob("columns") if axis == inner else 1 for axis in axes]

    def _write_steps(self, lines: Lines, name: str, shift: int) -> None:
        """Walk along the reduced loop in steps, with an accumulator for every lane."""
        if not self.has_steps:
            return
        sizes: list[Term] = [0] * (len(self.work.extents) + shift)
        sizes[self.loop + shift] = self.step if self.block is None else 1
        if self.block is not None:
            sizes[self.block + shift] = self.step
        lines.tile_reduction(name, sizes, "zeros", "lanes", "loop")
