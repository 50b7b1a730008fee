"""The iterations in which an inequality can hold, or in which it holds throughout.

An inequality `factor * index + rest >= 0` holds up to some index of a loop, or from
some index on. Its bound is written with affine ops in front of the loop. A bound from
below is an index that the loop takes, so that tiles stay where they were.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.indexing.composition import is_symbol
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import Choice, index_op
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import PROVEN, Form, candidates, linear_of
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.core.extents import Extent, OpList, evaluate


@dataclass(frozen=True)
class Inequality:
    """`factor * index + rest >= 0`, for the index of a loop; the factor is not 0."""

    factor: int
    rest: Form
    """Values from outside of the loop."""

    @property
    def is_upper(self) -> bool:
        """Whether it bounds the index from above."""
        return self.factor < 0


def inequality(form: Form, loop: scf.ForOp) -> Inequality | None:
    """A form as an inequality for a loop's index; None if it is none."""
    index = loop.body.block.args[0]
    rest = form.without(index)
    if index not in form.terms:
        return None
    if not all(is_defined_outside(value.owner, loop) for value in rest.terms):
        return None
    return Inequality(form.terms[index], rest)


@dataclass(frozen=True)
class Grid:
    """The indices that a loop takes: `origin`, `origin + step`, and so on."""

    origin: Form
    """An index of the loop, or one that it would take if it began earlier."""
    step: int

    def end(self, bound: Inequality) -> Quotient:
        """The first index of the grid at which an upper bound does not hold."""
        by = -bound.factor * self.step
        distance = bound.rest + self.origin * bound.factor
        return Quotient(self.origin, distance + by, by, self.step)

    def last(self, end: Form) -> Quotient:
        """The last index of the grid below an end that is behind its origin."""
        return Quotient(self.origin, end - self.origin - 1, self.step, self.step)

    def start(self, bound: Inequality) -> Quotient:
        """The first index of the grid at which a lower bound holds."""
        by = bound.factor * self.step
        distance = (bound.rest + self.origin * bound.factor) * -1
        return Quotient(self.origin, distance + (by - 1), by, self.step)


def end_of(bound: Inequality) -> Quotient:
    """The first index, of the grid or not, at which an upper bound does not hold."""
    by = -bound.factor
    return Quotient(Linear(), bound.rest + by, by, 1)


