"""Tiles of a matmul whose ragged factors are copied to padded rows first.

Rows that do not begin at multiples of 16 bytes cannot be loaded in wide pieces, and no
tensor descriptor can describe them. A copy whose rows begin at cache lines costs little
beside the matmul: each factor is read once to copy it, and many times to multiply it.
The result keeps its rows; if they are ragged, it is stored through pointers.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE, WIDE_LOAD
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.facts import Operand
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import Traffic, streaming_seconds
from tilewright.planning.sketches.base import Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape, pitch_alignment
from tilewright.planning.sketches.matmuls.tiles import Tiles
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import text

BLOCK = 4096
"""The elements of a tile of a copy."""
COLUMNS = 1024
"""The most columns of a tile of a copy."""
WARPS = 4
"""The warps of a program that copies."""


def ragged_factors(shape: MatmulShape) -> tuple[int, ...]:
    """The positions of the factors with ragged rows; none if they cannot be padded."""
    if len(shape.matmuls) != 1 or shape.is_open or shape.group.prologues:
        return ()
    if not shape.has_wide_rows():
        return ()
    ragged = [
        position
        for position, operand in enumerate(shape.matmul.inputs)
        if pitch_alignment(operand) < WIDE_LOAD
    ]
    factors = [shape.matmul.inputs[position] for position in ragged]
    if any(len(o.loops) < 2 or None in o.loops for o in factors):
        return ()
    return tuple(ragged)


def may_describe(shape: MatmulShape, target: Target) -> bool:
    """Whether tensor cores read the factors through descriptors, on this GPU."""
    return target.has_descriptors and shape.factor in target.tensor_flops


class PaddedTiles(Tiles):
    """A kernel for each ragged factor, which copies it, and one that multiplies."""

    label = "padded"

    def __init__(
        self,
        group: Group,
        target: Target,
        shape: MatmulShape,
        ragged: tuple[int, ...],
    ):
        super().__init__(group, target, shape)
        self.ragged = ragged
        factors = shape.matmul.inputs
        self.copied = list(
            {factors[side].value: factors[side] for side in ragged}.values()
        )
        others = [
            pitch_alignment(factor)
            for side, factor in enumerate(factors)
            if side not in ragged
        ]
        stored = [pitch_alignment(o) for sink in shape.sinks for o in sink.outputs]
        self.work = replace(
            self.work, alignment=min([LINE, *others]), stored_alignment=min(stored)
        )
        self.described = True
        # Stores through pointers use the memory of the stages, which are empty then.
        self.stages_results = self.work.stored_alignment >= WIDE_LOAD
        what = "both factors" if len(self.copied) > 1 else "a factor"
        self.summary = f"{what} copied to padded rows first, tiles"

    def seconds(self, point: Point) -> float:
        """The copies, and then the tiles."""
        copies = sum(self._copy_seconds(factor) for factor in self.copied)
        return super().seconds(point) + copies

    def _copy_seconds(self, factor: Operand) -> float:
        programs = -(-factor.elements // BLOCK)
        at_once = BLOCK * factor.element.byte_width
        traffic = Traffic(2 * factor.bytes, programs, WARPS, at_once)
        return streaming_seconds(traffic, self.target)

    def write(self, lines: Lines) -> None:
        """Copy each ragged factor in a grid of its own, then as the tiles."""
        name = self.shape.matmul.name
        sides = list(self.ragged)
        lines.do("pad_rows", name, "at", sides, "to", LINE, to=(name, "copies"))
        names = [f"copy{number}" for number in range(1, len(self.copied) + 1)]
        if len(names) > 1:
            lines.do("split_handle", "copies", to=names)
        else:
            names = ["copies"]
        for copy, factor in zip(names, self.copied, strict=True):
            lines.tile_op(copy, self._copy_tile(factor), f"{copy}_grid")
            lines.launch(f"{copy}_grid", warps=WARPS)
        super().write(lines)

    def _copy_tile(self, factor: Operand) -> list[int]:
        """Neighbouring elements of a few rows."""
        *outer, rows, columns = (
            self.shape.matmul.extents[i] for i in factor.loops if i is not None
        )
        wide = min(COLUMNS, power_of_two(columns))
        return [*([1] * len(outer)), min(BLOCK // wide, power_of_two(rows)), wide]

    def write_launch(self, lines: Lines) -> None:
        """Descriptors for the copies, pointers for rows that stay ragged."""
        lines.launch(**self.settings(lines), descriptors=text("where_legal"))
        lines.pipeline("k", stages=lines.knob("stages"))
