"""`apply_dce`: erase ops whose results are not used.

Before:
    %a = tensor.empty() : tensor<4xf32>        // no uses

After:
    (nothing)

Requires: nothing. Ops with effects stay.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition

from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import InPlaceOp


@irdl_op_definition
class ApplyDceOp(InPlaceOp):
    """Eliminate dead code inside the target."""

    name = "transform.apply_dce"
    FORM: ClassVar[str] = "dce <target:handle>"
    SUMMARY: ClassVar[str] = "remove ops whose results nothing uses"

    KEYWORD: ClassVar[str | None] = "to"

    def rewrite(self, plan: Operation, rewriter: Rewriter) -> None:
        """Erase dead ops until none is left."""
        before = -1
        while before != rewriter.changes:
            before = rewriter.changes
            erase_dead(plan, rewriter)
