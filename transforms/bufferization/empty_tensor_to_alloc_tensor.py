"""`bufferization.empty_tensor_to_alloc_tensor`: a tensor that gets a buffer of its own.

Before:
    %e = tensor.empty(%n) : tensor<?x8xf32>

After:
    %e = bufferization.alloc_tensor(%n) : tensor<?x8xf32>

Requires: a handle declared to point at `tensor.empty`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.transforms.core.base import (
    OperationType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState

_EMPTY = OperationType("tensor.empty")
_ALLOC = OperationType("bufferization.alloc_tensor")


@irdl_op_definition
class EmptyTensorToAllocTensorOp(TransformOp):
    """Replace `tensor.empty` by `bufferization.alloc_tensor`; consumes the handle."""

    name = "transform.bufferization.empty_tensor_to_alloc_tensor"
    VERB: ClassVar[str | None] = "empty_tensor_to_alloc_tensor"

    target = operand_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def __init__(self, target: SSAValue):
        super().__init__(operands=[target], result_types=[_ALLOC])

    def verify_(self) -> None:
        """Handles of the types that upstream wants."""
        if self.target.type != _EMPTY:
            raise VerifyException(
                f"operand 0 must be a handle to tensor.empty operations, {_EMPTY}, but "
                f"is {self.target.type}; match with that type, or use transform.cast"
            )
        if self.transformed.type != _ALLOC:
            raise VerifyException(
                f"result 0 must be {_ALLOC}, but is {self.transformed.type}"
            )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The empty tensors are gone."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Replace each of them."""
        targets: list[tensor.EmptyOp] = []
        for op in state.payload_ops(self.target):
            if not isinstance(op, tensor.EmptyOp):
                raise self.refuse(
                    f"'{op.name}' is not tensor.empty", op, remedy="match tensor.empty"
                )
            targets.append(op)
        made = [to_alloc(op, state.rewriter) for op in targets]
        state.set_ops(self.transformed, made)


def to_alloc(empty: tensor.EmptyOp, rewriter: Rewriter) -> Operation:
    """Replace one `tensor.empty`; what stands for it."""
    alloc = AllocTensorOp.build(
        operands=[list(empty.dynamic_sizes), [], []],
        result_types=[empty.tensor.type],
    )
    rewriter.replace_with(empty, alloc)
    return alloc
