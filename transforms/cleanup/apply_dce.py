"""`apply_dce`: drop what nobody uses.

Before:
    %a = tensor.empty() : tensor<4xf32>        // no uses

After:
    (nothing)

Requires: nothing. Ops with effects stay.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.core.on_target import OnTargetOp
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class ApplyDceOp(OnTargetOp):
    """Eliminate dead code inside the target."""

    name = "transform.apply_dce"
    VERB: ClassVar[str | None] = "apply_dce"

    def apply(self, state: TransformState) -> None:
        """Erase dead ops until none is left."""
        for root in state.payload_ops(self.target):
            before = -1
            while before != state.rewriter.changes:
                before = state.rewriter.changes
                erase_dead(root, state.rewriter)
