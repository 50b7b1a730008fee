"""`loop.forall_to_for`: turn an `scf.forall` on buffers into sequential loops.

Before:
    scf.forall (%i, %j) = (0, 2) to (4, %n) step (1, 3) { ... }

After:
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c2 to %n step %c3 { ... }
    }

Requires: a handle to one `scf.forall` without shared outputs, and a result for each of
its loops, outermost first.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, var_result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import INDEX, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import OneTargetOp


@irdl_op_definition
class ForallToForOp(OneTargetOp):
    """Turn a forall into nested loops; consumes it, returns the loops."""

    name = "transform.loop.forall_to_for"

    transformed = var_result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> ForallOp:
        """Check that `op` is a forall on buffers, with a result for each loop."""
        forall = bufferized_forall(self, op)
        if forall.rank != len(self.transformed):
            raise self.refuse(
                f"{forall.rank} loops are made, but {len(self.transformed)} results "
                "are bound",
                forall,
                remedy="bind one result for each dimension of the scf.forall",
            )
        return forall

    def rewrite(self, forall: ForallOp, rewriter: Rewriter) -> list[scf.ForOp]:
        """Replace the forall by a loop nest; the loops, outermost first."""
        return replace_forall(forall, rewriter)


def bufferized_forall(user: TransformOp, op: Operation) -> ForallOp:
    """The forall on buffers that `op` is, or a refusal."""
    if not isinstance(op, ForallOp):
        raise user.refuse(f"'{op.name}' is not scf.forall", op, "match scf.forall")
    if op.outputs:
        raise user.refuse("the forall has shared outputs", op, "bufferize first")
    return op


def replace_forall(forall: ForallOp, rewriter: Rewriter) -> list[scf.ForOp]:
    """Replace a forall without shared outputs; the loops, outermost first."""
    bounds = OpList()
    lower, upper, steps = range_of(forall, bounds)
    rewriter.insert_before(forall, *bounds.ops)
    return replace_by_nest(forall, lower, upper, steps, rewriter)


Values = list[SSAValue]


def range_of(forall: ForallOp, new_ops: OpList) -> tuple[Values, Values, Values]:
    """Lower bounds, upper bounds and steps of a forall as values."""
    return (
        [new_ops.index(bound) for bound in forall.lower_bounds],
        [new_ops.index(bound) for bound in forall.upper_bounds],
        [new_ops.index(step) for step in forall.steps],
    )


def replace_by_nest(
    parallel: Operation,
    lower_bounds: Sequence[SSAValue],
    upper_bounds: Sequence[SSAValue],
    steps: Sequence[SSAValue],
    rewriter: Rewriter,
) -> list[scf.ForOp]:
    """Replace a parallel loop nest without results; the loops, outermost first."""
    loops: list[scf.ForOp] = []
    for lower, upper, step in zip(lower_bounds, upper_bounds, steps, strict=True):
        loop = scf.ForOp(lower, upper, step, [], Region(Block(arg_types=[INDEX])))
        loop.location = parallel.location
        if loops:
            loops[-1].body.block.add_ops([loop, scf.YieldOp()])
        loops.append(loop)
    body = parallel.regions[0].block
    for index, loop in zip(body.args, loops, strict=True):
        own = loop.body.block.args[0]
        own.name_hint = index.name_hint
        index.replace_all_uses_with(own)
    innermost = loops[-1].body.block
    for op in list(body.ops):
        if op is not body.last_op:
            op.detach()
            innermost.add_op(op)
    innermost.add_op(scf.YieldOp())
    rewriter.insert_before(parallel, loops[0])
    rewriter.replace(parallel, [], stands_for=loops[0])
    return loops
