"""`transform.select`: the ops of a handle that have one name.

%m = transform.select "linalg.matmul" in %h : (!transform.any_op) -> !transform.any_op
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class SelectOp(TransformOp):
    """The ops of a handle that have one name, in order."""

    name = "transform.select"
    ONLY_LOOKS: ClassVar[bool] = True
    FORM: ClassVar[str] = "select <op_name:string> in <target:handle>"
    SUMMARY: ClassVar[str] = "keep the ops of a handle that have a name"

    op_name = prop_def(StringAttr)
    target = operand_def(TransformOpHandleType)
    result = result_def(TransformOpHandleType)

    assembly_format = (
        "$op_name `in` $target attr-dict `:` functional-type(operands, results)"
    )

    def foresee(self, results: Foreseen) -> None:
        """Part of the handle."""
        results.parts()

    def apply(self, state: TransformState) -> None:
        """Keep the ops of that name."""
        wanted = self.op_name.data
        ops = state.payload_ops(self.target)
        state.set_ops(self.result, [op for op in ops if op.name == wanted])
