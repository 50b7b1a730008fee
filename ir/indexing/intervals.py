"""Affine expressions over intervals: the numbers they can take."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

Interval = tuple[int | None, int | None]
"""The least and the greatest number, None where there is none."""


def interval(expr: AffineExpr, dims: Sequence[Interval]) -> Interval:
    """The interval of an expression over dims that lie in these intervals."""
    match expr:
        case AffineConstantExpr():
            return expr.value, expr.value
        case AffineDimExpr():
            return dims[expr.position]
        case AffineBinaryOpExpr():
            lhs = interval(expr.lhs, dims)
            return _combined(expr.kind, lhs, interval(expr.rhs, dims))
        case _:
            return None, None


def _combined(kind: AffineBinaryOpKind, lhs: Interval, rhs: Interval) -> Interval:
    low, high = lhs
    if kind == AffineBinaryOpKind.Add:
        return (
            None if low is None or rhs[0] is None else low + rhs[0],
            None if high is None or rhs[1] is None else high + rhs[1],
        )
    by = rhs[0]
    if by is None or by != rhs[1]:
        return None, None
    if kind == AffineBinaryOpKind.Mul:
        ends = [None if end is None else end * by for end in lhs]
        return (ends[0], ends[1]) if by >= 0 else (ends[1], ends[0])
    if by < 1:
        return None, None
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
