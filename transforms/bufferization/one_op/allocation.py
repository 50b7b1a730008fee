"""The buffer that a tensor gets, and the copy of its contents into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects import linalg, memref
from tilewright.ir.dialects.bufferization import (
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from tilewright.ir.types import tensor_type
from tilewright.transforms.bufferization.buffer_types import (
    dynamic_type,
    identity_type,
)
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter

MATERIALIZE = "bufferization.materialize_in_destination"
COPIES = (MATERIALIZE, "memref.copy", "linalg.copy")
ALLOCATIONS: dict[str, type[memref.AllocOp | memref.AllocaOp]] = {
    op.name: op for op in (memref.AllocOp, memref.AllocaOp)
}


@dataclass(frozen=True)
class Options:
    """Options of a new buffer."""

    memory_space: Attribute | None = None
    memcpy_op: str = MATERIALIZE
    alloc_op: str = memref.AllocOp.name
    emit_dealloc: bool = False
    only_destination: bool = False


class NewOps(OpList):
    """The new ops of one rewrite, inserted in several places."""

    def __init__(self, rewriter: Rewriter) -> None:
        super().__init__()
        self.rewriter = rewriter
        self.all: list[Operation] = []

    def put_before(self, anchor: Operation) -> None:
        """Insert the ops that were collected since the last call."""
        self.rewriter.insert_before(anchor, *self.ops)
        self.all += self.ops
        self.ops = []

    def put_after(self, value: SSAValue) -> None:
        """Insert them where a value is defined."""
        owner = value.owner
        if isinstance(owner, Operation):
            self.rewriter.insert_after(owner, *self.ops)
        else:
            self.rewriter.insert_at_start(owner, *self.ops)
        self.all += self.ops
        self.ops = []


def allocate(
    value: SSAValue,
    sizes: Sequence[SSAValue],
    before: Operation,
    options: Options,
    new: NewOps,
) -> SSAValue:
    """A buffer for a tensor, in front of an op."""
    kind = identity_type(tensor_type(value), options.memory_space)
    alloc = ALLOCATIONS[options.alloc_op](sizes, [], kind)
    new.add(alloc)
    new.put_before(before)
    if options.emit_dealloc and isinstance(alloc, memref.AllocOp):
        block = before.parent
        assert block is not None and block.last_op is not None
        dealloc = memref.DeallocOp.build(operands=[alloc.memref])
        new.ops.append(dealloc)
        new.put_before(block.last_op)
    return alloc.memref


def copy_into(
    source: SSAValue, buffer: SSAValue, options: Options, new: NewOps
) -> None:
    """Copy a tensor into a buffer."""
    if options.memcpy_op == MATERIALIZE:
        new.ops.append(MaterializeInDestinationOp(source, buffer))
        return
    # Nobody knows yet which layout the tensor's buffer has.
    read = ToBufferOp.build(
        operands=[source],
        properties={"read_only": UnitAttr()},
        result_types=[dynamic_type(tensor_type(source))],
    )
    contents = new.add(read)
    if options.memcpy_op == memref.CopyOp.name:
        new.ops.append(memref.CopyOp(contents, buffer))
    else:
        new.ops.append(linalg.CopyOp([contents], [buffer]))


def buffer_of(value: SSAValue) -> ToBufferOp:
    """A tensor as a buffer of unknown layout."""
    return ToBufferOp.build(
        operands=[value], result_types=[dynamic_type(tensor_type(value))]
    )


def own_tensor(buffer: SSAValue, kind: Attribute) -> ToTensorOp:
    """The contents of a buffer that no other tensor lives in."""
    return ToTensorOp.build(
        operands=[buffer],
        properties={"restrict": UnitAttr(), "writable": UnitAttr()},
        result_types=[kind],
    )
