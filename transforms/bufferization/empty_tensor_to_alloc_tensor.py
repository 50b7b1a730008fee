"""`bufferization.empty_tensor_to_alloc_tensor`: give a tensor its own buffer.

Before:
    %e = tensor.empty(%n) : tensor<?x8xf32>

After:
    %e = bufferization.alloc_tensor(%n) : tensor<?x8xf32>

Requires: a handle declared to point at `tensor.empty`.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.transforms.core.base import OperationType, TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp, check_handle

_ALLOC = OperationType("bufferization.alloc_tensor")


@irdl_op_definition
class EmptyTensorToAllocTensorOp(TargetOp):
    """Replace `tensor.empty` by `bufferization.alloc_tensor`; consumes the handle."""

    name = "transform.bufferization.empty_tensor_to_alloc_tensor"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check that the handles have the types that upstream requires."""
        check_handle(self.target.type, tensor.EmptyOp.name)
        if self.transformed.type != _ALLOC:
            raise VerifyException(
                f"result 0 must be {_ALLOC}, but is {self.transformed.type}"
            )

    def analyze(self, op: Operation) -> tensor.EmptyOp:
        """Check that `op` is a `tensor.empty`."""
        if not isinstance(op, tensor.EmptyOp):
            raise self.refuse(
                f"'{op.name}' is not tensor.empty", op, remedy="match tensor.empty"
            )
        return op

    def rewrite(self, empty: tensor.EmptyOp, rewriter: Rewriter) -> Operation:
        """Replace one `tensor.empty`."""
        return to_alloc(empty, rewriter)


def to_alloc(empty: tensor.EmptyOp, rewriter: Rewriter) -> Operation:
    """Replace one `tensor.empty`; returns the new op."""
    alloc = AllocTensorOp.build(
        operands=[list(empty.dynamic_sizes), [], []],
        result_types=[empty.tensor.type],
    )
    rewriter.replace_with(empty, alloc)
    return alloc
