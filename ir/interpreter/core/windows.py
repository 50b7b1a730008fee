"""Slices with offsets, sizes and strides: bounds checked, never clipped.

numpy clips a slice that runs out of its array. Here that is an error at the op's place:
a wrong tile must not look like a smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType
from xdsl.ir import Operation

from tilewright.ir.dialects import memref, tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import Value, fail

SliceOp: TypeAlias = (
    tensor.ExtractSliceOp
    | tensor.InsertSliceOp
    | ParallelInsertSliceOp
    | memref.SubviewOp
)

Window: TypeAlias = tuple[slice | EllipsisType, ...]
Slices: TypeAlias = tuple[slice, ...]


def mixed_values(
    static: DenseArrayBase[IntegerType], dynamic: Iterator[Value]
) -> list[int]:
    """The integers that a static list and the values of its dynamic entries encode."""
    return [
        int(next(dynamic)) if entry == DYNAMIC_INDEX else int(entry)
        for entry in static.get_values()
    ]


def window_of(op: SliceOp, of: Array, dynamic: Sequence[Value]) -> Window:
    """The numpy window of a slice op; `dynamic`: its offsets, sizes, strides."""
    values = iter(dynamic)
    offsets = mixed_values(op.static_offsets, values)
    sizes = mixed_values(op.static_sizes, values)
    strides = mixed_values(op.static_strides, values)
    # The ellipsis keeps what has rank 0 an array: numpy would hand out its element.
    return (*checked_window(op, of.shape, offsets, sizes, strides), ...)


def checked_window(
    op: Operation,
    shape: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> Slices:
    """numpy's slices for a window that lies inside `shape`, or an error."""
    slices: list[slice] = []
    for dim, (extent, offset, size, stride) in enumerate(
        zip(shape, offsets, sizes, strides, strict=True)
    ):
        if size < 0:
            fail(op, f"size {size} of dimension {dim} is negative")
        if stride < 1:
            fail(op, f"stride {stride} of dimension {dim} is not supported")
        if size == 0 and offset >= 0:
            # Nothing is touched: tiles past the end begin where nothing is left.
            slices.append(slice(0, 0))
            continue
        last = offset + (size - 1) * stride
        if offset < 0 or last >= extent or offset > extent:
            fail(
                op,
                f"out of bounds in dimension {dim}: offset {offset}, size {size}, "
                f"stride {stride} leave its {extent} elements",
            )
        slices.append(slice(offset, max(last + 1, offset), stride))
    return tuple(slices)


def dropped_dims(op: SliceOp, kept: Sequence[int]) -> tuple[int, ...]:
    """Which unit dimensions of a slice the type with shape `kept` leaves out."""
    dropped = tensor.dropped_dims(op.static_sizes.get_values(), kept)
    assert dropped is not None, "verified"
    return dropped


def checked_indices(
    op: Operation, of: Array, indices: Sequence[Value]
) -> tuple[Value, ...]:
    """Indices of one element, or arrays of them, inside the array's bounds."""
    # A buffer of vectors has their lanes as further dimensions.
    extents = of.shape[: len(indices)]
    for dim, (index, extent) in enumerate(zip(indices, extents, strict=True)):
        low, high = np.min(index, initial=extent), np.max(index, initial=-1)
        if np.size(index) and not 0 <= low <= high < extent:
            at = low if low < 0 else high
            fail(op, f"index {at} is outside dimension {dim} of {extent} elements")
    return tuple(indices)
