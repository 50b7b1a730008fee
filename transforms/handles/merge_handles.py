"""`transform.merge_handles`: one handle to what several point at, in their order.

%grids = transform.merge_handles %g, %h : !transform.any_op
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.transform import TransformHandleType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    VarConstraint,
    base,
    irdl_op_definition,
    opt_prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class MergeHandlesOp(TransformOp):
    """One handle to what several point at, in their order."""

    name = "transform.merge_handles"
    ONLY_LOOKS: ClassVar[bool] = True
    KEEPS_TYPE: ClassVar[bool] = True

    T: ClassVar = VarConstraint("T", base(TransformHandleType))

    deduplicate = opt_prop_def(UnitAttr)
    handles = var_operand_def(T)
    result = result_def(T)

    assembly_format = (
        "(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)"
    )

    def __init__(self, handles: Sequence[SSAValue], *, deduplicate: bool = False):
        super().__init__(
            operands=[handles],
            properties={"deduplicate": UnitAttr() if deduplicate else None},
            result_types=[handles[0].type],
        )

    def verify_(self) -> None:
        """Check that there are handles, all of the result's type."""
        if not self.handles or any(h.type != self.result.type for h in self.handles):
            raise VerifyException("merges one or more handles of one type")

    def foresee(self, results: Foreseen) -> None:
        """The same payload."""
        results.same()

    def apply(self, state: TransformState) -> None:
        """Concatenate; with `deduplicate`, keep the first of equals."""
        items = [item for handle in self.handles for item in state.items(handle)]
        merged = list(dict.fromkeys(items)) if self.deduplicate is not None else items
        state.set_items(self.result, merged)
