"""`loop.parallel_for_to_nested_fors`: an `scf.parallel` as loops one after the other.

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

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from tilewright.ir.dialects.scf import ParallelOp
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.loop.forall_to_for import replace_by_nest


@irdl_op_definition
class ParallelForToNestedForsOp(TransformOp):
    """Turn an `scf.parallel` into nested loops; consumes it, returns the outermost."""

    name = "transform.loop.parallel_for_to_nested_fors"
    VERB: ClassVar[str | None] = "parallel_for_to_nested_fors"

    target = operand_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def __init__(self, target: SSAValue):
        super().__init__(operands=[target], result_types=[AnyOpType()])

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The parallel loop is gone."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Check the loop and rewrite it."""
        ops = state.payload_ops(self.target)
        if len(ops) != 1:
            raise self.refuse(
                f"needs one payload op, the handle points at {len(ops)}",
                remedy="split the handle, or call it in transform.foreach",
            )
        (op,) = ops
        if not isinstance(op, ParallelOp):
            raise self.refuse(
                f"'{op.name}' is not scf.parallel", op, "match scf.parallel"
            )
        if op.results:
            raise self.refuse(
                "the loop reduces values", op, remedy="write it as scf.for"
            )
        ranges = list(op.lower_bounds), list(op.upper_bounds), list(op.steps)
        loops = replace_by_nest(op, *ranges, state.rewriter)
        state.set_ops(self.transformed, loops[:1])
