"""memref and bufferization: numpy views, written in place.

Where a tensor becomes a buffer or a buffer a tensor its contents are copied, so that
tensors stay values.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects import bufferization
from xdsl.ir import Operation

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.elementwise import cast
from tilewright.ir.interpreter.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.tensor import dim, narrowed, same, uninitialized
from tilewright.ir.interpreter.windows import checked_indices, window_of


def alloc(interpreter: Interpreter, op: Operation, *sizes: Value) -> Results:
    """New memory of unspecified contents."""
    return (uninitialized(interpreter, op.results[0].type, sizes),)


def nothing(interpreter: Interpreter, op: Operation, *operands: Value) -> Results:
    """No effect on numbers: deallocation."""
    return ()


def subview(
    interpreter: Interpreter, op: memref.SubviewOp, of: Array, *dynamic: Value
) -> Results:
    """A window of the same memory."""
    return (narrowed(op, of[window_of(op, of, dynamic)]),)


def copy(interpreter: Interpreter, op: CopyOp, source: Array, target: Array) -> Results:
    """Copy the elements of one buffer into another."""
    if source.shape != target.shape:
        shapes = f"{list(source.shape)} and {list(target.shape)}"
        fail(op, f"the buffers have different shapes, {shapes}")
    target[...] = source
    return ()


def load(
    interpreter: Interpreter, op: memref.LoadOp, of: Array, *indices: Value
) -> Results:
    """One element."""
    return (cast(of[checked_indices(op, of, indices)], op.res.type),)


def store(
    interpreter: Interpreter,
    op: memref.StoreOp,
    value: Value,
    target: Array,
    *indices: Value,
) -> Results:
    """Write one element."""
    target[checked_indices(op, target, indices)] = value
    return ()


def unchanged(interpreter: Interpreter, op: Operation, value: Value) -> Results:
    """The same buffer under another type."""
    return (value,)


def rank(interpreter: Interpreter, op: Operation, of: Array) -> Results:
    """The number of dimensions."""
    return (of.ndim,)


def copied(interpreter: Interpreter, op: Operation, value: Array) -> Results:
    """A copy: `to_tensor`, `to_buffer`, `clone`."""
    return (np.array(value),)


def alloc_tensor(
    interpreter: Interpreter, op: bufferization.AllocTensorOp, *operands: Value
) -> Results:
    """A new tensor, with the contents of `copy` where one is given."""
    if op.copy is not None:
        return (operands[len(op.dynamic_sizes)],)
    return (uninitialized(interpreter, op.tensor.type, operands),)


def materialize(
    interpreter: Interpreter,
    op: bufferization.MaterializeInDestinationOp,
    source: Array,
    dest: Array,
) -> Results:
    """The source, in the destination's memory where that is a buffer."""
    if op.result is not None:
        return (source,)
    dest[...] = source
    return ()


TABLE: Table = {
    memref.AllocOp: alloc,
    memref.AllocaOp: alloc,
    memref.DeallocOp: nothing,
    memref.SubviewOp: subview,
    memref.DimOp: dim,
    memref.RankOp: rank,
    memref.LoadOp: load,
    memref.StoreOp: store,
    memref.CastOp: same,
    memref.MemorySpaceCastOp: unchanged,
    memref.AssumeAlignmentOp: unchanged,
    CopyOp: copy,
    bufferization.ToTensorOp: copied,
    bufferization.ToBufferOp: copied,
    bufferization.CloneOp: copied,
    bufferization.AllocTensorOp: alloc_tensor,
    bufferization.MaterializeInDestinationOp: materialize,
}
