"""Transform ops of the form `transform.loop.verb %loops {factor = 4} : type`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import ParsePropInAttrDict, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformOp, TransformOpHandleType

MOST_OPS = 50_000
"""Copies of a loop's ops; more would take minutes in every later step."""


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

    def check_size(self, loops: Sequence[Operation]) -> None:
        """Refuse what would make more ops than anyone can compile."""
        factor = self.factor.value.data
        for loop in loops:
            made = factor * (sum(1 for _ in loop.walk()) - 1)
            if made > MOST_OPS:
                raise self.refuse(
                    f"a factor of {factor} makes {made} ops, and the limit is "
                    f"{MOST_OPS}",
                    loop,
                    "choose a smaller factor",
                )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The loops are not what they were."""
        return (self.target,)
