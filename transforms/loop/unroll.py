"""`loop.unroll`: do several iterations in one.

Before:
    %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %a) -> (f32) {
      %y = "f"(%i, %x)
      scf.yield %y : f32
    }

After `{factor = 4}`:
    %m = scf.for %i = %c0 to %c8 step %c4 iter_args(%x = %a) -> (f32) {
      %y0 = "f"(%i, %x)
      %i1 = arith.addi %i, %c1 : index
      %y1 = "f"(%i1, %y0)
      ...
      scf.yield %y3 : f32
    }
    %r = scf.for %i = %c8 to %c10 step %c1 iter_args(%x = %m) -> (f32) { ... }

A loop that then runs only once is replaced by its body, one that never runs is
dropped.

Requires: `scf.for`; or `affine.for` with one lower and one upper bound, which runs as
often as the factor at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import affine, arith, scf
from tilewright.ir.indexing.loops import constant_bounds, trip_count
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.loop.shared import affine_loops
from tilewright.transforms.loop.shared.factor_op import FactorOp
from tilewright.transforms.loop.shared.loop_bodies import (
    clone_body,
    constant_like,
    promote,
    set_range,
)
from tilewright.transforms.loop.shared.loop_bounds import is_in_order, is_trusted
from tilewright.transforms.loop.shared.targets import for_loop


@irdl_op_definition
class LoopUnrollOp(FactorOp):
    """Unroll loops by a factor; consumes them."""

    name = "transform.loop.unroll"
    FORM: ClassVar[str] = "unroll <target:handle> by <factor:param>"
    SUMMARY: ClassVar[str] = "do several iterations of a loop in one"

    def analyze(self, op: Operation) -> Plan | AffinePlan:
        """Check that `op` is a loop."""
        if isinstance(op, affine.ForOp):
            return self._affine_plan(op)
        loop = for_loop(self, op)
        trips = trip_count(loop)
        may_be_empty = trips is None and not is_in_order(loop)
        return Plan(loop, self.factor.value.data, trips, may_be_empty)

    def _affine_plan(self, loop: affine.ForOp) -> AffinePlan:
        factor = self.factor.value.data
        is_empty = loop.body.block.first_op is loop.body.block.last_op
        if factor > 1 and not is_empty:
            if (reason := affine_loops.why_not_unrolled(loop, factor)) is not None:
                raise self.refuse(reason, loop)
        return AffinePlan(loop, 1 if is_empty else factor)

    def plans(self, state: TransformState) -> Sequence[Plan | AffinePlan]:
        """A plan for each loop; those that may be empty may be trusted to run."""
        plans: Sequence[Plan | AffinePlan] = super().plans(state)
        return [
            replace(plan, may_be_empty=False)
            if isinstance(plan, Plan)
            and plan.may_be_empty
            and is_trusted(self, state, plan.loop)
            else plan
            for plan in plans
        ]

    def rewrite(self, plan: Plan | AffinePlan, rewriter: Rewriter) -> None:
        """Unroll, with a loop for the iterations that are left over."""
        if isinstance(plan, AffinePlan):
            if plan.factor > 1:
                affine_loops.unroll(plan.loop, plan.factor, rewriter)
            else:
                affine_loops.promote(plan.loop, rewriter)
            return
        loop = plan.loop
        if plan.factor == 1:
            if plan.trips == 1:
                promote(loop, rewriter)
            return
        new_ops = OpList()
        step = loop.step
        upper, wide_step, has_rest = _new_range(plan, new_ops)
        rewriter.insert_before(loop, *new_ops.ops)
        if has_rest:
            _add_rest(loop, upper, rewriter)
        set_range(loop, upper=upper, step=wide_step)
        _repeat_body(loop, step, plan.factor, rewriter)
        promote(loop, rewriter)


@dataclass(frozen=True)
class Plan:
    """A loop, the factor, and how often the loop runs if that is known."""

    loop: scf.ForOp
    factor: int
    trips: int | None
    may_be_empty: bool
    """Whether its bounds may be out of order."""


@dataclass(frozen=True)
class AffinePlan:
    """A loop whose bounds are maps, and the factor."""

    loop: affine.ForOp
    factor: int


def _new_range(plan: Plan, new_ops: OpList) -> tuple[SSAValue, SSAValue, bool]:
    """The unrolled loop's upper bound and step, and whether iterations may remain."""
    loop, factor = plan.loop, plan.factor
    bounds = constant_bounds(loop)
    if bounds is not None and plan.trips is not None:
        lower, upper, step = bounds
        end = lower + (plan.trips - plan.trips % factor) * step
        wide = new_ops.add(constant_like(step * factor, loop.step))
        if end >= upper:
            return loop.ub, wide, False
        return new_ops.add(constant_like(end, loop.ub)), wide, True
    count = new_ops.add(constant_like(factor, loop.step))
    trips = _trips(plan, new_ops)
    left = new_ops.add(arith.RemSIOp(trips, count))
    even = new_ops.add(arith.SubiOp(trips, left))
    distance = new_ops.add(arith.MuliOp(even, loop.step))
    end = new_ops.add(arith.AddiOp(loop.lb, distance))
    return end, new_ops.add(arith.MuliOp(loop.step, count)), True


def _trips(plan: Plan, new_ops: OpList) -> SSAValue:
    """How often a loop runs: the distance of its bounds by its step, rounded up."""
    loop = plan.loop
    distance = new_ops.add(arith.SubiOp(loop.ub, loop.lb))
    if plan.may_be_empty:
        # The division is unsigned: its operands must not be negative.
        zero = new_ops.add(constant_like(0, loop.step))
        distance = new_ops.add(arith.MaxSIOp(distance, zero))
    one = new_ops.add(constant_like(1, loop.step))
    less = new_ops.add(arith.SubiOp(loop.step, one))
    reach = new_ops.add(arith.AddiOp(distance, less))
    return new_ops.add(arith.DivUIOp(reach, loop.step))


def _add_rest(loop: scf.ForOp, lower: SSAValue, rewriter: Rewriter) -> None:
    """A copy of the loop, after it, for the iterations from `lower`."""
    rest = loop.clone()
    set_range(rest, lower=lower, inits=loop.results)
    rewriter.insert_after(loop, rest)
    for old, new in zip(loop.results, rest.results, strict=True):
        old.replace_uses_with_if(new, lambda use: use.operation is not rest)
    promote(rest, rewriter)


def _repeat_body(
    loop: scf.ForOp, step: SSAValue, factor: int, rewriter: Rewriter
) -> None:
    """Let the body do what `factor` iterations did, one after the other."""
    block = loop.body.block
    index, *carried = block.args
    last = block.last_op
    assert last is not None
    values: Sequence[SSAValue] = yielded(loop)
    needs_index = index.uses.get_length() > 0
    bodies: list[Operation] = []
    for number in range(1, factor):
        mapping: dict[SSAValue, SSAValue] = {}
        mapping.update(zip(carried, values, strict=True))
        head = OpList()
        if needs_index:
            stride = arith.MuliOp(step, head.add(constant_like(number, step)))
            mapping[index] = head.add(arith.AddiOp(index, head.add(stride)))
        copies, values = clone_body(block, mapping)
        bodies += [*head.ops, *copies]
    rewriter.insert_before(last, *bodies)
    last.operands = values
