"""Models of tensor.extract, insert, dim and rank."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult

from tilewright.ir.dialects import memref, tensor
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import (
    DestinationModel,
    Model,
    Operand,
)
from tilewright.transforms.bufferization.tensor_facts import Facts


class Extract(Model):
    """`tensor.extract` becomes `memref.load`."""

    def write(self, op: Operation, to: Writer) -> None:
        """Load one element."""
        assert isinstance(op, tensor.ExtractOp)
        indices = [to.values[index] for index in op.indices]
        load = to.add(memref.LoadOp(to.values[op.tensor], indices), op)
        to.bind(op.result, load.results[0])


class Insert(DestinationModel):
    """`tensor.insert` becomes `memref.store`."""

    def destination(self, operand: Operand) -> OpResult | None:
        """The tensor that is inserted into."""
        return operand.op.results[0] if operand.index == 1 else None

    def write(self, op: Operation, to: Writer) -> None:
        """Store one element."""
        assert isinstance(op, tensor.InsertOp)
        buffer = to.buffer(op, 1)
        indices = [to.values[index] for index in op.indices]
        to.add(memref.StoreOp(to.values[op.scalar], buffer, indices), op)
        to.bind(op.result, buffer)


class Size(Model):
    """`tensor.dim` and `tensor.rank`: they read sizes, and no contents."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Sizes do not change with the contents."""
        return False

    def write(self, op: Operation, to: Writer) -> None:
        """Read the size of the buffer."""
        buffer = to.values[op.operands[0]]
        if isinstance(op, tensor.DimOp):
            new_op: Operation = memref.DimOp(buffer, to.values[op.index])
        else:
            new_op = memref.RankOp.build(
                operands=[buffer], result_types=[op.results[0].type]
            )
        to.bind(op.results[0], to.add(new_op, op).results[0])
