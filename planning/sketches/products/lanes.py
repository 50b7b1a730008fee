"""Sums by lanes: products with few rows, where memory streams one large factor.

A program takes some columns. Each lane multiplies and adds its own elements of the
large factor, and the lanes are added at the end: no tile of a tensor core is padded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import Operand
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.products import stream_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.products.shape import ProductShape
from tilewright.planning.sketches.products.statements import loop_sizes, without_tail
from tilewright.planning.sketches.products.tiles import sizes
from tilewright.planning.writing.lines import Lines

MOST_ROWS = 4
"""The rows of the small factor: each has its own sums in registers."""
MOST_HELD = 64
"""The sums of a thread."""


def steps(shape: ProductShape, column: int, parts: int = 1) -> tuple[int, ...]:
    """The steps along k worth a look: long where the factor lies along k."""
    length = shape.k // parts
    streamed = next(o for o in shape.product.inputs if column in o.loops)
    if streamed.loops[-1] in shape.dims.k:
        return sizes(length, 256, 4096)[-3:]
    return sizes(length, 16, 256)[-4:]


def long_loop(shape: ProductShape) -> int | None:
    """The loop along columns, if all other parallel loops together are short."""
    product = shape.product
    if len(shape.products) != 1 or len(shape.dims.k) != 1 or shape.is_open:
        return None
    if shape.group.prologues or shape.dims.batch or not shape.runs_as_sink:
        return None
    longest = max(product.parallel, key=lambda loop: product.extents[loop])
    others = [loop for loop in product.parallel if loop != longest]
    if product.count(others) > MOST_ROWS or len(others) > 1:
        return None
    return longest


class LaneSums(Sketch):
    """Programs of a few columns, each with a sum for every lane."""

    def __init__(
        self,
        group: Group,
        target: Target,
        shape: ProductShape,
        column: int,
        step: int,
        parts: int = 1,
    ):
        super().__init__(group, target)
        self.shape = shape
        self.column = column
        self.step = step
        self.parts = parts
        product = shape.product
        self.k = shape.dims.k[0]
        self.rows = product.count([i for i in product.parallel if i != column])
        self.columns = product.extents[column]
        self.is_along_k = self.streamed().loops[-1] == self.k
        self.label = "lanes" if parts == 1 else f"lanes_{parts}"
        self.summary = "a sum for every lane"
        if parts > 1:
            self.summary += f", in {parts} parts added by the last to arrive"

    def streamed(self) -> Operand:
        """The large factor."""
        for operand in self.shape.product.inputs:
            if self.column in operand.loops:
                return operand
        raise ValueError("no factor runs along the columns")

    @property
    def length(self) -> int:
        """The sum of one part."""
        return self.shape.k // self.parts

    def knobs(self) -> Sequence[Knob]:
        """Columns, as many as make whole cache lines where the factor lies so."""
        least, most = (1, 16) if self.is_along_k else (32, 512)
        return [
            Knob("BN", sizes(self.columns, least, most)),
            Knob("warps", (2, 4, 8)),
            Knob("stages", (1, 2, 3, 4)),
        ]

    def requires(self) -> Sequence[str]:
        """Registers hold the sums of all lanes."""
        rows = "" if self.rows == 1 else f"{self.rows} * "
        return (f"{rows}BN * {self.step} <= {32 * MOST_HELD} * warps",)

    def is_valid(self, point: Point) -> bool:
        """Registers, and shared memory for the stages."""
        held = self.rows * point["BN"] * self.step
        staged = point["BN"] * self.step * self.shape.width * point["stages"]
        few = held > 32 * MOST_HELD * point["warps"]
        return not few and staged <= self.target.shared_per_block // 2

    def points(self) -> Iterator[Point]:
        """Points with at least eight elements for each thread: 16-byte loads."""
        for point in super().points():
            tile = point["BN"] * self.step
            if tile * self.shape.width >= 32 * 16 * point["warps"]:
                yield point

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth, as far as enough of them are in flight."""
        programs = self.parts * -(-self.columns // point["BN"])
        tile = point["BN"] * self.step * self.shape.width
        lines = 1.0
        if not self.is_along_k:
            lines = min(1.0, point["BN"] * self.shape.width / 128)
        return stream_seconds(
            self.shape.moved_bytes,
            programs,
            tile,
            point["warps"],
            point["stages"],
            math.ceil(self.length / self.step),
            self.parts,
            lines,
            self.target,
        )

    def write(self, lines: Lines) -> None:
        """Split the sum where it is, tile the sink, reduce lane by lane."""
        shape, sink, name = self.shape, self.group.sink, self.shape.product.name
        knob = lines.knob
        product = shape.product
        rows = {i: str(product.extents[i]) for i in product.parallel}
        given: dict[int | None, str] = {**rows, self.column: knob("BN"), self.k: "0"}
        by_axis = {shape.group.axis(product, loop): given[loop] for loop in rows}
        tiled = [
            by_axis.get(shape.group.axis(sink, loop), "0")
            for loop in range(len(sink.extents))
        ]
        axes = ["block.z", "block.y", "block.x"][-len(product.parallel) :]
        part, grid = name, "grid"
        if self.parts > 1:
            part, grid = "part", "last"
            lines.add(
                f"partial, start, part, {name} = split_reduction {name} "
                f"by {self.parts} at 0"
            )
            if sink is product:
                tiled = ["0", *tiled]
        else:
            lines.add(f"{name} = generalize {name}")
        sizes_of_sink = without_tail(tiled)
        order = self.order()
        if self.parts == 1 and order is not None:
            lines.add(f"{name} = interchange {name} to {order}")
            if sink is product:
                sizes_of_sink = without_tail([tiled[loop] for loop in order])
        lines.add(
            f"{sink.name}, {grid} = tile {sink.name} by {sizes_of_sink} "
            f"onto [{', '.join(axes)}]"
        )
        lines.fuse_all(self.group.ops[:-1], grid, lines.shared)
        steps = loop_sizes(product, {self.k: str(self.step)}, "0")
        if order is not None:
            steps = [steps[loop] for loop in order]
        if self.parts > 1:
            lines.add(f"{name}, sums = tile {name} by [1]")
            cut = without_tail(["1", *loop_sizes(product, given)])
            onto = ", ".join(["block.z", "block.y", "block.x"][-len(axes) - 1 :])
            lines.add(f"part, grid = tile part by {cut} onto [{onto}]")
            lines.add("start, grid = fuse start into grid")
            if order is not None:
                shifted = [0, *(loop + 1 for loop in order)]
                lines.add(f"part = interchange part to {shifted}")
            steps = ["0", *steps]
        lines.add(
            f"zeros, {part}, total, k = tile_reduction {part} by [{', '.join(steps)}]"
        )
        lines.add(f"launch grid warps = {knob('warps')}")
        lines.add(f"pipeline k stages = {knob('stages')}")
        if self.parts > 1:
            lines.add("last_arriver last")

    def order(self) -> list[int] | None:
        """The loops with the columns innermost, where the factor lies along them."""
        if self.is_along_k:
            return None
        product = self.shape.product
        others = [
            i for i in range(len(product.extents)) if i not in (self.k, self.column)
        ]
        order = [*others, self.k, self.column]
        return None if order == list(range(len(order))) else order
