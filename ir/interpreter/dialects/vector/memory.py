"""vector: loads and stores on buffers, by rows, by indices, packed.

A masked-off lane is not accessed, and may lie anywhere. An active lane outside of the
buffer is an error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects.vector import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    ScatterOp,
    StoreOp,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.core.windows import checked_indices, checked_window
from tilewright.ir.interpreter.dialects.tensor.tensor_table import shape_of
from tilewright.ir.types import is_tensor


def load(
    interpreter: Interpreter, op: LoadOp, source: Array, *indices: Value
) -> Results:
    """A vector from the innermost dimensions of a buffer."""
    return (np.array(source[innermost(op, source, indices, op.result.type)]),)


def store(
    interpreter: Interpreter,
    op: StoreOp,
    value: Value,
    target: Array,
    *indices: Value,
) -> Results:
    """A vector into the innermost dimensions of a buffer."""
    target[innermost(op, target, indices, op.vector.type)] = value
    return ()


def innermost(
    op: Operation, of: Array, indices: Sequence[Value], vector: Attribute
) -> tuple[slice | int, ...]:
    """The place of a vector in a buffer, from the given indices on."""
    shape = shape_of(vector)
    outer = of.ndim - len(shape)
    sizes = [*[1] * outer, *shape]
    window = checked_window(op, of.shape, indices, sizes, [1] * of.ndim)
    return tuple(s.start if d < outer else s for d, s in enumerate(window))


def masked_load(
    interpreter: Interpreter, op: MaskedLoadOp, source: Array, *operands: Value
) -> Results:
    """Read the active lanes; the others take the pass-through value."""
    *indices, mask, pass_thru = operands
    return (_read(op, source, _block(indices, mask), mask, pass_thru),)


def masked_store(
    interpreter: Interpreter, op: MaskedStoreOp, target: Array, *operands: Value
) -> Results:
    """Write the active lanes."""
    *indices, mask, value = operands
    _write(op, target, _block(indices, mask), mask, value)
    return ()


def _block(start: Sequence[Value], lanes: Array) -> list[Array]:
    """For each dimension of a buffer, the index of every lane of a block there."""
    outer = len(start) - lanes.ndim
    grid = np.indices(lanes.shape)
    return [
        np.broadcast_to(np.int64(index), lanes.shape)
        if dim < outer
        else grid[dim - outer] + index
        for dim, index in enumerate(start)
    ]


def gather(
    interpreter: Interpreter, op: GatherOp, source: Array, *operands: Value
) -> Results:
    """Read the active lanes, each from its own place."""
    return gather_lanes(op, source, operands)


def gather_lanes(
    op: GatherOp, source: Array, operands: Sequence[Value], under: Array | None = None
) -> Results:
    """A gather, under a further mask if there is one."""
    *offsets, indices, mask, pass_thru = operands
    on = mask if under is None else mask & under
    if not offsets:  # a buffer without dimensions is one element
        source, offsets = source.reshape(1), [np.int64(0)]
    places = _places(offsets, indices)
    if is_tensor(op.base.type) or source.flags.c_contiguous:
        places = _carried(places, source.shape)
    return (_read(op, source, places, on, pass_thru),)


def scatter(
    interpreter: Interpreter, op: ScatterOp, target: Array, *operands: Value
) -> Results:
    """Write the active lanes, each to its own place."""
    *offsets, indices, mask, value = operands
    result = target if op.result is None else target.copy()
    if offsets:
        _write(op, result, _places(offsets, indices), mask, value)
    else:
        _write(op, result.reshape(1), _places([np.int64(0)], indices), mask, value)
    return () if op.result is None else (result,)


def _places(offsets: Sequence[Value], indices: Array) -> list[Array]:
    """The indices are added to the innermost of the offsets."""
    *outer, inner = offsets
    fixed = [np.broadcast_to(np.int64(index), indices.shape) for index in outer]
    return [*fixed, indices.astype(np.int64) + inner]


def _carried(places: Sequence[Array], shape: Sequence[int]) -> list[Array]:
    """Places past the end of a row, counted on in the next rows.

    Upstream's vectorizer counts the elements of a whole tensor so.
    """
    *outer, inner = places
    carried: list[Array] = []
    for dim in range(len(shape) - 1, 0, -1):
        extent = max(shape[dim], 1)
        carried.append(inner % extent)
        inner = outer[dim - 1] + inner // extent
    return [inner, *reversed(carried)]


def expand_load(
    interpreter: Interpreter, op: ExpandLoadOp, source: Array, *operands: Value
) -> Results:
    """Consecutive elements into the active lanes."""
    *indices, mask, pass_thru = operands
    places = _packed(op, indices, mask)
    return (_read(op, source, places, mask, pass_thru),)


def compress_store(
    interpreter: Interpreter, op: CompressStoreOp, target: Array, *operands: Value
) -> Results:
    """The active lanes into consecutive elements."""
    *indices, mask, value = operands
    _write(op, target, _packed(op, indices, mask), mask, value)
    return ()


def _packed(op: Operation, start: Sequence[Value], mask: Array) -> list[Array]:
    if mask.ndim != 1:
        fail(op, "only vectors of one dimension can be packed")
    return _places(start, np.cumsum(mask) - 1)


def _read(
    op: Operation,
    source: Array,
    places: Sequence[Array],
    mask: Array,
    pass_thru: Array,
) -> Array:
    result = np.array(pass_thru)
    on = tuple(place[mask] for place in places)
    result[mask] = source[checked_indices(op, source, on)]
    return result


def _write(
    op: Operation,
    target: Array,
    places: Sequence[Array],
    mask: Array,
    value: Array,
) -> None:
    on = tuple(place[mask] for place in places)
    target[checked_indices(op, target, on)] = value[mask]
