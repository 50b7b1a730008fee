"""`loop.coalesce`: merge a perfect nest into one loop.

Before:
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (f32) {
      %s = scf.for %j = %c2 to %c9 step %c2 iter_args(%y = %x) -> (f32) {
        %z = "f"(%i, %j, %y)
        scf.yield %z : f32
      }
      scf.yield %s : f32
    }

After:
    %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%y = %a) -> (f32) {
      %i = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%k)
      %n = affine.apply affine_map<(d0) -> (d0 mod 4)>(%k)
      %j = affine.apply affine_map<(d0) -> (d0 * 2 + 2)>(%n)
      %z = "f"(%i, %j, %y)
      scf.yield %z : f32
    }

Requires: a loop over `index` that contains only another loop, which carries the same
values and whose bounds do not depend on the outer loop. In a deeper nest, loops are
merged from the inside out as far as this holds. A nest of `affine.for` has constant
bounds, and carries nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import affine, scf
from tilewright.ir.indexing.loops import trip_count
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import (
    INDEX,
    Extent,
    OpList,
    at_least_zero,
    evaluate,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.shared import affine_coalesce
from tilewright.transforms.loop.shared.loop_bounds import is_in_order, is_trusted
from tilewright.transforms.loop.shared.targets import index_loop


@irdl_op_definition
class LoopCoalesceOp(TargetOp):
    """Coalesce perfect nests; consumes the outermost loops, returns the new ones."""

    name = "transform.loop.coalesce"
    FORM: ClassVar[str] = "coalesce <target:handle>"
    SUMMARY: ClassVar[str] = "make a nest of loops one loop"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type($target, $transformed)"

    def analyze(self, op: Operation) -> Plan | AffinePlan:
        """Find the bands of loops that can be merged."""
        if isinstance(op, affine.ForOp):
            nest_of_maps = affine_coalesce.nest_of(op)
            if (reason := affine_coalesce.why_not_merged(nest_of_maps)) is not None:
                raise self.refuse(reason, op)
            return AffinePlan(tuple(nest_of_maps))
        outermost = index_loop(self, op)
        nest = [outermost]
        while (inner := _only_op(nest[-1])) is not None:
            nest.append(inner)
        if len(nest) == 1:
            raise self.refuse(
                "the loop holds more, or less, than one loop",
                outermost,
                "licm moves out what does not depend on it",
            )
        for loop in nest:
            if trip_count(loop) == 0:
                raise self.refuse(
                    "a loop of the nest never runs",
                    loop,
                    remedy="canonicalize drops it",
                )
        bands: list[tuple[scf.ForOp, ...]] = []
        end = len(nest)
        while end > 1:
            start = next(
                (s for s in range(end - 1) if _is_band(nest[s:end])),
                end - 1,
            )
            if start < end - 1:
                bands.append(tuple(nest[start:end]))
                end = start + 1
            end -= 1
        if not bands:
            raise self.refuse(
                "the inner loop's bounds depend on the outer, or it carries other "
                "values",
                nest[1],
                remedy="licm first, or coalesce the inner loops alone",
            )
        return Plan(outermost, tuple(bands))

    def plans(self, state: TransformState) -> Sequence[Plan | AffinePlan]:
        """One plan for each nest."""
        as_upstream = state.follows_upstream(self)
        plans = [self.analyze(op) for op in state.payload_ops(self.target)]
        own = [plan for plan in plans if isinstance(plan, Plan)]
        if as_upstream:
            loops = [loop for plan in own for band in plan.bands for loop in band]
            for loop in loops:
                _ = is_in_order(loop) or is_trusted(self, state, loop)
        return [
            replace(plan, as_upstream=as_upstream) if isinstance(plan, Plan) else plan
            for plan in plans
        ]

    def rewrite(
        self, plan: Plan | AffinePlan, rewriter: Rewriter
    ) -> scf.ForOp | affine.ForOp:
        """Coalesce the bands; returns the new outermost loop."""
        if isinstance(plan, AffinePlan):
            return affine_coalesce.merge(list(plan.nest), rewriter)
        outermost = plan.outermost
        for band in plan.bands:
            new = _coalesce(band, rewriter, as_upstream=plan.as_upstream)
            if band[0] is outermost:
                outermost = new
        return outermost


@dataclass(frozen=True)
class Plan:
    """A nest's outermost loop, and the bands of loops that become one, inside out."""

    outermost: scf.ForOp
    bands: tuple[tuple[scf.ForOp, ...], ...]
    as_upstream: bool = False
    """Whether indices are upstream's `affine.delinearize_index`."""


@dataclass(frozen=True)
class AffinePlan:
    """A nest of loops whose bounds are maps, outermost first."""

    nest: tuple[affine.ForOp, ...]


