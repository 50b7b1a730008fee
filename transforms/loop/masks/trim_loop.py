"""`trim_loop`: shrink a loop to the iterations that can change a value. Not upstream's.

Before:
    %r = scf.for %j = %c0 to %c512 step %c64 iter_args(%acc = %a) -> (...) {
      %p = linalg.generic ...   // select(j + jj <= i + ii, x, 0)
      %n = linalg.matmul ins(%p, %b) outs(%acc)
      scf.yield %n
    }

After:
    %end = affine.apply affine_map<(d0) -> (d0 + 128)>(%i)
    %r = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %a) -> (...) { ... }

Requires: a loop over tensors with a constant step; a condition on indices in the body
of a structured op, linear in the loop's index; and a proof that the iterations in which
the condition fails at every element change no carried value (`unchanged.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import Form
from tilewright.transforms.cleanup.effects import has_no_effect
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.masks.conditions import (
    comparisons,
    condition_of,
    conditions_in,
    decided,
    greatest_in_tile,
)
from tilewright.transforms.loop.masks.evaluation import Decide
from tilewright.transforms.loop.masks.iterations import (
    Grid,
    Inequality,
    at_least,
    end_of,
    inequality,
    loop_grid,
    lower_bounds,
    upper_bounds,
    winners,
    written,
)
from tilewright.transforms.loop.masks.unchanged import Changes
from tilewright.transforms.loop.shared.loop_bodies import set_range
from tilewright.transforms.loop.shared.targets import index_loop


@irdl_op_definition
class TrimLoopOp(TargetOp):
    """Shrink the bounds of loops; consumes them, returns the same loops."""

    name = "transform.tilewright.trim_loop"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Find the conditions that empty whole iterations, and prove that they do."""
        loop = index_loop(self, op)
        grid = loop_grid(loop)
        if grid is None:
            raise self.refuse("the step is not a constant", loop, "tile by a number")
        if not has_no_effect(loop):
            raise self.refuse(
                "the loop writes to buffers", loop, "trim it before bufferizing"
            )
        plan = Plan(loop, grid, tuple(self._proven(loop)))
        new_ops = OpList()
        lower, upper = plan.bounds(new_ops)
        new_ops.drop()
        if lower is None and upper is None:
            raise self.refuse("no condition empties an iteration", loop)
        return plan

    def _proven(self, loop: scf.ForOp) -> Iterator[Inequality]:
        """The inequalities outside of which iterations are proved to do nothing."""
        masks = list(conditions_in(loop))
        if not masks:
            raise self.refuse("no condition on indices is in the loop", loop)
        changed: int | None = None
        found: dict[Inequality, bool] = {}
        for op, compared in masks:
            for comparison in comparisons(condition_of(compared.result)):
                for either in (comparison, comparison.negated):
                    empty = greatest_in_tile(either.form, op)
                    bound = None if empty is None else inequality(empty, loop)
                    if empty is None or bound is None or bound in found:
                        continue
                    result = None
                    if not at_least(empty, Linear()):
                        result = Changes(loop).why_changed(empties(empty))
                    found[bound] = result is None
                    changed = result if changed is None else changed
        if not found:
            raise self.refuse(
                "the condition is not linear in the loop's index and values from "
                "outside of the loop",
                masks[0][1],
            )
        if not any(found.values()):
            raise self.refuse(
                f"result {changed} of the loop may change in an iteration where the "
                "condition fails at every element",
                masks[0][1],
                "select the neutral element of the reduction where it fails",
            )
        yield from (bound for bound, is_proven in found.items() if is_proven)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> scf.ForOp:
        """Give the loop its new bounds."""
        new_ops = OpList()
        lower, upper = plan.bounds(new_ops)
        rewriter.insert_before(plan.loop, *new_ops.ops)
        set_range(plan.loop, lower=lower, upper=upper)
        rewriter.changed(plan.loop)
        return plan.loop


@dataclass(frozen=True)
class Plan:
    """A loop, its indices, and inequalities outside of which iterations do nothing."""

    loop: scf.ForOp
    grid: Grid
    inequalities: tuple[Inequality, ...]

    def bounds(self, new_ops: OpList) -> tuple[SSAValue | None, SSAValue | None]:
        """The new lower and upper bound; None where the old one stays."""
        old_starts, old_ends = lower_bounds(self.loop), upper_bounds(self.loop)
        starts, ends = list(old_starts), list(old_ends)
        for bound in self.inequalities:
            if bound.is_upper:
                ends.append(end_of(bound).written(new_ops))
            else:
                starts.append(self.grid.start(bound).written(new_ops))
        lower = upper = None
        if winners(starts, greatest=True) != winners(old_starts, greatest=True):
            lower = new_ops.index(written(starts, new_ops, greatest=True))
        if winners(ends, greatest=False) != winners(old_ends, greatest=False):
            upper = new_ops.index(written(ends, new_ops, greatest=False))
        return lower, upper


def empties(form: Form) -> Decide:
    """What comparisons are in an iteration in which a form is negative everywhere."""
    facts = [form * -1 - 1]
    return lambda op, compared: decided(condition_of(compared.result), op, facts)
