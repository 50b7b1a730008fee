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

`keep_one` leaves an iteration where the mask empties all of them, so that the loop
certainly runs: an iteration that does nothing does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import Form, linear_of
from tilewright.transforms.cleanup.effects import has_no_effect
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.masks.conditions import (
    condition_of,
    conditions_in,
    decided,
    emptying_forms,
)
from tilewright.transforms.loop.masks.evaluation import Decide
from tilewright.transforms.loop.masks.iterations import (
    Grid,
    Inequality,
    at_least,
    certainly_runs,
    end_of,
    inequality,
    loop_grid,
    lower_bounds,
    upper_bounds,
    winners,
    written,
)
from tilewright.transforms.loop.masks.matches import Search
from tilewright.transforms.loop.masks.tile_data import TileData
from tilewright.transforms.loop.masks.unchanged import Changes
from tilewright.transforms.loop.shared.loop_bodies import set_range
from tilewright.transforms.loop.shared.targets import index_loop

_NOTHING = "no condition empties an iteration"
_REMEDY = "take smaller tiles along this loop, or do not trim it"


@irdl_op_definition
class TrimLoopOp(TargetOp):
    """Shrink the bounds of loops; consumes them, returns the same loops."""

    name = "transform.tilewright.trim_loop"
    FORM: ClassVar[str] = "trim <target:handle> [keep_one = <keep_one:any>]"
    SUMMARY: ClassVar[str] = "leave out the iterations that a mask empties"

    keep_one = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
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
        search = Search(TileData(loop, only_new=True), for_all=False)
        try:
            plan = Plan(loop, grid, search, tuple(self._proven(search)))
            self._check(plan)
            if self.keep_one and not certainly_runs(loop):
                raise self.refuse(
                    "the loop may have no iteration before it is trimmed",
                    loop,
                    "leave 'keep_one' off",
                )
        except SilenceableFailure:
            search.drop()
            raise
        return plan

    def _check(self, plan: Plan) -> None:
        """Refuse a plan that changes no bound."""
        new_ops = OpList()
        lower, upper = plan.bounds(plan.inequalities, new_ops)
        new_ops.drop()
        if lower is None and upper is None:
            raise self.refuse(_NOTHING, plan.loop, _REMEDY)

    def _proven(self, search: Search) -> Iterator[Inequality]:
        """The inequalities outside of which iterations are proved to do nothing."""
        loop, data = search.data.loop, search.data
        masks = list(conditions_in(loop))
        if not masks:
            raise self.refuse("no condition on indices is in the loop", loop)
        changed: int | None = None
        found: dict[Inequality, bool] = {}
        for op, compared in masks:
            condition = condition_of(compared.result, search)
            for empty in emptying_forms(condition, op, data):
                bound = inequality(empty, loop)
                if bound is None or bound in found:
                    continue
                result = None
                if not at_least(empty, Linear()):
                    result = Changes(loop).why_changed(empties(empty, search))
                found[bound] = result is None
                changed = result if changed is None else changed
        if not found and data.has_old:
            raise self.refuse(_NOTHING, loop, _REMEDY)
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
        """Give the loop its new bounds; a search only reads what the others leave."""
        loop, search = plan.loop, plan.search
        whole = upper_bounds(loop)
        searched = [b for b in plan.inequalities if search.is_behind(b.rest)]
        others = [b for b in plan.inequalities if b not in searched]
        rewriter.insert_before(loop, *search.data.new_ops.ops)
        self._set_bounds(plan, others, rewriter)
        search.insert(rewriter)
        self._set_bounds(plan, searched, rewriter)
        search.erase_unused(rewriter)
        if self.keep_one and not certainly_runs(loop):
            new_ops = OpList()
            lower, upper = plan.with_an_iteration(whole, new_ops)
            rewriter.insert_before(loop, *new_ops.ops)
            set_range(loop, lower=lower, upper=upper)
        rewriter.changed(loop)
        return loop

    def _set_bounds(
        self, plan: Plan, inequalities: Sequence[Inequality], rewriter: Rewriter
    ) -> None:
        new_ops = OpList()
        lower, upper = plan.bounds(inequalities, new_ops)
        rewriter.insert_before(plan.loop, *new_ops.ops)
        set_range(plan.loop, lower=lower, upper=upper)


@dataclass(frozen=True)
class Plan:
    """A loop, its indices, and inequalities outside of which iterations do nothing."""

    loop: scf.ForOp
    grid: Grid
    search: Search
    inequalities: tuple[Inequality, ...]

    def bounds(
        self, inequalities: Iterable[Inequality], new_ops: OpList
    ) -> tuple[SSAValue | None, SSAValue | None]:
        """The new lower and upper bound; None where the old one stays."""
        old_starts, old_ends = lower_bounds(self.loop), upper_bounds(self.loop)
        starts, ends = list(old_starts), list(old_ends)
        for bound in inequalities:
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

    def with_an_iteration(
        self, whole: Sequence[Form], new_ops: OpList
    ) -> tuple[SSAValue, SSAValue]:
        """Bounds that leave an iteration of those before `whole`, the old upper bounds.

        A first index behind the last one of the old loop becomes that one, and the
        loop ends after its first index at the earliest.
        """
        last = [self.grid.last(end).written(new_ops) for end in whole]
        starts = [linear_of(self.loop.lb), *last]
        first = new_ops.index(written(starts, new_ops, greatest=False))
        ends = [linear_of(self.loop.ub), linear_of(first) + 1]
        return first, new_ops.index(written(ends, new_ops, greatest=True))


def empties(form: Form, search: Search) -> Decide:
    """What comparisons are in an iteration in which a form is negative everywhere."""
    facts = [form * -1 - 1]
    return lambda op, compared: decided(
        condition_of(compared.result, search), op, facts, search.data
    )
