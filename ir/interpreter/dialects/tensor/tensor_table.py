"""tensor: immutable values; a slice is a view, an insertion a copy."""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import memref, tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, groups_of
from tilewright.ir.dtypes import Array, element
from tilewright.ir.interpreter.core.elementwise import cast
from tilewright.ir.interpreter.core.memory_limit import check_room
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.shapes import checked_size, fitting, shape_of, sized
from tilewright.ir.interpreter.core.windows import (
    checked_indices,
    dropped_dims,
    mixed_values,
    window_of,
)
from tilewright.ir.interpreter.dialects.arith.casts import bitcast


def uninitialized(
    interpreter: Interpreter, of: Attribute, dynamic: tuple[Value, ...]
) -> Array:
    """New memory of a type's shape, as `filled` has it."""
    return filled(interpreter, of, sized(of, dynamic))


def filled(interpreter: Interpreter, of: Attribute, shape: tuple[int, ...]) -> Array:
    """New memory: zeros, or poison if the options ask for it."""
    row = element(of)
    check_room(shape, row.byte_width)
    if not interpreter.options.poison_uninitialized:
        return np.zeros(shape, row.numpy)
    if row.is_float:
        return np.full(shape, np.nan, row.numpy)
    if row.name == "i1":
        return np.ones(shape, np.bool_)
    return np.full(shape, np.iinfo(row.numpy).max, row.numpy)


def empty(interpreter: Interpreter, op: tensor.EmptyOp, *sizes: Value) -> Results:
    """A tensor of unspecified contents."""
    of = op.tensor.type
    return (filled(interpreter, of, checked_size(op, of, sizes)),)


def splat(
    interpreter: Interpreter, op: tensor.SplatOp, value: Value, *sizes: Value
) -> Results:
    """One scalar everywhere."""
    return (np.broadcast_to(value, checked_size(op, op.result.type, sizes)),)


def from_elements(
    interpreter: Interpreter, op: tensor.FromElementsOp, *elements: Value
) -> Results:
    """The given scalars in row-major order."""
    of = op.result.type
    return (np.asarray(elements, element(of).numpy).reshape(shape_of(of)),)


def dim(interpreter: Interpreter, op: Operation, of: Array, index: Value) -> Results:
    """The size of a dimension; `memref.dim` too."""
    if not 0 <= index < of.ndim:
        fail(op, f"there is no dimension {index} in rank {of.ndim}")
    return (of.shape[index],)


def rank(interpreter: Interpreter, op: tensor.RankOp, of: Array) -> Results:
    """The number of dimensions."""
    return (of.ndim,)


def same(interpreter: Interpreter, op: Operation, value: Array) -> Results:
    """A cast between static and dynamic sizes; `memref.cast` too."""
    of = op.results[0].type
    for size, actual in zip(shape_of(of), value.shape, strict=True):
        if size not in (DYNAMIC_INDEX, actual):
            fail(op, f"a value of shape {list(value.shape)} is cast to '{of}'")
    return (value,)


def extract(
    interpreter: Interpreter, op: tensor.ExtractOp, of: Array, *indices: Value
) -> Results:
    """One element."""
    return (cast(of[checked_indices(op, of, indices)], op.result.type),)


def insert(
    interpreter: Interpreter,
    op: tensor.InsertOp,
    scalar: Value,
    dest: Array,
    *indices: Value,
) -> Results:
    """A copy with one element replaced."""
    result = dest.copy()
    result[checked_indices(op, dest, indices)] = scalar
    return (result,)


def extract_slice(
    interpreter: Interpreter, op: tensor.ExtractSliceOp, of: Array, *dynamic: Value
) -> Results:
    """A window, without the unit dimensions that the result's type leaves out."""
    return (narrowed(op, of[window_of(op, of, dynamic)]),)


