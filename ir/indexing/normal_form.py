"""Affine expressions in upstream's normal form.

`plus`, `times`, ... build an expression and simplify it as they go. `simplified`
flattens an expression to a sum of products, sorts it by dims, symbols, quotients and
the constant, and builds it again. Expressions that upstream makes equal become equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from tilewright.ir.indexing.linear import Linear

Kind = AffineBinaryOpKind


def constant(number: int) -> AffineExpr:
    """A constant expression."""
    return AffineConstantExpr(number)


def number_of(expr: AffineExpr) -> int | None:
    """The number of a constant expression; None for any other."""
    return expr.value if isinstance(expr, AffineConstantExpr) else None


def leaves(expr: AffineExpr) -> Iterator[AffineDimExpr | AffineSymExpr]:
    """The dims and symbols that occur in an expression."""
    for part in expr.dfs():
        if isinstance(part, AffineDimExpr | AffineSymExpr):
            yield part


def _is_symbolic(expr: AffineExpr) -> bool:
    while isinstance(expr, AffineBinaryOpExpr):
        if not _is_symbolic(expr.rhs):
            return False
        expr = expr.lhs
    return not isinstance(expr, AffineDimExpr)


def _binary(
    expr: AffineExpr, kind: Kind
) -> tuple[AffineExpr, AffineExpr] | tuple[None, None]:
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind == kind:
        return expr.lhs, expr.rhs
    return None, None


def divisor_of(expr: AffineExpr) -> int:
    """A number that divides an expression for all values of its dims and symbols."""
    match expr:
        case AffineConstantExpr():
            return abs(expr.value)
        case AffineBinaryOpExpr(kind=Kind.Mul):
            return divisor_of(expr.lhs) * divisor_of(expr.rhs)
        case AffineBinaryOpExpr(kind=Kind.Add | Kind.Mod):
            return math.gcd(divisor_of(expr.lhs), divisor_of(expr.rhs))
        case AffineBinaryOpExpr(kind=Kind.FloorDiv | Kind.CeilDiv):
            whole, by = divisor_of(expr.lhs), number_of(expr.rhs)
            return whole // by if by and whole % by == 0 and whole else 1
        case _:
            return 1


def plus(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs + rhs`: constants last, symbols after dims, like terms merged."""
    left, right = number_of(lhs), number_of(rhs)
    if left is not None and right is not None:
        return constant(left + right)
    if left is not None or (_is_symbolic(lhs) and not _is_symbolic(rhs)):
        return plus(rhs, lhs)
    if right == 0:
        return lhs
    first, last = _binary(lhs, Kind.Add)
    carried = None if last is None else number_of(last)
    if first is not None and carried is not None and right is not None:
        return plus(first, constant(carried + right))
    one, times_one = _scaled(lhs)
    two, times_two = _scaled(rhs)
    if one == two:
        return times(one, constant(times_one + times_two))
    if first is not None and last is not None and carried is not None:
        return plus(plus(first, rhs), last)
    if (remainder := _as_remainder(lhs, rhs)) is not None:
        return remainder
    return AffineBinaryOpExpr(Kind.Add, lhs, rhs)


def _scaled(expr: AffineExpr) -> tuple[AffineExpr, int]:
    """An expression without its constant factor, and the factor."""
    inner, factor = _binary(expr, Kind.Mul)
    if inner is not None and factor is not None:
        if (number := number_of(factor)) is not None:
            return inner, number
    return expr, 1


