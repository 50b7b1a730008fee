"""Tiles of a matmul with a factor that is stored transposed first.

Rows that do not begin at multiples of 16 bytes cannot be loaded in wide pieces. If the
factor's columns can, a kernel that transposes it first costs less than narrow loads.
The tensor cores read 32 bits along k only, so the right factor of f32 may pay for it
too.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE, WIDE_LOAD
from tilewright.ir.dialects.linalg import BatchMatmulOp, ContractOp, MatmulOp
from tilewright.planning.analysis.facts import Operand
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.memory import memory_seconds
from tilewright.planning.sketches.base import Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape, pitch_alignment
from tilewright.planning.sketches.matmuls.statements import SWAP, transpose_first
from tilewright.planning.sketches.matmuls.tiles import Tiles
from tilewright.planning.writing.lines import Lines


def side_to_transpose(shape: MatmulShape, target: Target) -> int | None:
    """The factor that is better read from a transposed copy, if there is one."""
    matmul = shape.matmul
    is_matrix = isinstance(matmul.op, MatmulOp | BatchMatmulOp)
    is_contraction = isinstance(matmul.op, ContractOp)
    if not (is_matrix or is_contraction) or len(shape.matmuls) != 1 or shape.is_open:
        return None
    if shape.group.prologues:
        return None
    if shape.alignment >= WIDE_LOAD or is_contraction:
        return _right_of_f32(shape, target)
    return _ragged_side(shape)


def _right_of_f32(shape: MatmulShape, target: Target) -> int | None:
    """The right factor of f32 that lies along its columns."""
    right = shape.matmul.inputs[1]
    tf32x3 = shape.factor == "f32" and target.multiplies_tf32x3
    across = right is shape.right and not shape.is_right_along_k
    if not tf32x3 or not across or shape.alignment < WIDE_LOAD:
        return None
    last = _last_of_copy(shape, 1)
    return None if last is None or pitch_alignment(right, last) < WIDE_LOAD else 1


def _last_of_copy(shape: MatmulShape, side: int) -> int | None:
    """The dimension of a factor that is the last of its transposed copy."""
    factor = shape.matmul.inputs[side]
    if not isinstance(shape.matmul.op, ContractOp):
        return -2 if len(factor.loops) > 1 else None
    summed = [dim for dim, loop in enumerate(factor.loops) if loop in shape.dims.k]
    return summed[0] if len(summed) == 1 and None not in factor.loops else None


def _ragged_side(shape: MatmulShape) -> int | None:
    """The only factor with ragged rows, if its columns are not ragged."""
    matmul = shape.matmul
    ragged = [
        side
        for side, operand in enumerate(matmul.inputs)
        if pitch_alignment(operand) < WIDE_LOAD
    ]
    if len(ragged) != 1 or len(matmul.inputs[ragged[0]].loops) < 2:
        return None
    columns = pitch_alignment(matmul.inputs[ragged[0]], dimension=-2)
    return ragged[0] if columns >= WIDE_LOAD else None


def transposing_seconds(factor: Operand, target: Target) -> float:
    """The time of the kernel that stores a factor transposed."""
    tiles = max(1, factor.elements // SWAP**2)
    tile_bytes = SWAP**2 * factor.element.byte_width
    return memory_seconds(2 * factor.bytes, tiles, tile_bytes, target)


class TransposedTiles(Tiles):
    """Two kernels: one stores a factor transposed, one multiplies."""

    label = "transposed"

    def __init__(self, group: Group, target: Target, shape: MatmulShape, side: int):
        super().__init__(group, target, shape)
        self.side = side
        self.factor = shape.matmul.inputs[side]
        others = [pitch_alignment(o) for o in shape.matmul.inputs if o != self.factor]
        last = _last_of_copy(shape, side)
        columns = LINE if last is None else pitch_alignment(self.factor, last)
        along = self.factor.loops[-1] in shape.dims.k
        self.work = replace(
            self.work,
            alignment=min([columns, *others]),
            along_columns=along if side == 1 else self.work.along_columns,
        )
        self.described = False
        self.summary = f"the {('left', 'right')[side]} factor transposed first, tiles"

    def seconds(self, point: Point) -> float:
        """Both kernels."""
        first = transposing_seconds(self.factor, self.target)
        return super().seconds(point) + first

    def write(self, lines: Lines) -> None:
        """Transpose the factor in a grid of its own, then as the tiles."""
        transpose_first(lines, self.shape.matmul, self.side)
        super().write(lines)
