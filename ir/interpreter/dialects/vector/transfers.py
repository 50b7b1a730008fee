"""vector.transfer_read and transfer_write: permutation, broadcast, masks, padding.

A lane is transferred if its mask is on and it lies inside the source. What is not read
is padding, what is not written keeps its place. A lane that the op promises to be in
bounds, and is not, is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.elementwise import choose
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.dialects.tensor.tensor_table import shape_of

TransferOp = TransferReadOp | TransferWriteOp


@dataclass(frozen=True)
class Tile:
    """The part of a source that a transfer touches, in the source's order of dims."""

    window: tuple[slice | int, ...]
    """Of the source: what is inside its bounds."""
    lanes: tuple[slice, ...]
    """Of the tile: the lanes that the window holds."""
    shape: tuple[int, ...]
    """Sizes of the dims that the vector has, in the source's order."""
    dims: tuple[int, ...]
    """Those dims."""
    is_whole: bool
    """Whether every lane is inside the source."""


def tile_of(
    op: TransferOp,
    source: Array,
    indices: Sequence[Value],
    vector_shape: Sequence[int],
    mask: Array | None,
) -> Tile:
    """The tile that a transfer touches, with its promises checked."""
    sizes: dict[int, int] = {}
    promised: dict[int, bool] = {}
    for expr, size, in_bounds in zip(
        op.permutation_map.data.results, vector_shape, op.in_bounds, strict=True
    ):
        if isinstance(expr, AffineDimExpr):
            sizes[expr.position] = size
            promised[expr.position] = bool(in_bounds)
    dims = tuple(sorted(sizes))
    window: list[slice | int] = []
    lanes: list[slice] = []
    for dim, (index, extent) in enumerate(zip(indices, source.shape, strict=True)):
        index = int(index)
        if dim not in sizes:
            if not 0 <= index < extent:
                fail(op, f"index {index} is outside dimension {dim} of {extent}")
            window.append(index)
            continue
        low = min(max(0, -index), sizes[dim])
        high = max(min(sizes[dim], extent - index), low)
        window.append(slice(index + low, index + high))
        lanes.append(slice(low, high))
        if promised[dim] and high - low < sizes[dim]:
            _check_promise(op, dims.index(dim), slice(low, high), mask, index, extent)
    shape = tuple(sizes[dim] for dim in dims)
    inside = tuple(lane.stop - lane.start for lane in lanes)
    return Tile(tuple(window), tuple(lanes), shape, dims, inside == shape)


def _check_promise(
    op: TransferOp,
    axis: int,
    inside: slice,
    mask: Array | None,
    index: int,
    extent: int,
) -> None:
    """Refuse an active lane outside of the source that is promised to be inside."""
    if mask is not None:
        before = np.take(mask, range(inside.start), axis)
        after = np.take(mask, range(inside.stop, mask.shape[axis]), axis)
        if not before.any() and not after.any():
            return
    fail(
        op,
        f"dimension {axis} is declared in bounds, but starts at {index} and runs past "
        f"the {extent} elements there are",
        "correct in_bounds, or mask the lanes that are outside",
    )


def transfer_read(
    interpreter: Interpreter,
    op: TransferReadOp,
    source: Array,
    *operands: Value,
) -> Results:
    """A vector from a source; broadcast dimensions stay views."""
    rank = len(op.indices)
    indices, padding = operands[:rank], operands[rank]
    mask = operands[rank + 1] if len(operands) > rank + 1 else None
    return (read(op, source, indices, padding, mask),)


def read(
    op: TransferReadOp,
    source: Array,
    indices: Sequence[Value],
    padding: Value,
    mask: Array | None,
) -> Array:
    """The vector, under a mask in the source's order of dimensions."""
    tile = tile_of(op, source, indices, shape_of(op.result.type), mask)
    if tile.is_whole:
        block = np.asarray(source[tile.window])
        if mask is None and isinstance(op.source.type, MemRefType):
            # A vector is a value: later writes to the buffer must not show in it.
            block = block.copy()
    else:
        block = np.full(tile.shape, padding, source.dtype)
        block[tile.lanes] = source[tile.window]
    if mask is not None:
        block = choose(mask.reshape(tile.shape), block, source.dtype.type(padding))
    return in_vector_order(op, block)


def in_vector_order(op: TransferReadOp, block: Array) -> Array:
    """A block of the source, or a mask for it, as the vector's lanes have it."""
    results = op.permutation_map.data.results
    order = [expr.position for expr in results if isinstance(expr, AffineDimExpr)]
    missing = [
        axis for axis, expr in enumerate(results) if not isinstance(expr, AffineDimExpr)
    ]
    # The block's dims ascend; `order` may skip some of the source's.
    block = block.reshape(block.shape if order else ())
    block = block.transpose([sorted(order).index(dim) for dim in order])
    if not missing:
        return block
    return np.broadcast_to(np.expand_dims(block, missing), shape_of(op.result.type))


def transfer_write(
    interpreter: Interpreter,
    op: TransferWriteOp,
    vector: Value,
    source: Array,
    *operands: Value,
) -> Results:
    """Write a vector into a buffer, or into a copy of a tensor."""
    rank = len(op.indices)
    mask = operands[rank] if len(operands) > rank else None
    return write(op, vector, source, operands[:rank], mask)


def write(
    op: TransferWriteOp,
    vector: Value,
    source: Array,
    indices: Sequence[Value],
    mask: Array | None,
) -> Results:
    """The write, under a mask in the source's order of dimensions."""
    value = np.asarray(vector)
    tile = tile_of(op, source, indices, value.shape, mask)
    order = [
        expr.position
        for expr in op.permutation_map.data.results
        if isinstance(expr, AffineDimExpr)
    ]
    # Loop dims ascend in the tile; the vector has them in the map's order.
    block = value.transpose(np.argsort(order) if order else ())[tile.lanes]
    target = source if op.result is None else source.copy()
    if mask is None:
        target[tile.window] = block
    else:
        lanes = mask.reshape(tile.shape)[tile.lanes]
        target[tile.window] = choose(lanes, block, target[tile.window])
    return () if op.result is None else (target,)
