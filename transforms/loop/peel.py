"""`loop.peel`: split off the partial, or the first, iteration of a loop.

Before:
    %r = scf.for %i = %c0 to %c10 step %c4 iter_args(%x = %a) -> (f32) {
      %size = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)
      ...
    }

After:
    %m = scf.for %i = %c0 to %c8 step %c4 iter_args(%x = %a) -> (f32) {
      %size = affine.apply affine_map<() -> (4)>()
      ...
    }
    %r = scf.for %i = %c8 to %c10 step %c4 iter_args(%x = %m) -> (f32) {
      %size = affine.apply affine_map<(d0) -> (-d0 + 10)>(%i)
      ...
    }

After `{peel_front = true}`: a loop from 0 to 4, then one from 4 to 10.

Requires: a loop over `index` whose step does not already divide its range; to peel the
front, one that runs more than once as far as is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.loops import constant_bounds, trip_count
from tilewright.ir.indexing.ranges import linear_of
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import OpList, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.shared.loop_bodies import set_range
from tilewright.transforms.loop.shared.loop_bounds import is_in_order, is_trusted
from tilewright.transforms.loop.shared.partial_iterations import (
    full_iteration,
    partial_iteration,
    simplify_bounds,
)
from tilewright.transforms.loop.shared.targets import check_for_handle, index_loop

_FALSE = BoolAttr.from_bool(False)


@irdl_op_definition
class LoopPeelOp(TargetOp):
    """Peel loops; consumes them, returns the main loops and what was split off."""

    name = "transform.loop.peel"
    TARGET_KIND: ClassVar[str] = "scf.for"
    FORM: ClassVar[str] = "peel <target:handle> [front = <peel_front:any>]"
    SUMMARY: ClassVar[str] = "split the partial iteration off a loop"

    peel_front = prop_def(BoolAttr, default_value=_FALSE)
    fail_if_already_divisible = prop_def(BoolAttr, default_value=_FALSE)
    """Upstream fails in any case, and so does this op."""
    peeled_loop = result_def(TransformOpHandleType)
    remainder_loop = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check that the handle is declared to point at loops."""
        check_for_handle(self.target.type)

    def analyze(self, op: Operation) -> Plan:
        """Check that the loop has an iteration to split off."""
        return (analyze_front if self.peel_front else analyze_back)(self, op)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """A plan for each loop; those that may be empty may be trusted to run."""
        plans = [self.analyze(op) for op in state.payload_ops(self.target)]
        return [
            replace(plan, may_be_empty=False)
            if plan.may_be_empty and is_trusted(self, state, plan.loop)
            else plan
            for plan in plans
        ]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[scf.ForOp, scf.ForOp]:
        """Cut one loop in two."""
        return (peel_front if self.peel_front else peel_back)(plan, rewriter)


@dataclass(frozen=True)
class Plan:
    """A loop, and whether it may have no iterations."""

    loop: scf.ForOp
    may_be_empty: bool


def analyze_back(user: TransformOp, op: Operation) -> Plan:
    """Check that there is a partial iteration to split off."""
    loop = index_loop(user, op)
    bounds = constant_bounds(loop)
    if bounds is not None and bounds[0] >= bounds[1]:
        raise user.refuse("the loop never runs", loop, "canonicalize drops it")
    if _divides(loop):
        raise user.refuse(
            "the step already divides the range: no iteration is partial",
            loop,
            "leave this loop out, or peel its front",
        )
    return Plan(loop, may_be_empty=not is_in_order(loop))


def analyze_front(user: TransformOp, op: Operation) -> Plan:
    """Check that iterations remain after the first one."""
    loop = index_loop(user, op)
    trips = trip_count(loop)
    if trips is not None and trips <= 1:
        raise user.refuse(
            "the loop never runs" if trips == 0 else "the loop runs only once",
            loop,
            user.worded(
                mlir="promote_if_one_iteration puts its body in its place",
                tw="'promote' puts its body in its place",
            ),
        )
    return Plan(loop, may_be_empty=trips is None)


def _divides(loop: scf.ForOp) -> bool:
    """Whether the step is known to divide the distance of the bounds."""
    step = constant_int(loop.step)
    if step is None or step <= 1:
        return step is not None  # MLIR does not define steps that are not positive
    distance = linear_of(loop.ub) - linear_of(loop.lb)
    numbers = (*distance.terms.values(), distance.constant)
    return all(number % step == 0 for number in numbers)


def peel_back(plan: Plan, rewriter: Rewriter) -> tuple[scf.ForOp, scf.ForOp]:
    """Cut after the last full iteration; the main loop and the partial iteration."""
    loop = plan.loop
    upper = loop.ub
    new_ops = OpList()
    split = start = _split(loop, new_ops)
    if plan.may_be_empty:
        # If the bounds are out of order, the split lies below the lower bound.
        start = new_ops.add(MaxOp([split, loop.lb], _BOTH))
    rest = loop.clone()
    set_range(rest, lower=start, inits=loop.results)
    rewriter.insert_before(loop, *new_ops.ops)
    rewriter.insert_after(loop, rest)
    for old, new in zip(loop.results, rest.results, strict=True):
        old.replace_uses_with_if(new, lambda use: use.operation is not rest)
    set_range(loop, upper=split)
    simplify_bounds(loop, full_iteration(loop, upper), rewriter)
    simplify_bounds(rest, partial_iteration(rest, upper), rewriter)
    return loop, rest


def peel_front(plan: Plan, rewriter: Rewriter) -> tuple[scf.ForOp, scf.ForOp]:
    """Cut after the first iteration; the remaining loop and the first iteration."""
    loop = plan.loop
    new_ops = OpList()
    first = loop.clone()
    split = end = _second(loop, new_ops)
    if plan.may_be_empty:
        # A loop that does not run has no first iteration either.
        end = new_ops.add(affine.MinOp([split, loop.ub], _BOTH))
    set_range(first, upper=end)
    rewriter.insert_before(loop, *new_ops.ops, first)
    set_range(loop, lower=split, inits=first.results)
    return loop, first


_SYMBOLS = tuple(AffineExpr.symbol(position) for position in range(3))
_BOTH = AffineMapAttr(AffineMap(0, 2, _SYMBOLS[:2]))
"""The map of a minimum or maximum of two values."""


def _split(loop: scf.ForOp, new_ops: OpList) -> SSAValue:
    """Where the last full iteration ends."""
    lower, upper, step = _SYMBOLS
    split = upper - binary(AffineBinaryOpKind.Mod, upper - lower, step)
    return new_ops.index(evaluate(split, [], new_ops, [loop.lb, loop.ub, loop.step]))


def _second(loop: scf.ForOp, new_ops: OpList) -> SSAValue:
    """Where the second iteration begins."""
    lower, step, _ = _SYMBOLS
    return new_ops.index(evaluate(lower + step, [], new_ops, [loop.lb, loop.step]))
