"""Split sums: several programs share the sum of one tile, where tiles are few."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.products.shape import ProductShape
from tilewright.planning.sketches.products.statements import (
    choose_loads,
    choose_precision,
    loop_sizes,
    without_tail,
)
from tilewright.planning.sketches.products.tiles import STAGES, ProductSketch, sizes
from tilewright.planning.writing.lines import Lines

MOST_PARTS = 32
SHORTEST_PART = 128
"""A part sums at least this many products."""


def factors(shape: ProductShape) -> list[int]:
    """The numbers of parts that divide the sum evenly."""
    return [
        parts
        for parts in range(2, MOST_PARTS + 1)
        if shape.k % parts == 0
        and shape.k // parts >= SHORTEST_PART
        and (shape.k // parts * shape.width) % 16 == 0
    ]


def may_be_split(shape: ProductShape) -> bool:
    """Whether the parts of a tile can meet in one launch."""
    return (
        len(shape.products) == 1
        and len(shape.dims.k) == 1
        and len(shape.product.parallel) <= 2
        and shape.runs_as_sink
        and not shape.is_open
        and not shape.group.prologues
    )


class SplitTiles(ProductSketch):
    """Each program sums a part; the last one of a tile adds the parts and stores."""

    def __init__(self, group: Group, target: Target, shape: ProductShape, parts: int):
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
                self.usual_steps(tall * wide), (3,) if self.work.thirds else STAGES[2:]
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
        product, sink = shape.product, self.group.sink
        name = product.name
        lines.add(
            f"partial, start, part, {name} = split_reduction {name} "
            f"by {self.split} at 0"
        )
        tiled = [str(s) for s in shape.sink_sizes(sink, knob("BM"), knob("BN"))]
        if sink is product:
            tiled = ["0", *tiled]
        onto = "[block.y, block.x]"
        lines.add(
            f"{sink.name}, last = tile {sink.name} by {without_tail(tiled)} onto {onto}"
        )
        lines.fuse_all(self.group.fused, "last", lines.shared)
        lines.add(f"{name}, sums = tile {name} by [1]")
        given = {shape.row: knob("BM"), shape.column: knob("BN")}
        for summed in shape.dims.k:
            given[summed] = "0"
        cut = without_tail(["1", *loop_sizes(product, given)])
        lines.add(f"part, grid = tile part by {cut} onto [block.z, block.y, block.x]")
        lines.add("start, grid = fuse start into grid")
        step = without_tail(
            ["0", *loop_sizes(product, {shape.dims.k[0]: knob("BK")}, "0")]
        )
        lines.add(f"part, k = tile part by {step}")
        if self.described:
            choose_loads(lines, self.shape, "grid")
        if self.work.thirds:
            choose_precision(lines, "grid")
        lines.add(f"launch grid warps = {knob('warps')}")
        lines.add(f"pipeline k stages = {knob('stages')}")
        lines.add("last_arriver last")
