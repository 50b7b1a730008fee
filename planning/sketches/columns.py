"""Reductions that are not along rows: over leading or middle loops, or over all.

A program holds a tile of results and walks along the reduced loop. Each lane of a tile
adds up its own elements, and the lanes are combined once, at the end. Where there are
few results, several programs share the reduced loop: each stores its partial results,
and the last one to arrive combines them, in the same launch.
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
from tilewright.planning.sketches.reduced import Reduced, reduced
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, product, text
from tilewright.schedules.language.syntax import Value

ELEMENTS = 4096
"""The elements of a step of four warps: a few wide accesses for each thread."""
SHORT = 16
"""A reduced loop up to this length is one step."""
FILLED = 8
"""Programs on a multiprocessor that keep its memory accesses overlapping."""
LONGEST_STEP = 4096
"""The neighbours of one step of a program that makes one result."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group that reduces across rows, or to a single result."""
    work = reduced(group)
    if work is None or len(work.reduced_loops) != 1:
        return ()
    if work.inner_loop in work.reduced_loops and work.results > 1:
        return ()
    parts = [] if work.is_open else part_counts(work, target)
    found: list[Sketch] = [SharedColumns(group, target, work, n) for n in parts]
    if work.results > 1 or not found:
        found.append(Columns(group, target, work))
    return found


def part_counts(work: Reduced, target: Target) -> list[int]:
    """How many programs may share the reduced loop: some that fill the card."""
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


