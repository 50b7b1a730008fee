"""`transform.param.constant`: a parameter with a fixed value.

%p = transform.param.constant 4 : i64 -> !transform.param<i64>
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.transforms.core.base import (
    AnyParamType,
    ParamType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState


def param_type(value: Attribute) -> TransformParamHandleType:
    """The type of a parameter that holds `value`."""
    return ParamType(value.type) if isa(value, IntegerAttr) else AnyParamType()


@irdl_op_definition
class ParamConstantOp(TransformOp):
    """A parameter with a fixed value."""

    name = "transform.param.constant"
    ONLY_LOOKS: ClassVar[bool] = True

    value = prop_def()
    param = result_def(TransformParamHandleType)

    assembly_format = "$value attr-dict `->` type($param)"

    def __init__(self, value: int | Attribute):
        attribute = IntegerAttr(value, i64) if isinstance(value, int) else value
        super().__init__(
            properties={"value": attribute}, result_types=[param_type(attribute)]
        )

    def apply(self, state: TransformState) -> None:
        """Set the result."""
        state.set_params(self.param, [self.value])
