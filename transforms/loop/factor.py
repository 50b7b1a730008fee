"""Transform ops of the form `transform.loop.verb %loops {factor = 4} : type`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import ParsePropInAttrDict, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.base import TransformOp, TransformOpHandleType


class FactorOp(TransformOp):
    """An op that consumes loops and makes each iteration do the work of several."""

    target = operand_def(TransformOpHandleType)
    factor = prop_def(IntegerAttr.constr(i64))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` type($target)"

    def __init__(self, target: SSAValue, factor: int):
        super().__init__(
            operands=[target], properties={"factor": IntegerAttr(factor, i64)}
        )

    def verify_(self) -> None:
        """A factor of at least 1."""
        if self.factor.value.data < 1:
            raise VerifyException("attribute 'factor' must be positive")

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The loops are not what they were."""
        return (self.target,)
