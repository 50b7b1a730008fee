"""Models of ops that make new tensors: empty, alloc_tensor, constants, ..."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, OpResult, SSAValue

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.types import tensor_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import Model, Obstacle
from tilewright.transforms.bufferization.tensor_facts import Facts


class Empty(Model):
    """`tensor.empty` becomes `memref.alloc`."""

    def defines(self, result: OpResult, facts: Facts) -> bool:
        """It has no contents."""
        return False

    def write(self, op: Operation, to: Writer) -> None:
        """Allocate."""
        assert isinstance(op, tensor.EmptyOp)
        sizes = [to.values[size] for size in op.dynamic_sizes]
        to.bind(op.tensor, to.allocate(tensor_type(op.tensor), sizes, op))


class AllocTensor(Model):
    """`bufferization.alloc_tensor` becomes `memref.alloc`, perhaps with a copy."""

    def defines(self, result: OpResult, facts: Facts) -> bool:
        """A copy has contents."""
        assert isinstance(result.op, AllocTensorOp)
        return result.op.copy is not None

    def write(self, op: Operation, to: Writer) -> None:
        """Allocate, and copy."""
        assert isinstance(op, AllocTensorOp)
        kind, space = tensor_type(op.tensor), op.memory_space
        if op.copy is not None:
            new = to.fresh(to.values[op.copy], kind, op, space=space)
        else:
            sizes = [to.values[v] for v in op.dynamic_sizes]
            new = to.allocate(kind, sizes, op, space)
        to.bind(op.tensor, new)


class Constant(Model):
    """`arith.constant` of a tensor becomes a `memref.global`, which is read-only."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Only dense constants are supported."""
        assert isinstance(op, arith.ConstantOp)
        if isinstance(op.value, DenseIntOrFPElementsAttr):
            return None
        return Obstacle(f"'{op.name}' of this value cannot be bufferized")

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Constants must not be written."""
        return False

    def write(self, op: Operation, to: Writer) -> None:
        """Get the global."""
        assert isinstance(op, arith.ConstantOp)
        assert isinstance(op.value, DenseIntOrFPElementsAttr)
        to.bind(op.result, to.add(to.constants.get(op.value), op).results[0])


class Expanded(Model):
    """pad, generate, splat, from_elements, concat: expanded before writing.

    `expand_ops.py` replaces them; only `test_analysis_only` sees them.
    """

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError(f"'{op.name}' is spelled out before")
