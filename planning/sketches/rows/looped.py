"""Loops over a row that does not fit into registers, in as few passes as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.model.row_loops import RowLoops, looped_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.collapsed import Collapsed
from tilewright.planning.sketches.rows.shape import EXP, RowShape
from tilewright.planning.sketches.rows.whole import WholeRows
from tilewright.planning.writing.lines import Lines


def can_loop(shape: RowShape) -> bool:
    """Whether each pass of a group can be a loop over the row.

    A tensor along the row that leaves the kernel is written by the sink alone.
    """
    if shape.group.also_sinks or not (len(shape.inner) == 1 or _runs_as_one(shape)):
        return False
    return not any(
        shape.has_row(facts) and shape.leaves(facts)
        for facts in shape.group.ops[:-1]
        if not shape.reduces(facts)
    )


def _runs_as_one(shape: RowShape) -> bool:
    """Whether the axes of a row, such as those of an image, are one loop in each op."""
    collapsed = Collapsed(shape.group)
    return all(
        len(set(collapsed.loops(facts)) & shape.places) <= 1
        for facts in shape.group.ops
    )


class LoopedRows(Sketch):
    """A program loops over its row, once for each reduction that waits for another."""

    summary = "loops over a row, what is element-wise is computed in each"

    def __init__(self, shape: RowShape, target: Target, columns: int):
        super().__init__(shape.group, target)
        self.label = f"looped_rows_{columns}"
        self.shape = shape
        self.columns = columns
        """The columns of an iteration; `tile_reduction` takes no knob."""
        self.collapsed = Collapsed(shape.group) if len(shape.inner) > 1 else None
        """The group with its loops collapsed, if a row has several axes."""
        self.levels = shape.levels()
        self.stores = shape.has_row(shape.group.sink) and not shape.reduces(
            shape.group.sink
        )

    def knobs(self) -> Sequence[Knob]:
        """Warps, iterations in one, and whether rows are aligned."""
        aligned = [Knob("aligned", (1, 0))] if self.shape.can_align else []
        warps = tuple(w for w in (4, 8, 16, 32) if self._has_whole_accesses(w))
        return [Knob("warps", warps), Knob("unroll", (1, 4)), *aligned]

    def _has_whole_accesses(self, warps: int) -> bool:
        """Whether a thread has whole accesses, and not more than a few."""
        each = self.columns / (32 * warps)
        return self.shape.lanes <= each <= 4 * self.shape.lanes

    def points(self) -> Iterator[Point]:
        """The points of the first pick: unrolled where programs are few.

        Where they are many, they hide each other's loads, and registers are short.
        """
        usual = 4 if self.shape.count <= 2 * self.target.sms else 1
        for point in super().points():
            if point["unroll"] == usual:
                yield point

    @property
    def passes(self) -> int:
        """How often a row is read."""
        return len(self.levels) + self.stores

    def seconds(self, point: Point) -> float:
        """Passes over the row, which is read again from the L2 cache if it fits."""
        return looped_seconds(self.loops(point), self.shape.count, self.target)

    def loops(self, point: Point) -> RowLoops:
        """The loops of a program, as the model takes them."""
        shape = self.shape
        wide = not shape.is_odd or bool(point.get("aligned"))
        single = 0 if wide else len(shape.accessed)
        single += len(shape.shared) if shape.is_odd else 0
        accesses = len(shape.accessed) / shape.lanes + single
        return RowLoops(
            point["warps"],
            self.columns,
            shape.lanes,
            point["unroll"],
            shape.length,
            sum(o.bytes for o in shape.accessed if o.is_read) / shape.count,
            sum(o.bytes for o in shape.accessed if o.is_written) / shape.count,
            self.passes,
            self.instructions + self.target.calibration.rows.access * accesses,
        )

    @property
    def instructions(self) -> float:
        """Machine instructions for each element, in one pass, without accesses."""
        masked = bool(self.shape.length % self.columns)
        return self.shape.instructions(EXP) / self.passes + 1 + masked

    def write(self, lines: Lines) -> None:
        """A grid of single rows; a loop for each level of reductions, one to store."""
        self.write_launch(lines)
        for level in self.levels:
            self._reduce(level, lines)
        self.write_stores(lines)

    def write_launch(self, lines: Lines) -> None:
        """A grid of single rows, and how it is launched."""
        rows = WholeRows(self.shape, self.target)
        if self.collapsed is None:
            rows.write_grid(lines, 1)
        else:
            self._write_collapsed(self.collapsed, lines)
        lines.launch(**rows.settings(lines, self.passes))

    def _write_collapsed(self, collapsed: Collapsed, lines: Lines) -> None:
        """Collapse the loops of all ops, then a grid of single rows."""
        sink = self.group.sink
        collapsed.write(lines)
        is_cut = [axis not in self.shape.places for axis in collapsed.loops(sink)]
        lines.tile_sink(self.group, [int(each) for each in is_cut], "grid")
        lines.fuse_all(self.group.fused, "grid")

    def write_stores(self, lines: Lines) -> None:
        """A loop that stores the row, and what is element-wise in the loops."""
        shape = self.shape
        if self.stores:
            sink = shape.group.sink
            sizes = self._sizes(sink)
            lines.do("tile", sink.name, "by", sizes, to=(sink.name, "stores"))
        inside = [
            facts
            for facts in reversed(shape.group.ops[:-1])
            if shape.has_row(facts) and not shape.reduces(facts)
        ]
        lines.recompute_in_loops(inside, "grid")

    def _sizes(self, facts: OpFacts) -> list[int]:
        """Tile sizes of an op: columns along the row, whole loops elsewhere."""
        if self.collapsed is None:
            axes = [self.group.axis(facts, loop) for loop in range(len(facts.extents))]
        else:
            axes = self.collapsed.loops(facts)
        return [self.columns if axis in self.shape.places else 0 for axis in axes]

    def _reduce(self, level: Sequence[OpFacts], lines: Lines) -> None:
        """One loop over the row for reductions that do not depend on each other."""
        loops: list[str] = []
        for facts in level:
            loop = f"over_{facts.name}"
            sizes = self._sizes(facts)
            lines.tile_reduction(facts.name, sizes, "start", "merged", loop)
            loops.append(loop)
        for other in loops[1:]:
            lines.merge_into(loops[0], other)
        lines.pipeline(loops[0], unroll=lines.knob("unroll"))
