"""`apply_licm`: move loop-invariant code in front of the loop.

Before:
    scf.for %i = ... {
      %m = vector.create_mask %a, %b : vector<8x8xi1>     // %a, %b from outside

After:
    %m = vector.create_mask %a, %b : vector<8x8xi1>
    scf.for %i = ... {

Requires: a handle to loops. Ops with effects stay. So do ops that must not run if the
loop has no iterations: a division by a value that may be 0, a loop that may not end. An
op with a body moves as a whole; this includes structured ops on tensors.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Block, Operation
from xdsl.irdl import irdl_op_definition
from xdsl.traits import IsTerminator

from tilewright.ir.indexing.loops import LOOP_LIKE
from tilewright.transforms.cleanup.effects import has_no_effect, may_run_early
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import InPlaceOp


@irdl_op_definition
class ApplyLicmOp(InPlaceOp):
    """Move loop-invariant code out of loops."""

    name = "transform.apply_licm"
    FORM: ClassVar[str] = "licm <target:handle>"
    SUMMARY: ClassVar[str] = "move invariant ops out of loops"

    KEYWORD: ClassVar[str | None] = "to"

    def foresee(self, results: Foreseen) -> None:
        """Ops move out of loops."""
        results.moved_out()

    def analyze(self, op: Operation) -> Operation:
        """Check that `op` is a loop."""
        if op.name not in LOOP_LIKE:
            raise self.refuse(f"'{op.name}' is not a loop", op, "match scf.for")
        return op

    def rewrite(self, plan: Operation, rewriter: Rewriter) -> None:
        """Hoist out of one loop."""
        hoist_invariant(plan, rewriter)


def hoist_invariant(loop: Operation, rewriter: Rewriter) -> None:
    """Move the invariant ops of a loop's body in front of it, in order."""
    for op in [op for region in loop.regions for op in region.block.ops]:
        if op.has_trait(IsTerminator) or not has_no_effect(op):
            continue
        if is_invariant(op, loop) and may_run_early(op):
            rewriter.move_before(op, loop)


def is_invariant(op: Operation, loop: Operation) -> bool:
    """Whether neither an op nor an op inside it reads what the loop computes."""
    return all(
        is_defined_outside(operand.owner, loop) or op.is_ancestor(operand.owner)
        for nested in op.walk()
        for operand in nested.operands
    )


def is_defined_outside(owner: Operation | Block, loop: Operation) -> bool:
    """Whether a value's owner lies outside of `loop`."""
    return not loop.is_ancestor(owner)