def _only_op(loop: scf.ForOp) -> scf.ForOp | None:
    """The only op of a loop's body, if it is a loop."""
    first, last = loop.body.block.first_op, loop.body.block.last_op
    if not isinstance(first, scf.ForOp) or first.next_op is not last:
        return None
    if first.unsigned_cmp is not None or not isinstance(first.lb.type, IndexType):
        return None
    return first


def _is_band(loops: Sequence[scf.ForOp]) -> bool:
    """Whether no loop's range or carried values depend on the loops around it."""
    for outer, inner in zip(loops, loops[1:], strict=False):
        if list(outer.body.block.args[1:]) != list(inner.iter_args):
            return False
        if list(yielded(outer)) != list(inner.results):
            return False
        # The values that an outer iteration starts with are not available later.
        if any(arg.uses.get_length() > 1 for arg in outer.body.block.args[1:]):
            return False
    return all(
        is_defined_outside(bound.owner, loops[0])
        for loop in loops[1:]
        for bound in (loop.lb, loop.ub, loop.step)
    )


def _coalesce(
    band: Sequence[scf.ForOp], rewriter: Rewriter, *, as_upstream: bool
) -> scf.ForOp:
    """One loop over all iterations, with the indices computed from its own."""
    outer, inner = band[0], band[-1]
    head = OpList()
    trips = [_trips(loop, head, trusting=as_upstream) for loop in band]
    total: Extent = 1
    for count in trips:
        total = _times(total, count, head)
    zero, one, upper = head.index(0), head.index(1), head.index(total)
    block = Block(arg_types=[INDEX, *(init.type for init in outer.iter_args)])
    body = OpList()
    indices: Sequence[Extent]
    if as_upstream:
        apart = affine.DelinearizeIndexOp(block.args[0], trips)
        body.ops.append(apart)
        indices = apart.multi_index
    else:
        indices = _indices(block.args[0], trips, head, body)
    for loop, count in reversed(list(zip(band, indices, strict=True))):
        index = _denormalized(count, loop, body)
        loop.body.block.args[0].replace_all_uses_with(body.index(index))
    for before, after in zip(inner.body.block.args[1:], block.args[1:], strict=True):
        before.replace_all_uses_with(after)
        after.name_hint = before.name_hint
    block.add_ops(body.ops)
    for op in list(inner.body.block.ops):
        op.detach()
        block.add_op(op)
    new = scf.ForOp(zero, upper, one, list(outer.iter_args), Region(block))
    new.attributes = outer.attributes.copy()
    new.location = outer.location
    rewriter.insert_before(outer, *head.ops, new)
    rewriter.replace(outer, new.results, stands_for=new)
    return new


def _trips(loop: scf.ForOp, new_ops: OpList, *, trusting: bool) -> Extent:
    """How often a loop runs; bounds are in order if they are trusted to be."""
    if (number := trip_count(loop)) is not None:
        return number
    lower, upper, step = _SYMBOLS
    count = binary(AffineBinaryOpKind.CeilDiv, upper - lower, step)
    trips = evaluate(count, [], new_ops, [loop.lb, loop.ub, loop.step])
    return trips if trusting or is_in_order(loop) else at_least_zero(trips, new_ops)


def _indices(
    index: SSAValue, trips: Sequence[Extent], head: OpList, body: OpList
) -> list[Extent]:
    """The iteration count of each loop, from the count of the merged loop."""
    counts: list[Extent] = []
    rest: Extent = index
    for position in range(len(trips) - 1):
        below: Extent = 1
        for count in trips[position + 1 :]:
            below = _times(below, count, head)
        counts.append(_divided(AffineBinaryOpKind.FloorDiv, rest, below, body))
        rest = _divided(AffineBinaryOpKind.Mod, rest, below, body)
    return [*counts, rest]


def _denormalized(count: Extent, loop: scf.ForOp, new_ops: OpList) -> Extent:
    """A loop's index in a given iteration."""
    lower, step, _ = _SYMBOLS
    index = binary(AffineBinaryOpKind.Mul, AffineExpr.dimension(0), step) + lower
    return evaluate(index, [count], new_ops, [loop.lb, loop.step])


def _times(left: Extent, right: Extent, new_ops: OpList) -> Extent:
    product = binary(AffineBinaryOpKind.Mul, *_SYMBOLS[:2])
    return evaluate(product, [], new_ops, [left, right])


def _divided(
    kind: AffineBinaryOpKind, value: Extent, by: Extent, new_ops: OpList
) -> Extent:
    quotient = binary(kind, AffineExpr.dimension(0), _SYMBOLS[0])
    return evaluate(quotient, [value], new_ops, [by])


_SYMBOLS = tuple(AffineExpr.symbol(position) for position in range(3))