@dataclass(frozen=True)
class Quotient:
    """`origin + (dividend floordiv by) * step`, or the origin if that is greater."""

    origin: Form
    dividend: Form
    by: int
    step: int

    def written(self, new_ops: OpList) -> Form:
        """The index as a linear form, with new ops for a quotient that is not linear.

        Only a dividend that is not negative is divided: kernels round towards zero.
        """
        if all(factor % self.by == 0 for factor in self.dividend.terms.values()):
            factors = {v: c // self.by for v, c in self.dividend.terms.items()}
            whole: Form = Linear(factors, self.dividend.constant // self.by)
            return self.origin + whole * self.step
        dividend = written([self.dividend, Linear()], new_ops, greatest=True)
        quotient = AffineExpr.binary(
            AffineBinaryOpKind.FloorDiv,
            AffineExpr.dimension(0),
            AffineExpr.constant(self.by),
        )
        made = evaluate(quotient * self.step, [dividend], new_ops)
        return self.origin + linear_of(made)


def certainly_runs(loop: scf.ForOp) -> bool:
    """Whether a loop has an iteration, as far as ranges tell."""
    found = index_op(loop.ub)
    if found is not None and found.choice is Choice.GREATEST:
        after_first = linear_of(loop.lb) + 1
        forms = candidates(found)
        if forms is not None and any(at_least(one, after_first) for one in forms):
            return True
    return all(
        at_least(upper - lower, linear_of(1))
        for upper in upper_bounds(loop)
        for lower in lower_bounds(loop)
    )


def lower_bounds(loop: scf.ForOp) -> list[Form]:
    """The forms that a loop's lower bound is the greatest of."""
    return _candidates(loop.lb, Choice.GREATEST)


def upper_bounds(loop: scf.ForOp) -> list[Form]:
    """The forms that a loop's upper bound is the least of."""
    return _candidates(loop.ub, Choice.LEAST)


def _candidates(bound: SSAValue, choice: Choice) -> list[Form]:
    found = index_op(bound)
    forms = None
    if found is not None and found.choice is choice:
        forms = candidates(found)
    return [linear_of(bound)] if forms is None else forms


def loop_grid(loop: scf.ForOp) -> Grid | None:
    """The grid of a loop's indices; None if the step is not a constant."""
    step = constant_int(loop.step)
    if step is None or step < 1:
        return None
    first = linear_of(loop.lb)
    residue = _residue(loop.lb, step)
    if first.is_constant or residue is None:
        return Grid(first, step)
    # A number keeps quotients linear where the first index is a maximum.
    origin: Form = Linear({}, residue)
    return Grid(origin if at_least(first, origin) else first, step)


def _residue(value: SSAValue, step: int) -> int | None:
    """The remainder of an index divided by a number, if it is known."""
    if (number := constant_int(value)) is not None:
        return number % step
    found = index_op(value)
    if found is None:
        return None
    remainders = {
        _residue_of(expr, found.map.num_dims, found.operands, step)
        for expr in found.map.results
    }
    return remainders.pop() if len(remainders) == 1 else None


def _residue_of(
    expr: AffineExpr, dims: int, operands: Sequence[SSAValue], step: int
) -> int | None:
    match expr:
        case AffineConstantExpr():
            return expr.value % step
        case AffineDimExpr():
            return _residue(operands[expr.position], step)
        case AffineSymExpr():
            return _residue(operands[dims + expr.position], step)
        case AffineBinaryOpExpr():
            left = _residue_of(expr.lhs, dims, operands, step)
            right = _residue_of(expr.rhs, dims, operands, step)
            match expr.kind:
                case AffineBinaryOpKind.Add if left is not None and right is not None:
                    return (left + right) % step
                case AffineBinaryOpKind.Mul if 0 in (left, right):
                    return 0
                case AffineBinaryOpKind.Mul if left is not None and right is not None:
                    return left * right % step
                case _:
                    return None
        case _:
            return None


def at_least(form: Form, other: Form) -> bool:
    """Whether a form is never below another one, as far as ranges tell."""
    found = PROVEN.least(form - other)
    return found is not None and found >= 0


def winners(forms: Iterable[Form], *, greatest: bool) -> list[Form]:
    """The forms among which the greatest, or the least, is; of equal ones the first."""

    def beats(one: Form, other: Form) -> bool:
        return at_least(one, other) if greatest else at_least(other, one)

    left: list[Form] = []
    for form in forms:
        if not any(beats(other, form) for other in left):
            left = [*(other for other in left if not beats(form, other)), form]
    return left


def written(forms: Iterable[Form], new_ops: OpList, *, greatest: bool) -> Extent:
    """The greatest or the least of some forms, by an affine op where it needs one."""
    left = winners(forms, greatest=greatest)
    values = list(dict.fromkeys(value for form in left for value in form.terms))
    dims = [value for value in values if not is_symbol(value)]
    symbols = [value for value in values if is_symbol(value)]
    leaves = {value: AffineExpr.dimension(at) for at, value in enumerate(dims)}
    leaves |= {value: AffineExpr.symbol(at) for at, value in enumerate(symbols)}

    def expression(form: Form) -> AffineExpr:
        terms = [
            leaves[value] if factor == 1 else leaves[value] * factor
            for value, factor in form.terms.items()
        ]
        if form.constant or not terms:
            terms.append(AffineExpr.constant(form.constant))
        return reduce(operator.add, terms)

    if len(left) == 1:
        (form,) = left
        if form.is_constant:
            return form.constant
        if form == Linear({values[0]: 1}):
            return values[0]
    map_ = AffineMap(len(dims), len(symbols), tuple(map(expression, left)))
    kind = affine.ApplyOp if len(left) == 1 else MaxOp if greatest else affine.MinOp
    return new_ops.add(kind([*dims, *symbols], AffineMapAttr(map_)))
