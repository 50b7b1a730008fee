"""Models of linalg ops, and of vector ops that read and write tensors."""

from __future__ import annotations

from math import prod
from operator import le

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, Region
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.linalg import IteratorType, SoftmaxOp, StructuredOp
from tilewright.ir.dialects.vector import MaskOp, TransferWriteOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor, tensor_type, vector_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import (
    DestinationModel,
    Insertion,
    Model,
    Obstacle,
    Operand,
)
from tilewright.transforms.bufferization.tensor_facts import Facts


class Structured(DestinationModel):
    """A structured op of linalg."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Operands must be all tensors or all buffers."""
        assert isinstance(op, StructuredOp)
        if len(op.results) == len(op.outputs):
            return None
        return Obstacle(
            f"'{op.name}' on tensors and buffers at once cannot be bufferized",
            "write all outputs as tensors, or all operands as buffers",
        )

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Operands that the body uses; for an output, its old contents."""
        op = operand.op
        assert isinstance(op, StructuredOp)
        return op.body.block.args[operand.index].uses.get_length() > 0

    def destination(self, operand: Operand) -> OpResult | None:
        """The result that belongs to an output."""
        op = operand.op
        assert isinstance(op, StructuredOp)
        position = operand.index - len(op.inputs)
        return op.results[position] if position >= 0 else None

    def is_elementwise(self, read: Operand, written: Operand) -> bool:
        """All loops are parallel, and both operands are indexed by them directly."""
        op = read.op
        assert isinstance(op, StructuredOp)
        return all(
            kind.data == IteratorType.PARALLEL for kind in op.get_iterator_types()
        ) and all(
            op.maps[operand.index] == AffineMap.identity(op.get_num_loops())
            for operand in (read, written)
        )

    def write(self, op: Operation, to: Writer) -> None:
        """Write the same op on buffers."""
        assert isinstance(op, StructuredOp)
        count = len(op.inputs)
        outputs = [to.buffer(op, count + i) for i in range(len(op.outputs))]
        new_op = type(op).create(
            operands=[*(to.values[v] for v in op.inputs), *outputs],
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
            regions=[_body(op, to)],
        )
        to.add(new_op, op)
        for result, buffer in zip(op.results, outputs, strict=True):
            to.bind(result, buffer)


def _body(op: StructuredOp, to: Writer) -> Region:
    """The body on new values; it may read elements of tensors from outside."""
    facts = to.analysis.facts
    if any(nested in facts.touching for nested in op.body.block.ops):
        return to.region(
            op.body.block, op.body.block.args, lambda inner, last: inner.clone(last)
        )
    region = op.body.clone()
    for nested in region.walk():
        nested.operands = [to.values.get(v, v) for v in nested.operands]
    return region


class Softmax(DestinationModel):
    """`linalg.softmax`: its output is not read."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """The input only."""
        return operand.index == 0

    def destination(self, operand: Operand) -> OpResult | None:
        """The output."""
        return operand.op.results[0] if operand.index == 1 else None

    def write(self, op: Operation, to: Writer) -> None:
        """Write the same op on buffers."""
        assert isinstance(op, SoftmaxOp)
        buffer = to.buffer(op, 1)
        new_op = SoftmaxOp(to.values[op.input], buffer, op.dimension.value.data)
        new_op.attributes = op.attributes.copy()
        to.add(new_op, op)
        to.bind(op.results[0], buffer)


class Reader(Model):
    """An op that only reads, and is the same on buffers: transfer_read, gather."""

    def write(self, op: Operation, to: Writer) -> None:
        """Write the same op on buffers."""
        to.clone(op)


class TransferWrite(DestinationModel):
    """`vector.transfer_write` into a tensor."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Unless the whole tensor is overwritten."""
        assert isinstance(operand.op, TransferWriteOp)
        return not writes_everything(operand.op)

    def destination(self, operand: Operand) -> OpResult | None:
        """The tensor."""
        return operand.op.results[0] if is_tensor(operand.value.type) else None

    def insertion(self, op: Operation) -> Insertion | None:
        """The vector overwrites a part of the tensor."""
        return Insertion(source=0, dest=1)

    def write(self, op: Operation, to: Writer) -> None:
        """The same op on a buffer."""
        assert isinstance(op, TransferWriteOp) and op.result is not None
        buffer = to.buffer(op, 1)
        new_op = TransferWriteOp(
            to.values[op.vector],
            buffer,
            [to.values[i] for i in op.indices],
            op.in_bounds,
            None if op.mask is None else to.values[op.mask],
            op.permutation_map,
        )
        to.add(new_op, op)
        to.bind(op.result, buffer)


def writes_everything(op: TransferWriteOp) -> bool:
    """Whether a write overwrites its whole target.

    A write in bounds with as many lanes as the target has elements covers the target.
    Any other write must start at the first element and reach the last one.
    """
    lanes = vector_type(op.vector).get_shape()
    elements = tensor_type(op.source).get_shape()
    is_masked = op.mask is not None or isinstance(op.parent_op(), MaskOp)
    if is_masked or DYNAMIC_INDEX in elements:
        return False
    if all(bool(entry) for entry in op.in_bounds) and prod(lanes) == prod(elements):
        return True
    return (
        op.permutation_map.data == AffineMap.identity(len(elements))
        and all(constant_int(index) == 0 for index in op.indices)
        and all(map(le, elements, lanes))
    )
