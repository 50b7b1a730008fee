"""Sums by lanes: matmuls with few rows, where memory streams one factor.

A program takes some columns. Each lane multiplies and adds its own elements of the
large factor, and the lanes are added at the end: no tile of a tensor core is padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.powers import power_of_two
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.matmuls import stream_seconds
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import loop_sizes
from tilewright.planning.sketches.matmuls.tiles import sizes
from tilewright.planning.writing.lines import Lines, trimmed
from tilewright.planning.writing.terms import Term

MOST_ROWS = 2
"""The rows of the small factor: each has its own sums in registers."""
MOST_VECTOR_ROWS = 8
"""The same without tensor cores, where libraries stream such a factor at a third of the
memory's rate."""
STEP = 512
"""The elements of a row of the large factor that are summed in one step."""
SHORT_STEP = 128
"""The same with more than `MOST_ROWS` rows: a program has more columns then, and these
share the elements of the small factor."""
ELEMENTS = 32
"""The elements of the large factor that a thread multiplies in one step."""
SUMS = 64
"""The sums of a thread with more than `MOST_ROWS` rows."""


def long_loop(shape: MatmulShape, *, on_tensor_cores: bool) -> int | None:
    """The loop along columns, if sums by lanes suit the matmul.

    All other parallel loops together are short, and the large factor lies along the
    sum: where it lies along its columns, tiles of 16 rows are faster.
    """
    matmul = shape.matmul
    if len(shape.matmuls) != 1 or len(shape.dims.k) != 1 or shape.is_open:
        return None
    if shape.group.prologues or shape.dims.batch or not shape.runs_as_sink:
        return None
    longest = max(matmul.parallel, key=lambda loop: matmul.extents[loop])
    others = [loop for loop in matmul.parallel if loop != longest]
    most = MOST_ROWS if on_tensor_cores else MOST_VECTOR_ROWS
    if matmul.count(others) > most or len(others) > 1:
        return None
    for operand in matmul.inputs:
        if longest in operand.loops:
            return longest if operand.loops[-1] in shape.dims.k else None
    return None


class LaneSums(Sketch):
    """Programs of a few columns, each with a sum for every lane."""

    label = "lanes"
    summary = "a sum for every lane, a loop over k"

    def __init__(self, group: Group, target: Target, shape: MatmulShape, column: int):
        super().__init__(group, target)
        self.shape = shape
        self.column = column
        matmul = shape.matmul
        self.k = shape.dims.k[0]
        self.rows = matmul.count([i for i in matmul.parallel if i != column])
        self.columns = matmul.extents[column]
        self.has_few = self.rows <= MOST_ROWS
        self.step = sizes(shape.k, 64, STEP if self.has_few else SHORT_STEP)[-1]

    def knobs(self) -> Sequence[Knob]:
        """Columns, warps and stages; the step is not open."""
        return [
            Knob("BN", sizes(self.columns, 1, 16)),
            Knob("warps", (1, 2, 4, 8)),
            Knob("stages", (1, 2, 3, 4)),
        ]

    def points(self) -> Iterator[Point]:
        """Points that fill the registers of a thread, in three stages."""
        wanted = ELEMENTS if self.has_few else SUMS // power_of_two(self.rows)
        for point in super().points():
            held = point["BN"] * self.step // (32 * point["warps"])
            if held == wanted and point["stages"] == 3:
                yield point
        if self.columns < 2 or self.step < STEP:
            yield {"BN": 1, "warps": 1, "stages": 3}

    def seconds(self, point: Point) -> float:
        """Bytes over bandwidth, as far as enough of them are in flight."""
        programs = -(-self.columns // point["BN"])
        staged = point["BN"] * self.step * self.shape.width * (point["stages"] - 1)
        seconds = stream_seconds(self.shape.moved_bytes, programs, staged, self.target)
        # Between equals, four warps.
        return seconds * (1 + 0.01 * abs(point["warps"] - 4))

    def write(self, lines: Lines) -> None:
        """Tile the sink, reduce lane by lane."""
        shape, sink, matmul = self.shape, self.group.sink, self.shape.matmul
        given: dict[int, Term] = {i: matmul.extents[i] for i in matmul.parallel}
        given[self.column] = lines.knob("BN")
        by_axis = {shape.group.axis(matmul, loop): given[loop] for loop in given}
        tiled = [
            by_axis.get(shape.group.axis(sink, loop), 0)
            for loop in range(len(sink.extents))
        ]
        name = matmul.name
        lines.rewrite("generalize", name)
        lines.tile_sink(self.group, tiled, "grid")
        lines.fuse_all(self.group.fused, "grid")
        steps = trimmed(loop_sizes(matmul, {self.k: self.step}, 0))
        lines.tile_reduction(name, steps, "zeros", "total", "k")
        lines.launch()
        lines.pipeline("k", stages=lines.knob("stages"))