def narrowed(op: tensor.ExtractSliceOp | memref.SubviewOp, window: Array) -> Array:
    """A slice in the rank of the op's result."""
    kept = shape_of(op.result.type)
    if len(kept) == window.ndim:
        return window
    dropped = dropped_dims(op, kept)
    # The ellipsis keeps what has rank 0 an array.
    kept_dims = (0 if d in dropped else slice(None) for d in range(window.ndim))
    return window[(*kept_dims, ...)]


def insert_slice(
    interpreter: Interpreter,
    op: tensor.InsertSliceOp,
    source: Array,
    dest: Array,
    *dynamic: Value,
) -> Results:
    """A copy with a window replaced."""
    result = dest.copy()
    write_window(op, result[window_of(op, dest, dynamic)], source)
    return (result,)


def write_window(
    op: tensor.InsertSliceOp | ParallelInsertSliceOp, window: Array, source: Array
) -> None:
    """Write a source, which may lack unit dimensions, into a window of that size."""
    if source.ndim < window.ndim:
        dropped = dropped_dims(op, shape_of(op.source.type))
        source = np.expand_dims(source, dropped)
    if source.shape != window.shape:
        fail(
            op,
            f"a source of shape {list(source.shape)} is inserted into a window of "
            f"sizes {list(window.shape)}",
        )
    window[...] = source


def expand_shape(
    interpreter: Interpreter, op: tensor.ExpandShapeOp, of: Array, *dynamic: Value
) -> Results:
    """Each dimension split into those of its group."""
    shape = mixed_values(op.static_output_shape, iter(dynamic))
    for dim, group in enumerate(groups_of(op.reassociation)):
        sizes = [shape[entry] for entry in group]
        if math.prod(sizes) != of.shape[dim] or min(sizes) < 0:
            fail(op, f"dimension {dim} of {of.shape[dim]} elements cannot be {sizes}")
    return (of.reshape(shape),)


def collapse_shape(
    interpreter: Interpreter, op: tensor.CollapseShapeOp, of: Array
) -> Results:
    """The dimensions of each group as one."""
    groups = groups_of(op.reassociation)
    shape = [math.prod(of.shape[dim] for dim in group) for group in groups]
    return (of.reshape(shape),)


def reshape(
    interpreter: Interpreter, op: tensor.ReshapeOp, of: Array, shape: Array
) -> Results:
    """The same elements in row-major order, in a shape given as a tensor."""
    sizes = [int(size) for size in shape]
    if math.prod(sizes) != of.size or any(size < 0 for size in sizes):
        fail(op, f"{of.size} elements cannot have the shape {sizes}")
    return (fitting(op, of.reshape(sizes)),)


def concat(interpreter: Interpreter, op: tensor.ConcatOp, *parts: Array) -> Results:
    """Parts one after the other along a dimension."""
    axis: int = op.dim.value.data
    for part in parts[1:]:
        for dim, (first, size) in enumerate(
            zip(parts[0].shape, part.shape, strict=True)
        ):
            if dim != axis and first != size:
                fail(op, f"parts of {first} and {size} elements in dimension {dim}")
    return (fitting(op, np.concatenate(parts, axis=axis)),)


def yields(interpreter: Interpreter, op: Operation, *values: Value) -> Results:
    """A terminator: its operands."""
    return values


TABLE: Table = {
    tensor.EmptyOp: empty,
    tensor.SplatOp: splat,
    tensor.FromElementsOp: from_elements,
    tensor.DimOp: dim,
    tensor.CastOp: same,
    tensor.ExtractOp: extract,
    tensor.InsertOp: insert,
    tensor.ExtractSliceOp: extract_slice,
    tensor.InsertSliceOp: insert_slice,
    tensor.ExpandShapeOp: expand_shape,
    tensor.CollapseShapeOp: collapse_shape,
    tensor.ReshapeOp: reshape,
    tensor.RankOp: rank,
    tensor.BitcastOp: bitcast,
    tensor.ConcatOp: concat,
    tensor.YieldOp: yields,
}
