"""`loop.forall_to_for`: a parallel loop nest on buffers as loops one after the other.

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
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, var_result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import INDEX, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class ForallToForOp(TransformOp):
    """Turn a forall into nested loops; consumes it, returns the loops."""

    name = "transform.loop.forall_to_for"
    VERB: ClassVar[str | None] = "forall_to_for"

    target = operand_def(TransformOpHandleType)
    transformed = var_result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def __init__(self, target: SSAValue, result_types: Sequence[Attribute]):
        super().__init__(operands=[target], result_types=[result_types])

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The forall is gone."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Check the forall and rewrite it."""
        forall = bufferized_forall(self, state, self.target)
        if forall.rank != len(self.transformed):
            raise self.refuse(
                f"{forall.rank} loops are made, but {len(self.transformed)} results "
                "are bound",
                forall,
                remedy="bind one result for each dimension of the scf.forall",
            )
        loops = rewrite(Plan(forall), state.rewriter)
        for handle, loop in zip(self.transformed, loops, strict=True):
            state.set_ops(handle, [loop])


def bufferized_forall(
    user: TransformOp, state: TransformState, handle: SSAValue
) -> ForallOp:
    """The one forall on buffers that a handle points at, or a refusal."""
    ops = state.payload_ops(handle)
    if len(ops) != 1:
        raise user.refuse(
            f"needs one payload op, the handle points at {len(ops)}",
            remedy="split the handle, or use foreach",
        )
    (op,) = ops
    if not isinstance(op, ForallOp):
        raise user.refuse(f"'{op.name}' is not scf.forall", op, "match scf.forall")
    if op.outputs:
        raise user.refuse("the forall has shared outputs", op, "bufferize first")
    return op


@dataclass(frozen=True)
class Plan:
    """A forall without shared outputs."""

    forall: ForallOp


def rewrite(plan: Plan, rewriter: Rewriter) -> list[scf.ForOp]:
    """Replace the forall by a loop nest; the loops, outermost first."""
    forall = plan.forall
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
