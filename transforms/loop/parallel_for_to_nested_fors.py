"""`loop.parallel_for_to_nested_fors`: turn an `scf.parallel` into sequential loops.

Before:
    scf.parallel (%i, %j) = (%c0, %c2) to (%c4, %n) step (%c1, %c3) { ... }

After:
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c2 to %n step %c3 { ... }
    }

Requires: a handle to one `scf.parallel` that reduces nothing. The one result is the
outermost loop, as upstream has it.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ParallelOp
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import OneTargetOp
from tilewright.transforms.loop.forall_to_for import replace_by_nest


@irdl_op_definition
class ParallelForToNestedForsOp(OneTargetOp):
    """Turn an `scf.parallel` into nested loops; consumes it, returns the outermost."""

    name = "transform.loop.parallel_for_to_nested_fors"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> ParallelOp:
        """Check that `op` is a parallel loop without results."""
        if not isinstance(op, ParallelOp):
            raise self.refuse(
                f"'{op.name}' is not scf.parallel", op, "match scf.parallel"
            )
        if op.results:
            raise self.refuse(
                "the loop reduces values", op, remedy="write it as scf.for"
            )
        return op

    def rewrite(self, loop: ParallelOp, rewriter: Rewriter) -> scf.ForOp:
        """Replace the loop by a nest; its outermost loop."""
        ranges = list(loop.lower_bounds), list(loop.upper_bounds), list(loop.steps)
        return replace_by_nest(loop, *ranges, rewriter)[0]
