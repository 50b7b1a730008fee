"""Linear forms: symbols times coefficients, plus a constant.

What the symbols stand for is up to the caller: dims of an affine expression, SSA
values, or the indices of a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

Symbol = TypeVar("Symbol", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Linear(Generic[Symbol]):
    """A sum of symbols times coefficients, none of them 0, and a constant."""

    terms: Mapping[Symbol, int] = field(default_factory=dict[Symbol, int])
    constant: int = 0

    def __hash__(self) -> int:
        """The order of the terms does not count."""
        return hash((frozenset(self.terms.items()), self.constant))

    @property
    def is_constant(self) -> bool:
        """Whether the form is a number."""
        return not self.terms

    def plus(self, other: Linear[Symbol], factor: int = 1) -> Self:
        """`self + other * factor`."""
        constant = self.constant + other.constant * factor
        if not other.terms or not factor:
            return type(self)(self.terms, constant)
        terms = dict(self.terms)
        for symbol, coefficient in other.terms.items():
            terms[symbol] = terms.get(symbol, 0) + coefficient * factor
        return type(self)({s: c for s, c in terms.items() if c}, constant)

    def __add__(self, other: Linear[Symbol] | int) -> Self:
        """The sum; terms that cancel are dropped."""
        if isinstance(other, int):
            return type(self)(self.terms, self.constant + other)
        return self.plus(other)

    def __sub__(self, other: Linear[Symbol] | int) -> Self:
        """The difference; terms that cancel are dropped."""
        if isinstance(other, int):
            return type(self)(self.terms, self.constant - other)
        return self.plus(other, -1)

    def __mul__(self, factor: int) -> Self:
        """Every coefficient, and the constant, times a number."""
        if factor == 0:
            return type(self)()
        terms = {symbol: c * factor for symbol, c in self.terms.items()}
        return type(self)(terms, self.constant * factor)

    def without(self, symbol: Symbol) -> Self:
        """The form without the term of one symbol."""
        terms = {s: c for s, c in self.terms.items() if s != symbol}
        return type(self)(terms, self.constant)


def linear_form(expr: AffineExpr) -> Linear[int] | None:
    """An expression as a linear form of its dims; None if it is not linear in them."""
    return linear_in(expr, lambda dim: Linear({dim: 1}))


def linear_in(
    expr: AffineExpr, dim: Callable[[int], Linear[Symbol]]
) -> Linear[Symbol] | None:
    """An expression as a linear form, given those of its dims; None if it has none."""
    match expr:
        case AffineConstantExpr():
            return Linear({}, expr.value)
        case AffineDimExpr():
            return dim(expr.position)
        case AffineBinaryOpExpr():
            left, right = linear_in(expr.lhs, dim), linear_in(expr.rhs, dim)
            if left is None or right is None:
                return None
            if expr.kind == AffineBinaryOpKind.Add:
                return left + right
            if expr.kind == AffineBinaryOpKind.Mul:
                if right.is_constant:
                    return left * right.constant
                if left.is_constant:
                    return right * left.constant
            return None
        case _:
            return None


def linear_bound(expr: AffineExpr, *, upper: bool) -> Linear[int] | None:
    """A linear form of its dims that an expression never exceeds, or falls below.

    A remainder of a division by c is between 0 and c - 1. So where a loop's whole steps
    end, `d0 - d0 mod 64` or `(d0 floordiv 64) * 64`, is at least `d0 - 63`.
    """
    if (form := linear_form(expr)) is not None:
        return form
    if not isinstance(expr, AffineBinaryOpExpr):
        return None
    if expr.kind == AffineBinaryOpKind.Add:
        left = linear_bound(expr.lhs, upper=upper)
        right = linear_bound(expr.rhs, upper=upper)
        return None if left is None or right is None else left + right
    number = linear_form(expr.rhs)
    if number is None or not number.is_constant:
        return None
    match expr.kind, number.constant:
        case AffineBinaryOpKind.Mod, divisor if divisor > 0:
            return Linear({}, divisor - 1 if upper else 0)
        case AffineBinaryOpKind.Mul, factor:
            upper = upper is (factor >= 0)
            whole = _multiple_below(expr.lhs, abs(factor), upper=upper)
            if whole is not None:
                return whole if factor > 0 else whole * -1
            left = linear_bound(expr.lhs, upper=upper)
            return None if left is None else left * factor
        case _:
            return None


def _multiple_below(expr: AffineExpr, of: int, *, upper: bool) -> Linear[int] | None:
    """A bound of `(x floordiv of) * of`, for a quotient `x floordiv of`."""
    if (
        not isinstance(expr, AffineBinaryOpExpr)
        or expr.kind != AffineBinaryOpKind.FloorDiv
        or expr.rhs != AffineExpr.constant(of)
    ):
        return None
    divided = linear_bound(expr.lhs, upper=upper)
    return divided if divided is None or upper else divided - (of - 1)


def linearized(expr: AffineExpr) -> AffineExpr:
    """A linear expression as a sum of products in the order of its dims."""
    form = linear_form(expr)
    if form is None:
        return expr
    total: AffineExpr | None = None
    for dim, factor in sorted(form.terms.items()):
        d = AffineExpr.dimension(dim)
        term = d if factor == 1 else d * factor
        total = term if total is None else total + term
    if total is None:
        return AffineExpr.constant(form.constant)
    return total + form.constant if form.constant else total
