"""bufferization: contents are copied between tensors and buffers.

So tensors stay values, whatever is written to a buffer.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dialects import bufferization
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.dialects.tensor.tensor_table import same, uninitialized
from tilewright.ir.types import is_buffer


def copied(interpreter: Interpreter, op: Operation, value: Array) -> Results:
    """A copy: `to_tensor`, `to_buffer`."""
    return (np.array(value),)


def clone(interpreter: Interpreter, op: bufferization.CloneOp, value: Array) -> Results:
    """A copy, of the shape that its type asserts."""
    if is_buffer(op.output.type):
        same(interpreter, op, value)
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
    if source.shape != dest.shape:
        shapes = f"{list(source.shape)} and {list(dest.shape)}"
        fail(op, f"source and destination have different shapes, {shapes}")
    if op.result is not None:
        return (source,)
    dest[...] = source
    return ()


def nothing(interpreter: Interpreter, op: Operation, value: Array) -> Results:
    """A value needs no deallocation."""
    return ()


TABLE: Table = {
    bufferization.ToTensorOp: copied,
    bufferization.ToBufferOp: copied,
    bufferization.CloneOp: clone,
    bufferization.AllocTensorOp: alloc_tensor,
    bufferization.DeallocTensorOp: nothing,
    bufferization.MaterializeInDestinationOp: materialize,
}
