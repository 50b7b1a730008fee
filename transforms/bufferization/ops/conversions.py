"""Models of to_tensor, to_buffer and materialize_in_destination."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult, SSAValue

from tilewright.ir.dialects.bufferization import (
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from tilewright.ir.types import is_buffer, is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import (
    DestinationModel,
    Insertion,
    Model,
    Obstacle,
    Operand,
)
from tilewright.transforms.bufferization.tensor_facts import Facts


class ToTensor(Model):
    """`bufferization.to_tensor`: a tensor that lives in the buffer."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Only a buffer that no other tensor uses is supported."""
        assert isinstance(op, ToTensorOp)
        if op.restrict is not None or not op.tensor.uses.get_length():
            return None
        return Obstacle(
            "'bufferization.to_tensor' without `restrict` cannot be bufferized",
            "write `restrict`, if no other tensor is made of that buffer",
        )

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Only if it is declared writable."""
        assert isinstance(value, OpResult) and isinstance(value.op, ToTensorOp)
        return value.op.writable is not None

    def write(self, op: Operation, to: Writer) -> None:
        """Use the buffer itself."""
        assert isinstance(op, ToTensorOp)
        to.bind(op.tensor, to.values[op.memref])


class ToBuffer(Model):
    """`bufferization.to_buffer`: the buffer that a tensor lives in."""

    def writes(self, operand: Operand, facts: Facts) -> bool:
        """The buffer may be written, unless it is declared read-only."""
        assert isinstance(operand.op, ToBufferOp)
        return operand.op.read_only is None

    def write(self, op: Operation, to: Writer) -> None:
        """Use the buffer, in the requested layout."""
        assert isinstance(op, ToBufferOp)
        buffer = to.buffer(op, 0)
        kind = tensor_type(op.tensor)
        to.bind(op.memref, to.as_type(buffer, op.memref.type, op, kind))


class Materialize(DestinationModel):
    """`bufferization.materialize_in_destination`: a copy into the destination."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Only a destination that no other op writes is supported."""
        assert isinstance(op, MaterializeInDestinationOp)
        if is_tensor(op.dest.type) or op.restrict is not None:
            return None
        return Obstacle(
            f"'{op.name}' into a buffer without `restrict` cannot be bufferized",
            "write `restrict writable`, if no other tensor is made of that buffer",
        )

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """The source only: the whole destination is overwritten."""
        return operand.index == 0

    def destination(self, operand: Operand) -> OpResult | None:
        """The destination operand."""
        return operand.op.results[0] if operand.index == 1 else None

    def is_elementwise(self, read: Operand, written: Operand) -> bool:
        """A copy of a tensor into itself changes nothing."""
        return True

    def insertion(self, op: Operation) -> Insertion | None:
        """The source overwrites the whole destination."""
        return Insertion(source=0, dest=1)

    def is_inserted_part(self, op: Operation, value: SSAValue) -> bool:
        """The destination itself."""
        return value is op.operands[1]

    def write(self, op: Operation, to: Writer) -> None:
        """Copy, unless source and destination are the same."""
        assert isinstance(op, MaterializeInDestinationOp)
        if is_buffer(op.dest.type):
            to.copy(to.values[op.source], to.values[op.dest], op)
            return
        buffer = to.buffer(op, 1)
        to.copy(to.values[op.source], buffer, op)
        assert op.result is not None
        to.bind(op.result, buffer)
