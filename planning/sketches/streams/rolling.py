"""One loop along the dimension that carries running values: the rolling form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tilewright.codegen.analysis.lost_operands import FEWEST_ROWS
from tilewright.codegen.targets import Target
from tilewright.ir.phrases import in_units
from tilewright.ir.powers import power_of_two
from tilewright.planning.model.streams import (
    StreamTile,
    resident,
    stream_seconds,
)
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.matmuls.statements import choose_precision
from tilewright.planning.sketches.streams.shape import StreamShape
from tilewright.planning.writing.lines import Lines, action, merged
from tilewright.planning.writing.terms import Term, text

SHORT_SECONDS = 30e-6
"""Shorter kernels gain nothing from descriptors, which a launch has to make."""


class RollingStream(Sketch):
    """A program for some rows; its loop visits the tiles that a mask does not empty."""

    label = "streamed"

    def __init__(self, shape: StreamShape, target: Target, *, cuts: bool):
        super().__init__(shape.group, target)
        self.shape = shape
        self.cuts = cuts
        """Whether the loop leaves out empty tiles, and whole tiles have no mask."""
        if shape.masks and not cuts:
            self.label = "streamed_whole"
            self.is_spare = True
        saved = in_units(shape.between_bytes, "B")
        self.summary = (
            f"one loop along {shape.stream.length} elements with running values, "
            f"corrected as they change; {saved} in between are not stored"
        )
        self.work = shape.work(target)
        if not cuts:
            self.work = replace(self.work, share=1.0)

    def knobs(self) -> Sequence[Knob]:
        """Rows, columns of an iteration, warps and stages."""
        rows = [s for s in (16, 32, 64, 128) if s <= max(16, _cover(self.shape.rows))]
        if self.shape.rows < 16:
            rows = [_cover(self.shape.rows)]
        cover = max(16, _cover(self.shape.stream.length))
        columns = [size for size in (16, 32, 64, 128) if size <= cover]
        if self.shape.rows == 1 and len(columns) > 1:
            # The default pads tiles by their shapes, and must tell these two apart.
            columns = [size for size in columns if size != self.shape.features]
        return [
            Knob("BM", tuple(rows)),
            Knob("BN", tuple(columns)),
            Knob("warps", (1, 2, 4, 8)),
            Knob("stages", (1, 2, 3, 4)),
        ]

    def is_valid(self, point: Point) -> bool:
        """Registers and shared memory hold a tile, and no left factor is lost."""
        if self.shape.is_left_computed and self._is_lost(point):
            return False
        return resident(self.work, _tile(point), self.target) > 0

    def points(self) -> Iterator[Point]:
        """The points of the model's pick: a warp has 16 rows, or 32 of many.

        Where rows are few, the warps share the columns, and each has 16 of them.
        """
        length = max(16, _cover(self.shape.stream.length))
        for point in super().points():
            rows, warps = point["BM"], point["warps"]
            if rows < 16 and point["BN"] < min(16 * warps, length):
                continue
            usual = (rows // 16, rows // 32) if rows >= 64 else (rows // 16, 4)
            if self.work.tf32x3:
                usual = (rows // 16,)
            if warps in usual and point["stages"] > 1:
                yield point

    def seconds(self, point: Point) -> float:
        """The model's estimate, with the rows in registers or not."""
        shared, held = self._seconds(point)
        return min(shared, held)

    def _seconds(self, point: Point) -> tuple[float, float]:
        """The estimates with the rows in shared memory, and in registers."""
        tile = _tile(point)
        shared = stream_seconds(self.work, tile, self.target)
        if not self._can_hold(point):
            return shared, math.inf
        tile = replace(tile, held=True)
        return shared, stream_seconds(self.work, tile, self.target)

    def _can_hold(self, point: Point) -> bool:
        """Whether the rows can be in registers (`codegen/passes/hold_operands.py`)."""
        return self._holds and not self._is_lost(point)

    def _is_lost(self, point: Point) -> bool:
        """Whether the assembler would lose the rows, if they are in registers.

        Two left factors of one shape need a last loop of one iteration: see
        `codegen/analysis/lost_operands.py`.
        """
        is_one = self.shape.summed == point["BN"] and point["BM"] >= FEWEST_ROWS
        is_last = bool(self.shape.masks) and self.cuts and point["BM"] == point["BN"]
        return is_one and not is_last

    @property
    def _holds(self) -> bool:
        """Whether the left factor of the first matmul may be in registers."""
        return self.shape.is_held and self.target.matrix_instructions == "wgmma"

    def write(self, lines: Lines) -> None:
        """Tile the rows, fuse the chain, stream it, and cut the loop by its masks."""
        knob = lines.knob
        group, stream = self.group, self.shape.stream
        own = [facts for facts in group.ops if facts not in lines.shared]
        exponentials = [f for f in group.exponentials if f in own]
        if exponentials:
            lines.do("exp2", merged(exponentials))
        lines.tile_sink(group, self.shape.sizes(group.sink, self.rows(lines)), "grid")
        rest = [facts for facts in own if facts not in group.sinks]
        lines.merge("rest", rest)
        lines.do("fuse_all", "rest", "into", "grid", to=("rest", "grid"))
        lines.include("clean", "grid")
        if stream.length == self.shape.features:
            # Fills of equal tiles became one, and each reduction starts from its own.
            lines.do("patterns", "grid", ["tilewright.own_fills"])
        lines.do("stream", "grid", "by", knob("BN"), to=("sums", "loop"))
        if len(own) < len(group.ops):
            # What is computed again is computed for a slice in the loop, not for the
            # rows around it.
            lines.do(
                "patterns", "grid", ["tensor.merge_consecutive_insert_extract_slice"]
            )
        self.write_loop(lines)
        if self.shape.masks and self.cuts:
            # Tiles may be too large for whole ones, or a row may need them all.
            with lines.suppress("grid"):
                lines.rewrite("trim", "loop")
                if self.shape.ends_longer:
                    # The longest loops of a mask come last: they start first. There
                    # are none where the loop was not trimmed: its handle is empty.
                    lines.do("parent", "loop", text("scf.forall"), to=("longer",))
                    lines.do("launch", "longer", reversed=1)
                self.write_trimmed(lines)
                lines.do("split_by_mask", "loop")
        else:
            self.write_trimmed(lines)
        self.write_launch(lines)

    def rows(self, lines: Lines) -> Term:
        """The rows of a program."""
        return lines.knob("BM")

    def write_loop(self, lines: Lines) -> None:
        """How deep the loop is pipelined."""
        lines.pipeline("loop", stages=lines.knob("stages"))

    def write_trimmed(self, lines: Lines) -> None:
        """What happens to a loop that leaves out empty tiles; here nothing."""

    @property
    def _is_long(self) -> bool:
        """Whether descriptors may pay."""
        best = min(self.points(), key=self.seconds, default=None)
        return best is not None and self.seconds(best) > SHORT_SECONDS

    def write_launch(self, lines: Lines) -> None:
        """Warps, and descriptors where they can load the factors.

        Factors of f32 pass through registers, which split them: pointers load them.
        """
        lines.launch()
        if self.work.tf32x3:
            choose_precision(lines, "grid")
            return
        if self._holds:
            shared, held = self._seconds(min(self.points(), key=self.seconds))
            default = "registers" if held < shared else "shared"
            kept = action("launch", "grid", held=text("where_legal"))
            lines.choose("held", {"shared": None, "registers": kept}, default)
        if not (self.target.has_descriptors and self.shape.is_described):
            return
        default = "descriptors" if self._is_long else "pointers"
        described = action("launch", "grid", descriptors=text("where_legal"))
        lines.choose("loads", {"pointers": None, "descriptors": described}, default)


def _tile(point: Point) -> StreamTile:
    return StreamTile(point["BM"], point["BN"], point["warps"], point["stages"])


def _cover(extent: int) -> int:
    return power_of_two(max(1, extent))
