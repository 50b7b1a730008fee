"""Products: tiles on the tensor cores with the tail in registers, or the library."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with one product of matrices."""
    if len(group.contractions) != 1 or group.reductions:
        return ()
    product = group.contractions[0]
    dims = product.contraction
    assert dims is not None
    if len(dims.m) != 1 or len(dims.n) != 1 or len(dims.k) != 1 or len(dims.batch) > 1:
        return ()
    if group.prologues:
        return ()
    return [Tiles(group, target, product)]


class Tiles(Sketch):
    """A program for each tile of the result, with a loop over k."""

    label = "tiles"
    summary = "tiles of the result, a loop over k"

    def __init__(self, group: Group, target: Target, product: OpFacts):
        super().__init__(group, target)
        self.product = product
        dims = product.contraction
        assert dims is not None
        self.dims = dims
        self.m, self.n, self.k = (
            product.extents[loops[0]] for loops in (dims.m, dims.n, dims.k)
        )
        self.batch = product.count(dims.batch)

    def knobs(self) -> Sequence[Knob]:
        """Tile sizes that the shape can fill, warps and stages."""
        return [
            Knob("BM", _sizes(self.m, 16, 256)),
            Knob("BN", _sizes(self.n, 16, 256)),
            Knob("BK", _sizes(self.k, 16, 128)),
            Knob("warps", (4, 8)),
            Knob("stages", (2, 3, 4, 5)),
            Knob("group", (1, 8)),
        ]

    def requires(self) -> Sequence[str]:
        """Registers."""
        return ("BM * BN <= 128 * 256", "BM * BN <= 128 * 128 or warps == 8")

    def is_valid(self, point: Point) -> bool:
        """The conditions, and that the stages fit shared memory."""
        area = point["BM"] * point["BN"]
        width = self.product.inputs[0].element.byte_width
        staged = (point["BM"] + point["BN"]) * point["BK"] * width * point["stages"]
        fits = area <= 128 * 256 and (area <= 128 * 128 or point["warps"] == 8)
        return fits and staged <= self.target.shared_per_block

    def seconds(self, point: Point) -> float:
        """Waves of tiles, each at the rate that its shape allows."""
        tiles = -(-self.m // point["BM"]) * -(-self.n // point["BN"]) * self.batch
        waves = -(-tiles // self.target.sms)
        steps = -(-self.k // point["BK"])
        flops = 2 * point["BM"] * point["BN"] * point["BK"] * steps
        name = self.product.inputs[0].element.name
        rate = self.target.flops(name) / self.target.sms
        share = 0.75 * min(1.0, math.sqrt(point["BM"] * point["BN"]) / 160)
        share *= min(1.0, point["BK"] / 64) * min(1.0, (point["stages"] + 1) / 5)
        return 3e-6 + waves * (flops / (rate * share) + 1e-6)

    def write(self, lines: Lines) -> None:
        """Tile the sink, fuse the product and the rest, loop over k."""
        group, product = self.group, self.product
        sizes: list[str | int] = [1] * len(group.sink.extents)
        for loops, name in ((self.dims.m, "BM"), (self.dims.n, "BN")):
            axis = group.axis(product, loops[0])
            for loop in range(len(sizes)):
                if group.axis(group.sink, loop) == axis:
                    sizes[loop] = lines.knob(name)
        if group.sink is product:
            sizes[self.dims.k[0]] = 0
        lines.tile_sink(group, sizes, "grid")
        lines.fuse_all(group.ops[:-1], "grid", lines.shared)
        steps: list[str] = ["0"] * len(product.extents)
        steps[self.dims.k[0]] = lines.knob("BK")
        listed = ", ".join(steps)
        lines.add(f"{product.name}, k = tile {product.name} by [{listed}]")
        knob = lines.knob
        launched = f"warps = {knob('warps')}"
        if self.batch == 1:
            launched += f" group = {knob('group')}"
        lines.add(f"launch grid {launched}")
        lines.add(f"pipeline k stages = {knob('stages')}")


def _sizes(extent: int, least: int, most: int) -> tuple[int, ...]:
    """The powers of two from `least` that an extent can fill."""
    cover = max(least, 1 << (extent - 1).bit_length())
    sizes = [s for s in (16, 32, 64, 128, 256) if least <= s <= min(cover, most)]
    return tuple(sizes)
