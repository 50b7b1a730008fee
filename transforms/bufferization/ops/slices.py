"""Models of extract_slice, insert_slice and parallel_insert_slice."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.bufferization.buffer_aliases import is_all_of
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import (
    DestinationModel,
    Insertion,
    Model,
    Operand,
    ViewModel,
)
from tilewright.transforms.bufferization.tensor_facts import Facts


class ExtractSlice(ViewModel):
    """`tensor.extract_slice` becomes `memref.subview`."""

    KEEPS_ALL = False

    def write(self, op: Operation, to: Writer) -> None:
        """Write a subview, without the dimensions that the slice drops."""
        assert isinstance(op, tensor.ExtractSliceOp)
        shape = tensor_type(op.result).get_shape()
        part = to.part(slice_of(op))
        to.bind_view(op, to.subview(to.values[op.source], part, shape, op))


class InsertSlice(DestinationModel):
    """`tensor.insert_slice`: a copy into a subview, unless the tile is there."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """The tile, and the destination unless the tile covers it."""
        return _reads(operand)

    def destination(self, operand: Operand) -> OpResult | None:
        """The tensor that is inserted into."""
        return operand.op.results[0] if operand.index == 1 else None

    def insertion(self, op: Operation) -> Insertion | None:
        """The tile overwrites a part of the destination."""
        return Insertion(source=0, dest=1)

    def write(self, op: Operation, to: Writer) -> None:
        """Copy the tile into its place, unless it is there."""
        assert isinstance(op, tensor.InsertSliceOp)
        buffer = to.buffer(op, 1)
        to.put(to.values[op.source], buffer, to.part(slice_of(op)), op)
        to.bind(op.result, buffer)


class ParallelInsertSlice(Model):
    """`tensor.parallel_insert_slice`, which the loop around it writes."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """The tile, and the shared output unless the tile covers it."""
        return _reads(operand)

    def writes(self, operand: Operand, facts: Facts) -> bool:
        """The shared output is written."""
        return operand.index == 1

    def insertion(self, op: Operation) -> Insertion | None:
        """The tile overwrites a part of the shared output."""
        return Insertion(source=0, dest=1)

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError("the loop writes what its iterations hand back")


def _reads(operand: Operand) -> bool:
    op = operand.op
    assert isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp)
    return operand.index == 0 or not is_all_of(slice_of(op), op.dest)