def _as_remainder(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """`x mod q` where the sum is `x - (x floordiv q) * q`."""
    product, factor = _binary(rhs, Kind.Mul)
    if product is None or factor is None:
        return None
    if number_of(factor) == -1:
        quotient, by = _binary(product, Kind.Mul)
        if quotient is not None and by is not None:
            whole, divisor = _binary(quotient, Kind.FloorDiv)
            return modulo(lhs, by) if (whole, divisor) == (lhs, by) else None
    whole, divisor = _binary(product, Kind.FloorDiv)
    if whole != lhs or divisor is None or divisor != times(factor, constant(-1)):
        return None
    return modulo(lhs, divisor)


def times(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs * rhs`: the constant or the symbol second, constant factors merged."""
    left, right = number_of(lhs), number_of(rhs)
    if left is not None and right is not None:
        return constant(left * right)
    if left is not None or (_is_symbolic(lhs) and not _is_symbolic(rhs)):
        return times(rhs, lhs)
    if right == 1:
        return lhs
    if right == 0:
        return rhs
    inner, factor = _binary(lhs, Kind.Mul)
    carried = None if factor is None else number_of(factor)
    if inner is not None and carried is not None:
        if right is not None:
            return times(inner, constant(carried * right))
        return times(times(inner, rhs), constant(carried))
    return AffineBinaryOpExpr(Kind.Mul, lhs, rhs)


def floordiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs floordiv rhs`, simplified where terms divide without remainder."""
    left, right = number_of(lhs), number_of(rhs)
    if right is None or right < 1:
        return AffineBinaryOpExpr(Kind.FloorDiv, lhs, rhs)
    if left is not None:
        return constant(left // right)
    if right == 1:
        return lhs
    if (exact := _exact_quotient(lhs, right)) is not None:
        return exact
    first, last = _binary(lhs, Kind.Add)
    if first is not None and last is not None:
        if divisor_of(first) % right == 0 or divisor_of(last) % right == 0:
            return plus(floordiv(first, rhs), floordiv(last, rhs))
    return AffineBinaryOpExpr(Kind.FloorDiv, lhs, rhs)


def ceildiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs ceildiv rhs`, simplified where terms divide without remainder."""
    left, right = number_of(lhs), number_of(rhs)
    if right is None or right < 1:
        return AffineBinaryOpExpr(Kind.CeilDiv, lhs, rhs)
    if left is not None:
        return constant(-(-left // right))
    if right == 1:
        return lhs
    if (exact := _exact_quotient(lhs, right)) is not None:
        return exact
    return AffineBinaryOpExpr(Kind.CeilDiv, lhs, rhs)


def _exact_quotient(expr: AffineExpr, by: int) -> AffineExpr | None:
    inner, factor = _scaled(expr)
    return times(inner, constant(factor // by)) if factor % by == 0 else None


def modulo(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs mod rhs`, without the terms that are multiples of the divisor."""
    left, right = number_of(lhs), number_of(rhs)
    if right is None or right < 1:
        return AffineBinaryOpExpr(Kind.Mod, lhs, rhs)
    if left is not None:
        return constant(left % right)
    if divisor_of(lhs) % right == 0:
        return constant(0)
    first, last = _binary(lhs, Kind.Add)
    if first is not None and last is not None:
        if divisor_of(first) % right == 0:
            return modulo(last, rhs)
        if divisor_of(last) % right == 0:
            return modulo(first, rhs)
    inner, by = _binary(lhs, Kind.Mod)
    if inner is not None and by is not None:
        within = number_of(by)
        if within is not None and within >= 1 and within % right == 0:
            return modulo(inner, rhs)
    return AffineBinaryOpExpr(Kind.Mod, lhs, rhs)


BUILD: dict[Kind, Callable[[AffineExpr, AffineExpr], AffineExpr]] = {
    Kind.Add: plus,
    Kind.Mul: times,
    Kind.FloorDiv: floordiv,
    Kind.CeilDiv: ceildiv,
    Kind.Mod: modulo,
}


def replaced(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]
) -> AffineExpr:
    """An expression with its dims and symbols replaced, simplified."""
    match expr:
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr():
            return symbols[expr.position]
        case AffineBinaryOpExpr():
            lhs = replaced(expr.lhs, dims, symbols)
            return BUILD[expr.kind](lhs, replaced(expr.rhs, dims, symbols))
        case _:
            return expr


Flat: TypeAlias = Linear[AffineExpr]
"""A sum of products: a coefficient for each dim, symbol or quotient; the constant."""


def flattened(expr: AffineExpr, quotients: list[AffineExpr]) -> Flat | None:
    """An expression as a sum of products; None if it divides by less than 1.

    A quotient that does not simplify, or a product of two symbols, is appended to
    `quotients` and is a symbol of the linear form.
    """
    match expr:
        case AffineConstantExpr():
            return Linear({}, expr.value)
        case AffineDimExpr() | AffineSymExpr():
            return Linear({expr: 1})
        case AffineBinaryOpExpr():
            lhs = flattened(expr.lhs, quotients)
            rhs = flattened(expr.rhs, quotients)
            if lhs is None or rhs is None:
                return None
            return _combined(expr.kind, lhs, rhs, quotients)
        case _:
            return None


def _combined(
    kind: Kind, lhs: Flat, rhs: Flat, quotients: list[AffineExpr]
) -> Flat | None:
    if kind == Kind.Add:
        return lhs + rhs
    if not rhs.is_constant:
        built = BUILD[kind](built_up(lhs, quotients), built_up(rhs, quotients))
        return _as_symbol(built, quotients)
    by = rhs.constant
    if kind == Kind.Mul:
        return lhs * by
    if by < 1:
        return None
    numbers = (lhs.constant, *lhs.terms.values())
    if kind == Kind.Mod and all(number % by == 0 for number in numbers):
        return Linear()
    common = math.gcd(by, *numbers)
    terms = {atom: factor // common for atom, factor in lhs.terms.items()}
    part: Flat = Linear(terms, lhs.constant // common)
    if kind != Kind.Mod and by == common:
        return part
    divide = ceildiv if kind == Kind.CeilDiv else floordiv
    quotient = divide(built_up(part, quotients), constant(by // common))
    symbol = _as_symbol(quotient, quotients)
    return symbol if kind != Kind.Mod else lhs.plus(symbol, -by)


def _as_symbol(atom: AffineExpr, quotients: list[AffineExpr]) -> Flat:
    if atom not in quotients:
        quotients.append(atom)
    return Linear({atom: 1})


def built_up(flat: Flat, quotients: Sequence[AffineExpr]) -> AffineExpr:
    """The expression of a sum: dims, symbols, quotients in order, the constant."""

    def rank(atom: AffineExpr) -> tuple[int, int]:
        if isinstance(atom, AffineDimExpr):
            return 0, atom.position
        if isinstance(atom, AffineSymExpr):
            return 1, atom.position
        return 2, quotients.index(atom)

    return _sum(sorted(flat.terms, key=rank), flat)


def _sum(order: Sequence[AffineExpr], flat: Flat) -> AffineExpr:
    total = constant(0)
    for atom in order:
        total = plus(total, times(atom, constant(flat.terms[atom])))
    return plus(total, constant(flat.constant))


def simplified(expr: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
    """The normal form of an expression."""
    quotients: list[AffineExpr] = []
    flat = flattened(expr, quotients)
    if flat is None:
        return expr
    if expr.is_pure_affine():
        return built_up(flat, quotients)
    plain = built_up(flat, quotients)
    if plain == expr:
        return expr
    return _semi_affine(flat, quotients, max(num_dims, num_symbols))


def _semi_affine(
    flat: Flat, quotients: Sequence[AffineExpr], widest: int
) -> AffineExpr:
    """The expression of a sum with products of symbols, sorted by position."""

    def rank(atom: AffineExpr) -> tuple[int, int, int]:
        match atom:
            case AffineDimExpr():
                return 0, atom.position, -1
            case AffineSymExpr():
                return 0, atom.position, widest
            case AffineBinaryOpExpr(
                lhs=AffineDimExpr() | AffineSymExpr() as lhs, rhs=AffineSymExpr() as rhs
            ):
                return 0, lhs.position, rhs.position
            case AffineBinaryOpExpr(
                lhs=AffineDimExpr() | AffineSymExpr() as lhs, rhs=AffineConstantExpr()
            ):
                last = -1 if isinstance(lhs, AffineDimExpr) else widest
                return 0, lhs.position, last
            case _:
                return 1, quotients.index(atom), 0

    return _sum(sorted(flat.terms, key=rank), flat)


@lru_cache(maxsize=1 << 12)
def simplified_map(map_: AffineMap) -> AffineMap:
    """The normal form of every result of a map."""
    dims, symbols = map_.num_dims, map_.num_symbols
    results = tuple(simplified(expr, dims, symbols) for expr in map_.results)
    return AffineMap(dims, symbols, results)
