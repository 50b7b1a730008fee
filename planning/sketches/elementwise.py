"""Element-wise kernels: one pass over the data, tiles of a few thousand elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import memory_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group without reductions."""
    if any(facts.reduced for facts in group.ops) or not group.sink.extents:
        return ()
    if len(group.sink.extents) > 3:
        return ()
    return [Tiles(group, target)]


class Tiles(Sketch):
    """Tiles along the innermost two loops."""

    label = "tiles"
    summary = "tiles of the innermost loops"

    def knobs(self) -> Sequence[Knob]:
        """The tile's elements and the warps."""
        extents = self.group.sink.extents
        whole = 1 << (math.prod(extents) - 1).bit_length()
        sizes = tuple(s for s in (1024, 2048, 4096, 8192) if s <= max(whole, 1024))
        return [Knob("block", sizes), Knob("warps", (4, 8))]

    def sizes(self, block: int) -> list[int]:
        """The tile of each loop: as much of the innermost ones as fits."""
        left = block
        found: list[int] = []
        for extent in reversed(self.group.sink.extents):
            size = min(left, 1 << (extent - 1).bit_length())
            found.insert(0, size)
            left = max(left // size, 1)
        return found

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth."""
        moved = sum(o.bytes for o in self.group.outside_inputs())
        moved += self.group.sink.written_bytes
        total = math.prod(self.group.sink.extents)
        programs = -(-total // point["block"])
        tile = moved * point["block"] // max(total, 1)
        return memory_seconds(moved, programs, tile, self.target)

    def write(self, lines: Lines) -> None:
        """Tile the sink, fuse the rest."""
        inner = self.group.sink.extents[-1]
        block = lines.knob("block")
        columns = min(8192, 1 << (inner - 1).bit_length())
        if len(self.group.sink.extents) == 1:
            sizes: list[str | int] = [block]
        else:
            lines.add(f"columns{lines.suffix} = min({block}, {columns})")
            lines.add(f"rows{lines.suffix} = {block} / columns{lines.suffix}")
            outer: list[str | int] = [1] * (len(self.group.sink.extents) - 2)
            sizes = [*outer, f"rows{lines.suffix}", f"columns{lines.suffix}"]
        lines.tile_sink(self.group, sizes, "grid")
        lines.fuse_all(self.group.ops[:-1], "grid", lines.shared)
        lines.add(f"launch grid warps = {lines.knob('warps')}")
