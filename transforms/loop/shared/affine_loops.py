"""Unroll and promote `affine.for`, as `transform.loop.unroll` does with `scf.for`.

Before:
    affine.for %i = 0 to %n {
      "f"(%i)
    }

After a factor of 2:
    affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
      "f"(%i)
      %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      "f"(%i1)
    }
    affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
      "f"(%i)
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.ir.dialects import affine, arith
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.shared.loop_bodies import clone_body

Bound = tuple[AffineMapAttr, tuple[SSAValue, ...]]
"""A map of one result, and its operands."""


@dataclass(frozen=True)
class Trips:
    """How often a loop runs, over the operands of both bounds."""

    lower: AffineExpr
    count: AffineExpr
    num_dims: int
    operands: tuple[SSAValue, ...]

    def bound(self, expr: AffineExpr) -> Bound:
        """A bound over these operands."""
        if isinstance(expr, AffineConstantExpr):
            return AffineMapAttr(AffineMap(0, 0, (expr,))), ()
        symbols = len(self.operands) - self.num_dims
        return AffineMapAttr(AffineMap(self.num_dims, symbols, (expr,))), self.operands


def trips_of(loop: affine.ForOp) -> Trips | None:
    """How often a loop with one lower and one upper bound runs."""
    lower, upper = loop.lower_map.data, loop.upper_map.data
    if len(lower.results) != 1 or len(upper.results) != 1 or not loop.step.value.data:
        return None
    dims = lower.num_dims + upper.num_dims
    shifted = upper.results[0].replace_dims_and_symbols(
        [AffineExpr.dimension(lower.num_dims + d) for d in range(upper.num_dims)],
        [AffineExpr.symbol(lower.num_symbols + s) for s in range(upper.num_symbols)],
    )
    operands = (
        *loop.lower_operands[: lower.num_dims],
        *loop.upper_operands[: upper.num_dims],
        *loop.lower_operands[lower.num_dims :],
        *loop.upper_operands[upper.num_dims :],
    )
    distance = shifted - lower.results[0]
    step = loop.step.value.data
    count = distance if step == 1 else distance.ceil_div(step)
    if isinstance(count, AffineConstantExpr):
        count = AffineExpr.constant(max(count.value, 0))
    return Trips(lower.results[0], count, dims, operands)


def constant_trips(loop: affine.ForOp) -> int | None:
    """How often a loop runs, if that is a known number."""
    trips = trips_of(loop)
    if trips is None or not isinstance(trips.count, AffineConstantExpr):
        return None
    return trips.count.value


def known_divisor(expr: AffineExpr) -> int:
    """A number that divides an expression, whatever its operands are."""
    match expr:
        case AffineConstantExpr(value=value):
            return abs(value)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add, lhs=lhs, rhs=rhs):
            return gcd(known_divisor(lhs), known_divisor(rhs))
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=rhs):
            return known_divisor(lhs) * known_divisor(rhs)
        case _:
            return 1


def why_not_unrolled(loop: affine.ForOp, factor: int) -> str | None:
    """Why a loop cannot be unrolled by a factor."""
    trips = trips_of(loop)
    if trips is None:
        return "the loop has several lower or upper bounds"
    count = trips.count
    if isinstance(count, AffineConstantExpr) and count.value < factor:
        return f"the loop runs {count.value} times, which is less than the factor"
    return None


def unroll(loop: affine.ForOp, factor: int, rewriter: Rewriter) -> None:
    """Unroll, with a loop for the iterations that are left over."""
    widen(loop, factor, rewriter)
    _repeat_body(loop, factor, rewriter)
    promote(loop, rewriter)


def widen(loop: affine.ForOp, factor: int, rewriter: Rewriter) -> None:
    """Let a loop run over whole groups of iterations, and another over the rest."""
    trips = trips_of(loop)
    assert trips is not None, "checked"
    step = loop.step.value.data
    if known_divisor(trips.count) % factor:
        even = (trips.count // factor) * (factor * step)
        end = trips.bound(trips.lower + even)
        _add_rest(loop, end, rewriter)
        loop.set_bounds(upper=end)


def _add_rest(loop: affine.ForOp, lower: Bound, rewriter: Rewriter) -> None:
    rest = loop.clone()
    rest.set_bounds(lower=lower, inits=loop.results)
    rewriter.insert_after(loop, rest)
    for old, new in zip(loop.results, rest.results, strict=True):
        old.replace_uses_with_if(new, lambda use: use.operation is not rest)
    promote(rest, rewriter)


def set_step(loop: affine.ForOp, step: int) -> None:
    """Give a loop another step."""
    loop.properties["step"] = IntegerAttr.from_index_int_value(step)


def later_index(index: SSAValue, distance: int) -> affine.ApplyOp:
    """The index of a later iteration."""
    map = AffineMap(1, 0, (AffineExpr.dimension(0) + distance,))
    return affine.ApplyOp([index], AffineMapAttr(map))


def _repeat_body(loop: affine.ForOp, factor: int, rewriter: Rewriter) -> None:
    """Let the body do what `factor` iterations did, one after the other."""
    block = loop.body.block
    index, *carried = block.args
    last = block.last_op
    assert last is not None
    step = loop.step.value.data
    values: Sequence[SSAValue] = tuple(last.operands)
    bodies: list[Operation] = []
    for number in range(1, factor):
        mapping: dict[SSAValue, SSAValue] = {}
        mapping.update(zip(carried, values, strict=True))
        head: list[Operation] = []
        if index.uses.get_length():
            shifted = later_index(index, number * step)
            mapping[index] = shifted.result
            head.append(shifted)
        copies, values = clone_body(block, mapping)
        bodies += [*head, *copies]
    rewriter.insert_before(last, *bodies)
    last.operands = values
    set_step(loop, step * factor)


def promote(loop: affine.ForOp, rewriter: Rewriter) -> None:
    """Replace a loop that runs exactly once by its body."""
    if constant_trips(loop) != 1:
        return
    block = loop.body.block
    index, *carried = block.args
    if index.uses.get_length():
        first: Operation = affine.ApplyOp(list(loop.lower_operands), loop.lower_map)
        lower = loop.lower_map.data.results[0]
        if isinstance(lower, AffineConstantExpr):
            first = arith.ConstantOp(IntegerAttr.from_index_int_value(lower.value))
        rewriter.insert_before(loop, first)
        index.replace_all_uses_with(first.results[0])
    for argument, init in zip(carried, loop.inits, strict=True):
        argument.replace_all_uses_with(init)
    last = block.last_op
    assert last is not None
    results = list(last.operands)
    for op in list(block.ops):
        if op is not last:
            rewriter.move_before(op, loop)
    rewriter.replace(loop, results)
