"""tensor: values that nobody writes to; a slice is a view, an insertion a copy."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import memref, tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.dtypes import Array, element
from tilewright.ir.interpreter.elementwise import cast
from tilewright.ir.interpreter.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.windows import (
    checked_indices,
    dropped_dims,
    mixed_values,
    window_of,
)


def shape_of(of: Attribute) -> tuple[int, ...]:
    """The static shape of a shaped type, DYNAMIC_INDEX where a size is dynamic."""
    shape: tuple[int, ...] = tuple(of.get_shape())  # pyright: ignore
    return shape


def sized(of: Attribute, dynamic: tuple[Value, ...]) -> tuple[int, ...]:
    """A type's shape, its dynamic sizes taken from `dynamic`."""
    sizes = iter(dynamic)
    return tuple(
        int(next(sizes)) if size == DYNAMIC_INDEX else size for size in shape_of(of)
    )


def uninitialized(
    interpreter: Interpreter, of: Attribute, dynamic: tuple[Value, ...]
) -> Array:
    """New memory of a type's shape, as `filled` has it."""
    return filled(interpreter, of, sized(of, dynamic))


def filled(interpreter: Interpreter, of: Attribute, shape: tuple[int, ...]) -> Array:
    """New memory: zeros, or what shows where it is read, as the options say."""
    row = element(of)
    if not interpreter.options.poison_uninitialized:
        return np.zeros(shape, row.numpy)
    if row.is_float:
        return np.full(shape, np.nan, row.numpy)
    if row.name == "i1":
        return np.ones(shape, np.bool_)
    return np.full(shape, np.iinfo(row.numpy).max, row.numpy)


def empty(interpreter: Interpreter, op: tensor.EmptyOp, *sizes: Value) -> Results:
    """A tensor of unspecified contents."""
    return (uninitialized(interpreter, op.tensor.type, sizes),)


def splat(
    interpreter: Interpreter, op: tensor.SplatOp, value: Value, *sizes: Value
) -> Results:
    """One scalar everywhere."""
    return (np.broadcast_to(value, sized(op.result.type, sizes)),)


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


def same(interpreter: Interpreter, op: Operation, value: Array) -> Results:
    """A cast between static and dynamic sizes; `memref.cast` too."""
    for size, actual in zip(shape_of(op.results[0].type), value.shape, strict=True):
        if size not in (DYNAMIC_INDEX, actual):
            shape = list(value.shape)
            fail(op, f"a value of shape {shape} is cast to '{op.results[0].type}'")
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
    return window[tuple(0 if d in dropped else slice(None) for d in range(window.ndim))]


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


def pad(
    interpreter: Interpreter, op: tensor.PadOp, of: Array, *dynamic: Value
) -> Results:
    """A border whose elements the region computes from their indices."""
    sizes = iter(dynamic)
    low = mixed_values(op.static_low, sizes)
    high = mixed_values(op.static_high, sizes)
    if any(width < 0 for width in (*low, *high)):
        fail(op, "negative padding is not supported")
    shape = [a + s + b for a, s, b in zip(low, of.shape, high, strict=True)]
    # The region is run on all indices at once: its ops work element by element.
    indices = np.ogrid[tuple(slice(0, size) for size in shape)]
    (border,) = interpreter.run_region(op.region, list(indices))
    result = np.array(np.broadcast_to(border, shape), of.dtype)
    result[tuple(slice(a, a + s) for a, s in zip(low, of.shape, strict=True))] = of
    return (result,)


def generate(
    interpreter: Interpreter, op: tensor.GenerateOp, *dynamic: Value
) -> Results:
    """Every element, computed by the region from its indices."""
    shape = sized(op.result.type, dynamic)
    indices = np.ogrid[tuple(slice(0, size) for size in shape)]
    (made,) = interpreter.run_region(op.body, list(indices))
    return (np.array(np.broadcast_to(made, shape), element(op.result.type).numpy),)


def reshape(
    interpreter: Interpreter, op: Operation, of: Array, *dynamic: Value
) -> Results:
    """`expand_shape` and `collapse_shape`: the same elements in row-major order."""
    shape = list(shape_of(op.results[0].type))
    if isinstance(op, tensor.ExpandShapeOp):
        return (of.reshape(mixed_values(op.static_output_shape, iter(dynamic))),)
    assert isinstance(op, tensor.CollapseShapeOp)
    groups: list[list[int]] = [
        [int(entry.value.data) for entry in group] for group in op.reassociation
    ]
    sizes = [int(np.prod([of.shape[d] for d in group])) for group in groups]
    return (of.reshape(sizes if groups else shape),)


def concat(interpreter: Interpreter, op: tensor.ConcatOp, *parts: Array) -> Results:
    """Parts one after the other along a dimension."""
    axis: int = op.dim.value.data
    return (np.concatenate(parts, axis=axis),)


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
    tensor.PadOp: pad,
    tensor.GenerateOp: generate,
    tensor.ExpandShapeOp: reshape,
    tensor.CollapseShapeOp: reshape,
    tensor.ConcatOp: concat,
    tensor.YieldOp: yields,
}
