"""`loop.promote_if_one_iteration`: replace a loop that runs once by its body.

Before:
    %r = scf.for %i = %c0 to %c3 step %c4 iter_args(%x = %a) -> (f32) {
      %y = arith.addf %x, %x : f32
      scf.yield %y : f32
    }

After:
    %r = arith.addf %a, %a : f32

An `scf.for` that never runs becomes its initial values. Other loops stay as they are.

As upstream, an `affine.for` stays: canonicalization drops it.

Requires: a handle to `scf.for`, `scf.forall` or `affine.for`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import InsertSliceOp, ParallelInsertSliceOp, slice_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.shared.loop_bodies import promote


@irdl_op_definition
class LoopPromoteIfOneIterationOp(TargetOp):
    """Promote loops that run at most once; consumes the handle."""

    name = "transform.loop.promote_if_one_iteration"
    FORM: ClassVar[str] = "promote <target:handle>"
    SUMMARY: ClassVar[str] = "replace a loop that runs once by its body"

    assembly_format = "$target attr-dict `:` type($target)"

    def analyze(self, op: Operation) -> scf.ForOp | ForallOp | affine.ForOp:
        """Check that `op` is a loop."""
        if not isinstance(op, scf.ForOp | ForallOp | affine.ForOp):
            raise self.broken(f"'{op.name}' is not a loop", op, "match scf.for")
        return op

    def rewrite(
        self, loop: scf.ForOp | ForallOp | affine.ForOp, rewriter: Rewriter
    ) -> None:
        """Promote a loop that runs once."""
        if isinstance(loop, scf.ForOp):
            promote(loop, rewriter)
        elif isinstance(loop, ForallOp) and runs_once(loop):
            promote_forall(loop, rewriter)


def runs_once(loop: ForallOp) -> bool:
    """Whether each of a forall's loops is known to run exactly once."""
    for bounds in zip(loop.lower_bounds, loop.upper_bounds, loop.steps, strict=True):
        lower, upper, step = (constant_int(bound) for bound in bounds)
        if lower is None or upper is None or step is None:
            return False
        if not lower < upper <= lower + step:
            return False
    return True


def promote_forall(loop: ForallOp, rewriter: Rewriter) -> None:
    """Replace the loop by its body; parallel insertions become plain ones."""
    head = OpList()
    for index, lower in zip(loop.induction_vars, loop.lower_bounds, strict=True):
        index.replace_all_uses_with(head.index(lower))
    rewriter.insert_before(loop, *head.ops)
    written: dict[SSAValue, SSAValue] = {}
    written.update(zip(loop.shared_outs, loop.outputs, strict=True))
    insertions = list(loop.terminator.region.block.ops)
    for op in list(loop.body.block.ops):
        if op is not loop.terminator:
            rewriter.move_before(op, loop)
    for op in insertions:
        assert isinstance(op, ParallelInsertSliceOp)
        insert = InsertSliceOp(op.source, written[op.dest], *slice_of(op))
        insert.location = op.location
        rewriter.insert_before(loop, insert)
        written[op.dest] = insert.result
        rewriter.erase(op)
    results = [written[out] for out in loop.shared_outs]
    for out, output in zip(loop.shared_outs, loop.outputs, strict=True):
        out.replace_all_uses_with(output)
    rewriter.replace(loop, results)
