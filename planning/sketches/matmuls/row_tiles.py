"""Tiles of whole rows of a matmul, so that a program can reduce along them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ir.powers import power_of_two
from tilewright.planning.model.matmuls import MatmulTile
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import (
    choose_precision,
    loop_over_k,
)
from tilewright.planning.sketches.matmuls.tiles import (
    STAGES,
    MatmulSketch,
    sizes,
)
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, ascending, times
from tilewright.schedules.language.syntax import Value


def may_hold_rows(shape: MatmulShape) -> bool:
    """Whether the reductions of the group run along the matmul's columns alone."""
    group = shape.group
    if len(shape.matmuls) != 1 or shape.row is None or shape.column is None:
        return False
    column = group.axis(shape.matmul, shape.column)
    row = group.axis(shape.matmul, shape.row)
    grid = {
        group.axis(group.sink, axis.loops[group.sink.number])
        for axis in group.grid_axes()
    }
    return group.reduced_axes() == {column} and row in grid and column not in grid


class RowTiles(MatmulSketch):
    """A program computes whole rows of the matmul and what is reduced along them."""

    label = "row_tiles"
    summary = "whole rows of the matmul, a loop over k"

    def knobs(self) -> Sequence[Knob]:
        """Rows, the step along k, warps and stages."""
        return [
            Knob("BM", sizes(self.shape.m, 16, 128)),
            Knob("BK", self.steps()),
            Knob("warps", (4, 8)),
            Knob("stages", STAGES),
        ]

    def conditions(self) -> Sequence[Value]:
        """Registers hold the rows."""
        held = times("BM", self.columns)
        return (ascending(held, times(32 * self.most_sums(), "warps")),)

    @property
    def columns(self) -> int:
        """The columns that a tile holds."""
        return max(16, power_of_two(self.shape.n))

    def tile(self, point: Point) -> MatmulTile:
        """The tile of a point, with all columns."""
        return super().tile({**point, "BN": self.columns})

    def points(self) -> Iterator[Point]:
        """The points of the model's pick."""
        for point in super().points():
            area = point["BM"] * self.columns
            usual = point["stages"] in self.usual_stages(point["BK"])
            if usual and point["BK"] in self.usual_steps(area):
                yield point

    def write(self, lines: Lines) -> None:
        """Tile the sink's rows, fuse the rest, loop over k."""
        shape, group, knob = self.shape, self.group, lines.knob
        assert shape.row is not None
        row = group.axis(shape.matmul, shape.row)
        tiled: list[Term] = [0] * len(group.sink.extents)
        for axis in group.grid_axes():
            loop = axis.loops[group.sink.number]
            is_row = group.axis(group.sink, loop) == row
            tiled[loop] = knob("BM") if is_row else 1
        lines.tile_sink(group, tiled, "grid")
        lines.fuse_all(group.ops[:-1], "grid")
        loop_over_k(lines, shape, knob("BK"))
        if self.work.tf32x3:
            choose_precision(lines, "grid")
        lines.launch()
        lines.pipeline("k", stages=knob("stages"))
