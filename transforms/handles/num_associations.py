"""`transform.num_associations`: how many ops, values or parameters a handle has.

%n = transform.num_associations %h : (!transform.any_op) -> !transform.param<i64>
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.hints import isa

from tilewright.transforms.core.base import (
    ParamType,
    TransformHandleType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class NumAssociationsOp(TransformOp):
    """How many ops, values or parameters a handle stands for."""

    name = "transform.num_associations"
    ONLY_LOOKS: ClassVar[bool] = True

    handle = operand_def(TransformHandleType)
    num = result_def(TransformParamHandleType)

    assembly_format = "$handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Count the payload."""
        declared = self.num.type
        kind = declared.type if isinstance(declared, ParamType) else i64
        if not isa(kind, IntegerType | IndexType):
            raise self.broken(f"a count is an integer, not {kind}")
        count = len(state.items(self.handle))
        state.set_params(self.num, [IntegerAttr(count, kind)])
