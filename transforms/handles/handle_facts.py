"""What a handle stands for, as a parameter: how many things, or the types of values.

%n = transform.num_associations %h : (!transform.any_op) -> !transform.param<i64>
%t = transform.get_type elemental %v : (!transform.any_value) -> !transform.type
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, UnitAttr, i64
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.types import element_type
from tilewright.transforms.core.base import (
    ParamType,
    TransformHandleType,
    TransformOp,
    TransformParamHandleType,
    TransformValueHandleType,
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


@irdl_op_definition
class GetTypeOp(TransformOp):
    """The types of values, or those of their elements."""

    name = "transform.get_type"

    value = operand_def(TransformValueHandleType)
    elemental = opt_prop_def(UnitAttr)
    type_param = result_def(TransformParamHandleType)

    assembly_format = (
        "(`elemental` $elemental^)? $value attr-dict `:` "
        "functional-type(operands, results)"
    )

    def apply(self, state: TransformState) -> None:
        """Read the types."""
        types = [value.type for value in state.payload_values(self.value)]
        if self.elemental is not None:
            types = [element_type(of) for of in types]
        state.set_params(self.type_param, types)
