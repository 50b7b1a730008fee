"""Split sums: several programs share the sum of one tile, where tiles are few."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import (
    choose_loads,
    choose_precision,
    loop_sizes,
)
from tilewright.planning.sketches.matmuls.tiles import STAGES, MatmulSketch, sizes
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term

MOST_PARTS = 32
"""The most parts of a sum, which the program that arrives last adds up."""
SHORTEST_PART = 128
"""The fewest elements along k that a part sums."""


def factors(shape: MatmulShape) -> list[int]:
    """The numbers of parts that divide the sum evenly."""
    return [
        parts
        for parts in range(2, MOST_PARTS + 1)
        if shape.k % parts == 0
        and shape.k // parts >= SHORTEST_PART
        and (shape.k // parts * shape.width) % 16 == 0
    ]


def may_be_split(shape: MatmulShape) -> bool:
    """Whether the parts of a tile can meet in one launch."""
    return (
        len(shape.matmuls) == 1
        and len(shape.dims.k) == 1
        and len(shape.matmul.parallel) <= 2
        and shape.runs_as_sink
        and not shape.is_open
        and not shape.group.prologues
    )


class SplitTiles(MatmulSketch):
    """Each program sums a part; the last one of a tile adds the parts and stores."""

    def __init__(self, group: Group, target: Target, shape: MatmulShape, parts: int):
        super().__init__(group, target, shape)
        self.split = parts
        self.label = f"split_{parts}"
        self.summary = f"tiles of {parts} partial sums, added by the last to arrive"

    def knobs(self) -> Sequence[Knob]:
        """Tile sizes that the shape can fill, warps and stages."""
        return [
            Knob("BM", sizes(self.shape.m, 16, 128)),
            Knob("BN", sizes(self.shape.n, 16, 128)),
            Knob("BK", self.steps()),
            Knob("warps", self.warps()),
            Knob("stages", STAGES),
        ]

    def points(self) -> Iterator[Point]:
        """The points of the model's pick: deep pipelines, few warps."""
        rows, columns = (knob.options for knob in self.knobs()[:2])
        for tall, wide in itertools.product(rows, columns):
            if not self.is_usual(tall, wide):
                continue
            warps = self.usual_warps(tall, wide)[-1]
            for step, stages in itertools.product(
                self.usual_steps(tall * wide), (3,) if self.work.tf32x3 else STAGES[2:]
            ):
                point = {
                    "BM": tall,
                    "BN": wide,
                    "BK": step,
                    "warps": warps,
                    "stages": stages,
                }
                if self.is_valid(point):
                    yield point

    def write(self, lines: Lines) -> None:
        """Split the sum, tile the parts, let the last program do the rest."""
        shape, knob = self.shape, lines.knob
        matmul, sink = shape.matmul, self.group.sink
        name = matmul.name
        made = ("partial", "start", "part", name)
        lines.do("split_reduction", name, "by", self.split, "at", 0, to=made)
        tiled = shape.sink_sizes(sink, knob("BM"), knob("BN"))
        if sink is matmul:
            tiled = [0, *tiled]
        lines.tile_op(sink.name, tiled, "last")
        lines.fuse_all(self.group.fused, "last")
        lines.tile_loop(name, [1], "sums")
        given: dict[int | None, Term] = {
            shape.row: knob("BM"),
            shape.column: knob("BN"),
            **dict.fromkeys(shape.dims.k, 0),
        }
        lines.tile_op("part", [1, *loop_sizes(matmul, given)], "grid")
        lines.fuse("start", "grid")
        step = loop_sizes(matmul, {shape.dims.k[0]: knob("BK")}, 0)
        lines.tile_loop("part", [0, *step], "k")
        if self.described:
            choose_loads(lines, self.shape, "grid")
        if self.work.tf32x3:
            choose_precision(lines, "grid")
        lines.launch()
        lines.pipeline("k", stages=knob("stages"))
        lines.do("last_arriver", "last")
