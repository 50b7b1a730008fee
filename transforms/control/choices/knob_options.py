"""What the options of a knob stand for: a list, or the integers of an `affine_set`.

    options = [64, 128]
    options = affine_set<(d0) : (d0 - 16 >= 0, 256 - d0 >= 0, d0 mod 16 == 0)>

Upstream reads any attribute as options, and checks the selected value against a list
only. A set of one dimension with both bounds lists its integers, so a tuner can walk
it; without them a value has to be given.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from xdsl.dialects.builtin import AffineSetAttr, ArrayAttr, IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSet,
)
from xdsl.ir.affine.affine_set import AffineConstraintKind
from xdsl.utils.hints import isa

MOST = 10_000
"""The most integers of a set that become options; a larger set needs a value."""


def listed_options(options: Attribute) -> Sequence[Attribute]:
    """The options one by one; none where they cannot be listed."""
    if isa(options, ArrayAttr):
        return options.data
    if isinstance(options, AffineSetAttr):
        return [IntegerAttr(value, i64) for value in _integers(options.data)]
    return ()


def holds(options: Attribute, value: Attribute) -> bool:
    """Whether a knob with these options may have this value."""
    if isa(options, ArrayAttr):
        return value in options.data
    if isinstance(options, AffineSetAttr) and isa(value, IntegerAttr):
        return _contains(options.data, value.value.data)
    return True


def _integers(of: AffineSet) -> list[int]:
    low: int | None = None
    high: int | None = None
    for constraint in of.constraints:
        factors = _linear(constraint.lhs)
        if factors is None or factors[0] == 0:
            continue
        slope, offset = factors
        is_equal = constraint.kind is AffineConstraintKind.eq
        below = (slope > 0) == (constraint.kind is AffineConstraintKind.ge)
        # slope * value + offset compares with 0: divide, rounding into the set.
        if below or is_equal:
            bound = ceil(Fraction(-offset, slope))
            low = bound if low is None else max(low, bound)
        if not below or is_equal:
            bound = floor(Fraction(-offset, slope))
            high = bound if high is None else min(high, bound)
    if of.num_dims != 1 or of.num_symbols or low is None or high is None:
        return []
    if high - low >= MOST:
        return []
    return [value for value in range(low, high + 1) if _contains(of, value)]


def _contains(of: AffineSet, value: int) -> bool:
    if of.num_dims != 1 or of.num_symbols:
        return False
    for constraint in of.constraints:
        found = constraint.lhs.eval([value], [])
        match constraint.kind:
            case AffineConstraintKind.ge:
                fits = found >= 0
            case AffineConstraintKind.le:
                fits = found <= 0
            case AffineConstraintKind.eq:
                fits = found == 0
        if not fits:
            return False
    return True


def _linear(expr: AffineExpr) -> tuple[int, int] | None:
    """Factor and offset of an expression in one dimension; None where it has others."""
    match expr:
        case AffineConstantExpr():
            return 0, expr.value
        case AffineDimExpr():
            return 1, 0
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add):
            left, right = _linear(expr.lhs), _linear(expr.rhs)
            if left is None or right is None:
                return None
            return left[0] + right[0], left[1] + right[1]
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul):
            left, right = _linear(expr.lhs), _linear(expr.rhs)
            if left is None or right is None or (left[0] and right[0]):
                return None
            return (
                left[0] * right[1] + right[0] * left[1],
                left[1] * right[1],
            )
        case _:
            return None
