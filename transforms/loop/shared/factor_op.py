"""Transform ops of the form `transform.loop.verb %loops {factor = 4} : type`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation
from xdsl.irdl import prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp

MOST_OPS = 50_000
"""The most ops that copying may make; more would take minutes in later steps."""


class FactorOp(TargetOp):
    """An op that consumes loops and makes each iteration do the work of several."""

    factor = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$target attr-dict `:` type($target)"

    def verify_(self) -> None:
        """Check that the factor is positive."""
        if self.factor.value.data < 1:
            raise VerifyException("attribute 'factor' must be positive")

    def plans(self, state: TransformState) -> Sequence[Any]:
        """One plan for each loop, if the copies of their ops are not too many."""
        plans = super().plans(state)
        self._check_size(state.payload_ops(self.target))
        return plans

    def _check_size(self, loops: Sequence[Operation]) -> None:
        """Refuse a factor that would make too many ops."""
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
