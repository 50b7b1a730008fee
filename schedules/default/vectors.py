"""The vector sizes that the default gives the ops of one grid: powers of two.

A dot has a smallest size, and smaller tiles are padded up to it with masks. Ops that
share a tile with the dot must be padded alike: otherwise a value in registers would
have two sizes and go through memory between them. Tiles are identified by their
extents. So if a product pads a tile, every op with a tile of these extents pads it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import BlockArgument
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.structured.contractions import contraction_dims
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import tensor_type
from tilewright.schedules.default.tiles import (
    SMALLEST,
    factor_of,
    is_product,
    power_of_two,
    upper,
)
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.structured.tile.one_tile import loop_ranges

SMALLEST_K = 32
"""The smallest size of Triton's dot along k, in bytes."""


def vector_sizes(ops: Sequence[StructuredOp]) -> dict[StructuredOp, list[int]]:
    """The vector that covers each op of a grid."""
    extents = {op: [upper(e, op) for e in loop_ranges(op, OpList())] for op in ops}
    sizes = {op: _own_sizes(op, extents[op]) for op in ops}
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    changed = any(is_product(op) for op in ops)
    while changed:
        for op in ops:
            for loops in _operand_loops(op):
                tile = tuple(extents[op][loop] for loop in loops)
                own = tuple(sizes[op][loop] for loop in loops)
                known[tile] = tuple(map(max, own, known.get(tile, own)))
        changed = False
        for op in ops:
            for loops in _operand_loops(op):
                tile = tuple(extents[op][loop] for loop in loops)
                for loop, size in zip(loops, known[tile], strict=True):
                    changed = changed or size > sizes[op][loop]
                    sizes[op][loop] = max(size, sizes[op][loop])
    return sizes


def _own_sizes(op: StructuredOp, extents: Sequence[int]) -> list[int]:
    """The sizes that an op needs by itself: powers of two, at least a dot's sizes."""
    sizes = [power_of_two(extent) for extent in extents]
    for loop, size in _accumulated(op):
        sizes[loop] = max(sizes[loop], power_of_two(size))
    if not is_product(op):
        return sizes
    dims = contraction_dims(op)
    assert dims is not None
    for loops in (dims.m, dims.n):
        sizes[loops[-1]] = max(sizes[loops[-1]], SMALLEST)
    least = max(SMALLEST, SMALLEST_K // byte_width(factor_of(op)))
    innermost = dims.k[-1]
    sizes[innermost] = max(sizes[innermost], least)
    return sizes


def _accumulated(op: StructuredOp) -> Iterator[tuple[int, int]]:
    """Loops along a tile of partial results that a loop carries, and its extents.

    A vector covers the whole tile, even if a short row fills only part of it.
    """
    maps = list(op.maps)[len(op.inputs) :]
    for output, map_ in zip(op.outputs, maps, strict=True):
        cut = output.owner
        if not isinstance(cut, tensor.ExtractSliceOp):
            continue
        whole = cut.source
        is_carried = isinstance(whole, BlockArgument) and isinstance(
            whole.block.parent_op(), scf.ForOp
        )
        starts = [*cut.static_offsets.get_values()]
        if not is_carried or any(starts) or len(starts) != len(map_.results):
            continue
        for expr, extent in zip(
            map_.results, tensor_type(whole).get_shape(), strict=True
        ):
            if isinstance(expr, AffineDimExpr) and extent != DYNAMIC_INDEX:
                yield expr.position, extent


def _operand_loops(op: StructuredOp) -> Iterator[list[int]]:
    """For each operand, the loops that run over its dimensions."""
    for map_ in op.maps:
        loops = list(named_loops(map_))
        if loops and len(loops) == len(map_.results):
            yield loops
