"""Memory of a kernel: pointers, descriptors and counters.

A pointer is a flat view of its buffer with the offsets it points to. An access outside
the buffer by an active lane is an error, as it would be a wild access on a device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects.kernel import (
    ArriveOp,
    AtomicAddOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DescriptorType,
    LoadOp,
    OffsetOp,
    StoreOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.elementwise import typed
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.dialects.kernel.tiles import filled


@dataclass(frozen=True)
class Pointers:
    """Where a pointer, or a tile of them, points: elements of a flat buffer."""

    buffer: Array
    offsets: Any


def arrive(interpreter: Interpreter, op: ArriveOp, counter: Pointers) -> Results:
    """Increment the counter; programs run one after the other."""
    before = counter.buffer[int(counter.offsets)]
    counter.buffer[int(counter.offsets)] = before + 1
    return (np.int32(before),)


def offset(
    interpreter: Interpreter, op: OffsetOp, pointer: Pointers, distance: Value
) -> Results:
    """Add to the offsets, which are 64 bits wide."""
    offsets: Any = pointer.offsets + np.asarray(distance, dtype=np.int64)
    return (Pointers(pointer.buffer, offsets),)


def load(
    interpreter: Interpreter, op: LoadOp, pointer: Pointers, mask: Value = None
) -> Results:
    """Gather; masked-off lanes read `other`."""
    of = op.result.type
    offsets = np.broadcast_to(pointer.offsets, shape_of(of))
    if mask is None:
        _check(op, pointer, offsets)
        return (typed(pointer.buffer[offsets], of),)
    lanes = np.broadcast_to(mask, offsets.shape)
    _check(op, pointer, offsets[lanes])
    if not lanes.any():
        return (typed(np.asarray(filled(op.other, of)), of),)
    values = pointer.buffer[np.where(lanes, offsets, 0)]
    return (typed(np.where(lanes, values, filled(op.other, element_of(of))), of),)


def store(
    interpreter: Interpreter,
    op: StoreOp,
    pointer: Pointers,
    value: Value,
    mask: Value = None,
) -> Results:
    """Scatter; masked-off lanes write nothing."""
    offsets, values = _enabled(op, pointer, value, mask)
    pointer.buffer[offsets] = values
    return ()


def atomic_add(
    interpreter: Interpreter,
    op: AtomicAddOp,
    pointer: Pointers,
    value: Value,
    mask: Value = None,
) -> Results:
    """Add, lane after lane; masked-off lanes add nothing."""
    offsets, values = _enabled(op, pointer, value, mask)
    np.add.at(pointer.buffer, offsets, values)
    return ()


def _enabled(
    op: StoreOp | AtomicAddOp, pointer: Pointers, value: Value, mask: Value
) -> tuple[Array, Array]:
    """The offsets and the values of the lanes that are not masked off."""
    offsets = np.broadcast_to(pointer.offsets, shape_of(op.pointer.type))
    values = np.broadcast_to(value, offsets.shape)
    if mask is not None:
        lanes = np.broadcast_to(mask, offsets.shape)
        offsets, values = offsets[lanes], values[lanes]
    _check(op, pointer, offsets)
    return offsets, values


def _check(op: LoadOp | StoreOp | AtomicAddOp, pointer: Pointers, offsets: Any) -> None:
    if offsets.size and (
        offsets.min() < 0 or offsets.max() >= max(pointer.buffer.size, 1)
    ):
        fail(
            op,
            f"element {offsets.min()} to {offsets.max()} of a buffer of "
            f"{pointer.buffer.size} elements",
        )


def block_window(
    op: Operation, of: Attribute, buffer: Array, offsets: Sequence[Value]
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """The window of a buffer that a descriptor's block covers, and that part of it.

    The block of an op that is not `partial` lies inside the buffer.
    """
    outer: list[slice] = []
    inner: list[slice] = []
    assert isinstance(of, DescriptorType)
    extents = of.extents or buffer.shape
    block = shape_of(of.block)
    for start, size, extent in zip(offsets, block, extents, strict=True):
        low, high = max(int(start), 0), min(int(start) + size, extent)
        high = max(low, high)
        outer.append(slice(low, high))
        inner.append(slice(low - int(start), high - int(start)))
        if "partial" not in op.properties and (high - low) != size:
            fail(op, "a block reaches past the end of its buffer and is not `partial`")
    return tuple(outer), tuple(inner)


def descriptor_load(
    interpreter: Interpreter, op: DescriptorLoadOp, buffer: Array, *offsets: Value
) -> Results:
    """Read a block; zero outside the buffer."""
    block = shape_of(op.result.type)
    outer, inner = block_window(op, op.descriptor.type, buffer, offsets)
    result = np.zeros(block, buffer.dtype)
    result[inner] = buffer[outer]
    return (result,)


def descriptor_store(
    interpreter: Interpreter, op: DescriptorStoreOp, buffer: Array, *rest: Value
) -> Results:
    """Write a block; nothing outside the buffer."""
    *offsets, value = rest
    outer, inner = block_window(op, op.descriptor.type, buffer, offsets)
    buffer[outer] = value[inner]
    return ()