class Columns(Sketch):
    """A program reduces a tile of results over the whole loop."""

    label = "columns"
    summary = "a program for a tile of results"

    def __init__(self, group: Group, target: Target, work: Reduced):
        super().__init__(group, target)
        self.work = work
        self.loop = work.reduced_loops[0]
        self.kept = [i for i in range(len(work.extents)) if i != self.loop]
        self.inner = self.kept[-1] if self.kept else None

    @property
    def is_scalar(self) -> bool:
        """Whether there is a single result."""
        return self.work.results == 1

    @property
    def steps_length(self) -> int:
        """The length of the reduced loop that one program walks along."""
        return self.work.extents[self.loop]

    @property
    def step(self) -> int:
        """The rows of a step; `tile_reduction` takes no knob."""
        rows = power_of_two(self.steps_length)
        if self.inner is None or self.is_scalar:
            return min(rows, ELEMENTS)
        columns = min(power_of_two(self.work.extents[self.inner]), 128)
        return min(rows, max(16, ELEMENTS // columns))

    @property
    def has_steps(self) -> bool:
        """Whether the reduced loop is longer than one step."""
        return power_of_two(self.steps_length) > SHORT

    @property
    def most_of_a_warp(self) -> int:
        """The most elements of a step for each warp: 128 bytes a thread."""
        return 32 * 128 // self.work.read_width

    def knobs(self) -> Sequence[Knob]:
        """The results of a tile, and the warps."""
        warps = Knob("warps", (2, 4, 8))
        if self.is_scalar or self.inner is None:
            return [warps]
        extent = self.work.extents[self.inner]
        # The last tile along the results is full, or one of many.
        columns = tuple(
            size
            for size in (32, 64, 128, 256)
            if size <= power_of_two(extent)
            and (extent % size == 0 or extent >= 8 * size)
        )
        whole = power_of_two(extent)
        return [Knob("columns", columns or (min(whole, 256),)), warps]

    def conditions(self) -> Sequence[Value]:
        """A step has a few accesses for each thread."""
        least, most = product(256, "warps"), product(self.most_of_a_warp, "warps")
        has_columns = any(knob.name == "columns" for knob in self.knobs())
        tile = product(self.step, "columns" if has_columns else 1)
        return [ascending(least, tile, most)]

    def fallback(self) -> Iterator[Point]:
        """The largest tile."""
        largest = {knob.name: knob.options[-1] for knob in self.knobs()}
        yield {**largest, "warps": 4}

    def tiles(self, point: Point) -> int:
        """The tiles of results."""
        columns = point.get("columns", 1)
        if self.inner is None or self.is_scalar:
            return 1
        outer = math.prod(self.work.extents[i] for i in self.kept[:-1])
        return outer * -(-self.work.extents[self.inner] // columns)

    def seconds(self, point: Point) -> float:
        """Bytes over the bandwidth that the programs reach."""
        columns = point.get("columns", 1)
        width = self.work.read_width
        traffic = Traffic(
            self.work.collapsed.moved,
            self.tiles(point),
            point["warps"],
            self.step * columns * width,
        )
        line = 1.0 if self.is_scalar else min(1.0, columns * width / 128)
        ended = 0.0 if self.is_scalar else traffic.programs * point["warps"]
        ends = ended * self.target.calibration.parts.end
        return reduction_seconds(traffic, line, self.target) + ends

    def write(self, lines: Lines) -> None:
        """One op, tiled along its results; lanes walk along the reduced loop."""
        self.write_tiles(lines, "grid")
        lines.launch()

    def write_tiles(self, lines: Lines, grid: str) -> None:
        """All but the launch; the grid's handle gets the given name."""
        self.work.write_one_op(lines)
        self.write_results(lines, grid, self.work.reduction.name, self.loop)
        lines.fuse_all(self.work.fills, grid, lines.shared)
        self.write_steps(lines, self.work.reduction.name, 0)

    def write_results(self, lines: Lines, grid: str, total: str, loop: int) -> None:
        """Tile the results, with all that is computed from them.

        `loop` is the reduced loop of the op `total`, which gives the results.
        """
        work = self.work
        sink = work.readers[-1].name if work.readers else total
        if sink == total:
            sizes = self.result_sizes(lines, loop)
        else:
            sizes = self.reader_sizes(lines, work.readers[-1])
        if not any(sizes):
            lines.in_one_block(sink, grid)
        else:
            lines.tile_op(sink, sizes, grid)
        lines.fuse_all(work.readers[:-1], grid, lines.shared)
        if sink != total:
            lines.fuse(total, grid)

    def result_sizes(self, lines: Lines, reduced_loop: int) -> list[Term]:
        """The tile of each loop of an op with the loops of the results, and another."""
        kept: list[Term] = [1] * len(self.kept)
        if self.is_scalar:
            kept = [0] * len(self.kept)
        elif kept:
            kept[-1] = lines.knob("columns")
        kept.insert(reduced_loop, 0)
        return kept

    def reader_sizes(self, lines: Lines, reader: OpFacts) -> list[Term]:
        """The tile of each loop of a reader, which may have more loops of one step."""
        collapsed = self.work.collapsed
        axes = collapsed.loops(reader)
        if self.is_scalar:
            return [0] * len(axes)
        inner = collapsed.loops(self.work.reduction)[self.kept[-1]]
        return [lines.knob("columns") if axis == inner else 1 for axis in axes]

    def write_steps(self, lines: Lines, name: str, shift: int) -> None:
        """Walk along the reduced loop in steps, with an accumulator for every lane."""
        if not self.has_steps:
            return
        sizes: list[Term] = [0] * (len(self.work.extents) + shift)
        sizes[self.loop + shift] = self.step
        lines.tile_reduction(name, sizes, "zeros", "lanes", "loop")


class OneResult(Columns):
    """A program makes one result: it walks along neighbours, in steps."""

    @property
    def neighbours(self) -> int:
        """The elements beside each other that a program walks along."""
        return self.steps_length

    @property
    def step(self) -> int:
        """The neighbours of a step."""
        return min(power_of_two(self.neighbours), LONGEST_STEP)

    def knobs(self) -> Sequence[Knob]:
        """The warps."""
        return [Knob("warps", (2, 4, 8))]

    def conditions(self) -> Sequence[Value]:
        """None."""
        return ()

    def tiles(self, point: Point) -> int:
        """The results."""
        return self.work.results

    def walk_seconds(self, point: Point, programs: int) -> float:
        """The time in which programs read everything; few leave the memory idle."""
        step = min(self.step, self.neighbours) * self.work.read_width
        traffic = Traffic(self.work.collapsed.moved, programs, point["warps"], step)
        return reduction_seconds(traffic, 1.0, self.target)

    def shared_seconds(self, point: Point, parts: int) -> float:
        """The time of the programs that share, and of those that combine."""
        fitted = self.target.calibration.parts
        combined = fitted.last + parts * fitted.combined
        return self.walk_seconds(point, parts * self.work.results) + combined

    def result_sizes(self, lines: Lines, reduced_loop: int) -> list[Term]:
        """One result a tile; what is reduced stays whole."""
        sizes: list[Term] = [1] * len(self.kept)
        sizes.insert(reduced_loop, 0)
        return sizes

    def reader_sizes(self, lines: Lines, reader: OpFacts) -> list[Term]:
        """One result a tile."""
        return [1] * len(self.work.collapsed.loops(reader))


class SharedColumns(Columns):
    """Several programs share the reduced loop; the last one combines their parts."""

    summary = "programs share a tile of results; the last one combines their parts"

    def __init__(self, group: Group, target: Target, work: Reduced, parts: int):
        super().__init__(group, target, work)
        self.parts = self.divisor(parts)
        self.label = f"parts_{self.parts}"

    @property
    def steps_length(self) -> int:
        """The length of a part of the reduced loop."""
        return self.main // self.parts

    @property
    def unit(self) -> int:
        """The elements that a part has a multiple of.

        A part along rows begins at a multiple of 16 bytes.
        """
        return 16 // self.work.read_width if self.is_scalar else 1

    def divisor(self, parts: int) -> int:
        """A number of parts near `parts` that divides the loop into aligned parts."""
        self.main = self.work.extents[self.loop]
        unit = self.unit
        for count in sorted(
            range(max(2, parts // 2), 2 * parts),
            key=lambda count: abs(math.log2(count / parts)),
        ):
            if self.main % (count * unit) == 0:
                return count
        self.main -= self.main % (parts * unit)
        return parts

    def seconds(self, point: Point) -> float:
        """The time of the programs that share, and of those that combine."""
        columns = point.get("columns", 1)
        width = self.work.read_width
        programs = self.tiles(point) * self.parts
        traffic = Traffic(
            self.work.collapsed.moved + 8 * self.parts * self.work.results,
            programs,
            point["warps"],
            self.step * columns * width,
        )
        line = 1.0 if self.is_scalar else min(1.0, columns * width / 128)
        fitted = self.target.calibration.parts
        combined = self.parts * columns * fitted.combined / point["warps"]
        combined += fitted.last
        if not self.is_scalar:
            combined += programs * point["warps"] * fitted.end
        return reduction_seconds(traffic, line, self.target) + combined

    @property
    def has_rest(self) -> bool:
        """Whether rows are left that do not divide into parts."""
        return self.main != self.work.extents[self.loop]

    def write(self, lines: Lines) -> None:
        """Split the reduced loop; parts in one grid, their combination in another."""
        self.write_split(lines, "")
        self.write_parts(lines, "")
        lines.launch()
        lines.do("last_arriver", "last")

    def write_split(self, lines: Lines, end: str) -> None:
        """Split the reduced loop, and tile what combines the parts.

        `end` is the end of the names of this reduction's handles.
        """
        self.work.write_one_op(lines)
        name, last = self.work.reduction.name, f"last{end}"
        if self.has_rest:
            lines.do(
                "split", name, "after", self.main, "along", self.loop, to=("halves",)
            )
            lines.do("split_handle", "halves", to=(name, "rest"))
        made = ("partial", f"zero{end}", f"part{end}", name)
        lines.do("split_reduction", name, "by", self.parts, "at", 0, to=made)
        if self.has_rest:
            lines.do("match", text("func.func"), "in", "root", to=("func",))
            lines.do("patterns", "func", ["tensor.fold_tensor_subset_ops"])
            self.write_results(lines, last, "rest", self.loop)
            lines.fuse(name, last)
        else:
            self.write_results(lines, last, name, 0)
        lines.fuse_all(self.work.fills, last, lines.shared)
        self.write_combination(lines, name)

    def write_parts(self, lines: Lines, end: str) -> None:
        """Tile what computes the parts; lanes walk along the reduced loop."""
        part, grid = f"part{end}", f"grid{end}"
        sizes: list[Term] = [1, *self.result_sizes(lines, self.loop)]
        lines.tile_op(part, sizes, grid)
        lines.fuse(f"zero{end}", grid)
        self.write_steps(lines, part, 1)

    def write_combination(self, lines: Lines, name: str) -> None:
        """Combine many parts in steps, as registers do not hold them at once."""
        widest = [o for k in self.knobs() if k.name == "columns" for o in k.options]
        step = max(1, ELEMENTS // max(widest, default=1))
        if step < self.parts:
            lines.tile_loop(name, [step], "parts")
