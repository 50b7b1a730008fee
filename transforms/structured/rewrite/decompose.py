"""`decompose`: reduce the dimensions of a convolution.

Upstream's op turns a 2-d convolution or pooling whose window has height or width 1 into
a 1-d one. There are no named convolutions here, so it refuses whatever it is given,
as upstream does for every other op, and says what to use instead.

Requires: a named convolution.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from tilewright.ir.dialects.linalg import SoftmaxOp
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class DecomposeOp(TransformOp):
    """Decompose convolutions; consumes the target."""

    name = "transform.structured.decompose"

    target = operand_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target, as upstream declares it."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Refuse the first target; without any, there is nothing to do."""
        for op in state.payload_ops(self.target):
            remedy = (
                self.worded(
                    mlir="use structured.decompose_interface", tw="use 'decompose'"
                )
                if isinstance(op, SoftmaxOp)
                else None
            )
            raise self.refuse(f"'{op.name}' is not a named convolution", op, remedy)
        state.set_ops(self.transformed, [])
