"""vector: shapes, lanes, plain loads and stores, and the dialect's table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import vector
from tilewright.ir.dialects.vector import (
    ConstantMaskOp,
    ContractOp,
    MaskOp,
    MultiReductionOp,
    ShapeCastOp,
    TransposeOp,
    YieldOp,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.elementwise import elementwise, in_f32
from tilewright.ir.interpreter.masks import mask
from tilewright.ir.interpreter.math import fused_multiply_add
from tilewright.ir.interpreter.registry import Interpreter, Results, Table, Value
from tilewright.ir.interpreter.tensor import shape_of, yields
from tilewright.ir.interpreter.transfers import transfer_read, transfer_write
from tilewright.ir.interpreter.vector_reductions import (
    contract,
    multi_reduction,
    reduction,
    typed,
)
from tilewright.ir.interpreter.windows import checked_window, mixed_values


def broadcast(
    interpreter: Interpreter, op: vector.BroadcastOp, source: Value
) -> Results:
    """Repeat along leading and unit dimensions; a view."""
    return (np.broadcast_to(source, shape_of(op.vector.type)),)


def transpose(interpreter: Interpreter, op: TransposeOp, source: Array) -> Results:
    """Permute the dimensions; a view."""
    return (source.transpose(op.order),)


def shape_cast(interpreter: Interpreter, op: ShapeCastOp, source: Array) -> Results:
    """Another shape, elements in row-major order."""
    return (source.reshape(shape_of(op.result.type)),)


def create_mask(
    interpreter: Interpreter, op: vector.CreateMaskOp, *sizes: Value
) -> Results:
    """A box at the origin; a size past the vector's, or negative, is brought in."""
    return (_box(shape_of(op.mask_vector.type), sizes),)


def constant_mask(interpreter: Interpreter, op: ConstantMaskOp) -> Results:
    """A box at the origin, of a size that the op holds itself."""
    return (_box(shape_of(op.result.type), op.sizes),)


def _box(shape: tuple[int, ...], sizes: Sequence[Value]) -> Array:
    lanes = np.zeros(shape, np.bool_)
    lanes[tuple(slice(0, max(0, int(size))) for size in sizes)] = True
    return lanes


def extract(
    interpreter: Interpreter, op: vector.ExtractOp, source: Array, *dynamic: Value
) -> Results:
    """A lane or a slice, by its leading indices."""
    position = mixed_values(op.static_position, iter(dynamic))
    checked_window(
        op, source.shape[: len(position)], position, *[[1] * len(position)] * 2
    )
    return (typed(source[tuple(position)], op.result.type),)


def insert(
    interpreter: Interpreter,
    op: vector.InsertOp,
    source: Value,
    dest: Array,
    *dynamic: Value,
) -> Results:
    """A copy with a lane or a slice replaced."""
    position = mixed_values(op.static_position, iter(dynamic))
    checked_window(
        op, dest.shape[: len(position)], position, *[[1] * len(position)] * 2
    )
    result = dest.copy()
    result[tuple(position)] = source
    return (result,)


def load(
    interpreter: Interpreter, op: vector.LoadOp, source: Array, *indices: Value
) -> Results:
    """A vector from the innermost dimensions of a buffer."""
    return (source[_innermost(op, source, indices, op.result.type)].copy(),)


def store(
    interpreter: Interpreter,
    op: vector.StoreOp,
    value: Array,
    target: Array,
    *indices: Value,
) -> Results:
    """A vector into the innermost dimensions of a buffer."""
    target[_innermost(op, target, indices, op.vector.type)] = value
    return ()


def _innermost(
    op: Operation, of: Array, indices: Sequence[Value], vector_type: Attribute
) -> tuple[slice | int, ...]:
    shape = shape_of(vector_type)
    outer = of.ndim - len(shape)
    sizes = [*[1] * outer, *shape]
    window = checked_window(op, of.shape, indices, sizes, [1] * of.ndim)
    return tuple(s.start if d < outer else s for d, s in enumerate(window))


TABLE: Table = {
    vector.TransferReadOp: transfer_read,
    vector.TransferWriteOp: transfer_write,
    vector.BroadcastOp: broadcast,
    vector.CreateMaskOp: create_mask,
    ConstantMaskOp: constant_mask,
    vector.ReductionOp: reduction,
    vector.FMAOp: elementwise(in_f32(fused_multiply_add)),
    vector.ExtractOp: extract,
    vector.InsertOp: insert,
    vector.LoadOp: load,
    vector.StoreOp: store,
    ContractOp: contract,
    MultiReductionOp: multi_reduction,
    TransposeOp: transpose,
    ShapeCastOp: shape_cast,
    MaskOp: mask,
    YieldOp: yields,
}
