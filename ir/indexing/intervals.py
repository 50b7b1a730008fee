"""Interval arithmetic: between which numbers an affine expression lies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

Interval = tuple[int | None, int | None]
"""The least and the greatest number, None where there is none."""

UNKNOWN: Interval = (None, None)


def interval(
    expr: AffineExpr, dims: Sequence[Interval], symbols: Sequence[Interval] = ()
) -> Interval:
    """The interval of an expression over dims and symbols in these intervals."""
    match expr:
        case AffineConstantExpr():
            return expr.value, expr.value
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr() if expr.position < len(symbols):
            return symbols[expr.position]
        case AffineBinaryOpExpr():
            lhs = interval(expr.lhs, dims, symbols)
            return combined(expr.kind, lhs, interval(expr.rhs, dims, symbols))
        case _:
            return UNKNOWN


def combined(kind: AffineBinaryOpKind, lhs: Interval, rhs: Interval) -> Interval:
    """The interval of an operation on numbers that lie in two intervals."""
    match kind:
        case AffineBinaryOpKind.Add:
            return _plus(lhs[0], rhs[0]), _plus(lhs[1], rhs[1])
        case AffineBinaryOpKind.Mul:
            return _product(lhs, rhs)
        case _:
            return _quotient(kind, lhs, rhs)


def _plus(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _product(lhs: Interval, rhs: Interval) -> Interval:
    if rhs[0] is None or rhs[0] != rhs[1]:
        if lhs[0] is None or lhs[0] != lhs[1]:
            return _product_of_counts(lhs, rhs)
        lhs, rhs = rhs, lhs
    by = rhs[0]
    assert by is not None
    low, high = (None if end is None else end * by for end in lhs)
    return (low, high) if by >= 0 else (high, low)


def _product_of_counts(lhs: Interval, rhs: Interval) -> Interval:
    """The product of numbers that are never negative; unknown for others."""
    low, high = lhs
    if low is None or rhs[0] is None or low < 0 or rhs[0] < 0:
        return UNKNOWN
    return low * rhs[0], None if high is None or rhs[1] is None else high * rhs[1]


def _quotient(kind: AffineBinaryOpKind, lhs: Interval, rhs: Interval) -> Interval:
    """A quotient or a remainder; the divisor is taken not to be 0."""
    (low, high), by = lhs, rhs[0]
    if by is None or by < 0 or rhs[1] == 0:
        return UNKNOWN
    if by != rhs[1]:
        # Of a divisor that is not known, it is known that it is positive.
        return (0, None) if low is not None and low >= 0 else UNKNOWN
    match kind:
        case AffineBinaryOpKind.FloorDiv:
            first, last = (None if end is None else end // by for end in lhs)
            return first, last
        case AffineBinaryOpKind.CeilDiv:
            first, last = (None if end is None else -(-end // by) for end in lhs)
            return first, last
        case _:
            if low is not None and high is not None and low // by == high // by:
                return low % by, high % by
            return 0, by - 1
