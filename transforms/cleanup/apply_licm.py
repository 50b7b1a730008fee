"""`apply_licm`: compute before a loop what does not change in it.

Before:
    scf.for %i = ... {
      %m = vector.create_mask %a, %b : vector<8x8xi1>     // %a, %b from outside

After:
    %m = vector.create_mask %a, %b : vector<8x8xi1>
    scf.for %i = ... {

Requires: a handle to loops. Ops with effects stay where they are, as do control flow
and divisions by what may be 0: the loop may not run at all.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation
from xdsl.irdl import irdl_op_definition
from xdsl.traits import IsTerminator, is_side_effect_free

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.cleanup.patterns.constants import constant_int
from tilewright.transforms.on_target import OnTargetOp
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.state import TransformState


@irdl_op_definition
class ApplyLicmOp(OnTargetOp):
    """Move loop-invariant code out of loops."""

    name = "transform.apply_licm"
    VERB: ClassVar[str | None] = "licm"

    def apply(self, state: TransformState) -> None:
        """Hoist out of each loop the target points at."""
        for loop in state.payload_ops(self.target):
            if not isinstance(loop, scf.ForOp | ForallOp):
                raise self.refuse(f"'{loop.name}' is not a loop", loop, "match scf.for")
        for loop in state.payload_ops(self.target):
            hoist_invariant(loop, state.rewriter)


def hoist_invariant(loop: Operation, rewriter: Rewriter) -> None:
    """Move the invariant ops of a loop's body in front of it, in order."""
    for op in list(loop.regions[0].block.ops):
        if op.has_trait(IsTerminator) or not is_side_effect_free(op):
            continue
        if op.regions and not isinstance(op, StructuredOp):
            continue
        if any(_may_trap(nested) for nested in op.walk()):
            continue
        used = [operand.owner for nested in op.walk() for operand in nested.operands]
        if all(op.is_ancestor(o) or is_defined_outside(o, loop) for o in used):
            rewriter.move_before(op, loop)


DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
    arith.FloorDivSIOp,
)


def _may_trap(op: Operation) -> bool:
    """Whether running an op where it did not run before may be undefined."""
    return isinstance(op, DIVISIONS) and not constant_int(op.operands[1])


def is_defined_outside(owner: Operation | Block, loop: Operation) -> bool:
    """Whether a value's owner lies outside of `loop`."""
    return not loop.is_ancestor(owner)
