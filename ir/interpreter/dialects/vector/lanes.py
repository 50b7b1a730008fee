"""vector: shapes and lanes, all of them values; where numpy can, a view."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerType

from tilewright.ir.dialects.vector import (
    POISON,
    BitcastOp,
    BroadcastOp,
    DeinterleaveOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    ShuffleOp,
    StepOp,
    ToElementsOp,
    TransposeOp,
)
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.elementwise import cast, typed
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value
from tilewright.ir.interpreter.core.windows import checked_window, mixed_values
from tilewright.ir.interpreter.dialects.tensor.tensor_table import shape_of
from tilewright.ir.types import vector_type


def broadcast(interpreter: Interpreter, op: BroadcastOp, source: Value) -> Results:
    """Repeat along leading and unit dimensions; a view."""
    dtype = numpy_dtype(op.vector.type)
    return (np.broadcast_to(np.asarray(source, dtype), shape_of(op.vector.type)),)


def transpose(interpreter: Interpreter, op: TransposeOp, source: Value) -> Results:
    """Permute the dimensions; a view."""
    return (np.asarray(source).transpose(op.order),)


def shape_cast(interpreter: Interpreter, op: ShapeCastOp, source: Value) -> Results:
    """Another shape, elements in row-major order."""
    return (np.asarray(source).reshape(shape_of(op.result.type)),)


def bitcast(interpreter: Interpreter, op: BitcastOp, source: Value) -> Results:
    """The same bits; the first of two narrow lanes is the low half of a wide one."""
    shape = shape_of(op.result.type)
    rows = np.ascontiguousarray(np.atleast_1d(source))
    if op.source.type == op.result.type:
        return (rows.reshape(shape),)
    # numpy keeps an i1 in a byte of its own.
    if vector_type(op.source).element_type == IntegerType(1):
        rows = np.packbits(rows, axis=-1, bitorder="little")
    if vector_type(op.result).element_type == IntegerType(1):
        bits = np.unpackbits(rows.view(np.uint8), axis=-1, bitorder="little")
        return (bits.astype(np.bool_).reshape(shape),)
    return (rows.view(numpy_dtype(op.result.type)).reshape(shape),)


def extract(
    interpreter: Interpreter, op: ExtractOp, source: Value, *dynamic: Value
) -> Results:
    """A lane or a slice, by its leading indices."""
    values = np.asarray(source)
    position = mixed_values(op.static_position, iter(dynamic))
    # What is nowhere is poison: any value will do.
    position = [0 if index == POISON else index for index in position]
    ones = [1] * len(position)
    checked_window(op, values.shape[: len(position)], position, ones, ones)
    return (typed(np.asarray(values[tuple(position)]), op.result.type),)


def insert(
    interpreter: Interpreter,
    op: InsertOp,
    source: Value,
    dest: Value,
    *dynamic: Value,
) -> Results:
    """A copy with a lane or a slice replaced."""
    result = np.array(dest)
    position = mixed_values(op.static_position, iter(dynamic))
    if POISON in position:
        return (result,)
    ones = [1] * len(position)
    checked_window(op, result.shape[: len(position)], position, ones, ones)
    result[tuple(position)] = source
    return (result,)


def extract_strided_slice(
    interpreter: Interpreter, op: ExtractStridedSliceOp, source: Array
) -> Results:
    """A box; a view."""
    return (source[op.window],)


def insert_strided_slice(
    interpreter: Interpreter, op: InsertStridedSliceOp, source: Value, dest: Array
) -> Results:
    """A copy with a box replaced."""
    result = np.array(dest)
    result[op.window] = source
    return (result,)


def from_elements(
    interpreter: Interpreter, op: FromElementsOp, *elements: Value
) -> Results:
    """The given scalars in row-major order."""
    of = op.dest.type
    return (np.asarray(elements, numpy_dtype(of)).reshape(shape_of(of)),)


def to_elements(interpreter: Interpreter, op: ToElementsOp, source: Value) -> Results:
    """The scalars in row-major order."""
    element = vector_type(op.source).element_type
    return tuple(cast(value, element) for value in np.asarray(source).reshape(-1))


def shuffle(
    interpreter: Interpreter, op: ShuffleOp, first: Value, second: Value
) -> Results:
    """Rows of both by their numbers; poison is the first row, as good as any."""
    rows = np.concatenate([np.atleast_1d(first), np.atleast_1d(second)])
    return (rows[[0 if pick == POISON else pick for pick in op.picks]],)


def interleave(
    interpreter: Interpreter, op: InterleaveOp, lhs: Value, rhs: Value
) -> Results:
    """Lanes in turn, along the last dimension."""
    pairs = np.stack([np.asarray(lhs), np.asarray(rhs)], axis=-1)
    return (pairs.reshape(shape_of(op.result.type)),)


def deinterleave(
    interpreter: Interpreter, op: DeinterleaveOp, source: Array
) -> Results:
    """The even and the odd lanes; views."""
    return (source[..., ::2], source[..., 1::2])


def step(interpreter: Interpreter, op: StepOp) -> Results:
    """The lanes' numbers."""
    (size,) = shape_of(op.result.type)
    return (np.arange(size, dtype=np.int64),)
