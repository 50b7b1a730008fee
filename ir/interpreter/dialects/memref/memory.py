"""The memory behind a buffer: its allocation, first byte and strides.

A memref is a numpy view. All views of one allocation share its array, and so its
memory: what is written through one is read through the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects.memref import layout_of
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import fail, is_array
from tilewright.ir.types import is_buffer


def owner_of(view: Array) -> Array:
    """The array that a view's memory belongs to."""
    owner = view
    while is_array(owner.base):
        owner = owner.base
    return owner


def address_of(view: Array) -> int:
    """Where a view begins in memory."""
    address: int = view.__array_interface__["data"][0]
    return address


def base_address(view: Array, of: Attribute) -> int:
    """Where the memory begins that a buffer's offset is counted from.

    A static offset of the type gives it; otherwise the allocation begins there.
    """
    layout = layout_of(of) if is_buffer(of) else None
    if layout is None or layout.offset is None:
        return address_of(owner_of(view))
    return address_of(view) - layout.offset * view.itemsize


def reshaped(
    op: Operation,
    view: Array,
    shape: Sequence[int],
    strides: Sequence[int],
    address: int | None = None,
    dtype: np.dtype[Any] | None = None,
) -> Array:
    """Another view of the same memory; strides in bytes. Outside of it is an error."""
    kind = view.dtype if dtype is None else dtype
    owner = owner_of(view)
    if 0 in shape:
        return np.zeros(shape, kind)
    start = (address_of(view) if address is None else address) - address_of(owner)
    steps = [(size - 1) * step for size, step in zip(shape, strides, strict=True)]
    low = start + sum(min(0, step) for step in steps)
    high = start + sum(max(0, step) for step in steps) + kind.itemsize
    if low < 0 or high > owner.nbytes:
        fail(
            op,
            f"the view reaches from byte {low} to {high} of an allocation of "
            f"{owner.nbytes} bytes",
        )
    if not owner.flags.forc:
        fail(op, "the memory under this buffer is not contiguous")
    memory = owner.ravel(order="K").view(np.uint8)
    return np.ndarray(shape, kind, memory, start, strides)


def with_layout(
    flat: Callable[[int], Array], of: MemRefType[Attribute], shape: Sequence[int]
) -> Array:
    """Fresh memory in a type's strided layout, where the type fixes it.

    `flat` makes the memory for a number of elements. What a type leaves open is
    row-major.
    """
    layout = layout_of(of)
    strides = layout.strides if layout is not None else ()
    known = [stride for stride in strides if stride is not None]
    if layout is None or layout.offset is None or len(known) != len(shape):
        return flat(math.prod(shape)).reshape(shape)
    last = sum((size - 1) * step for size, step in zip(shape, known, strict=True))
    memory = flat(max(0, layout.offset + last + 1) if 0 not in shape else 0)
    if 0 in shape:
        return memory.reshape(shape)
    size = memory.itemsize
    return np.ndarray(
        shape,
        memory.dtype,
        memory.view(np.uint8),
        layout.offset * size,
        [step * size for step in known],
    )
