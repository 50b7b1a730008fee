"""The bounds of the floats in a tile, as far as clamps to constants show them."""

from __future__ import annotations

import math as python_math
from typing import TypeAlias

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.ir.dialects import arith, math, vector
from tilewright.ir.dialects.kernel import ExpandDimsOp

Bounds: TypeAlias = tuple[float, float]

_UNKNOWN: Bounds = (-python_math.inf, python_math.inf)


def float_bounds(value: SSAValue) -> Bounds:
    """The least and the greatest number that a tile may have; it may have NaN too."""
    match op := value.owner:
        case arith.MaximumfOp() | arith.MaxnumfOp():
            source, limit = _limited(op)
            # `maxnumf` of NaN is the limit, so the limit is a bound in any case.
            return limit[0], max(float_bounds(source)[1], limit[1])
        case arith.MinimumfOp() | arith.MinnumfOp():
            source, limit = _limited(op)
            return min(float_bounds(source)[0], limit[0]), limit[1]
        case ExpandDimsOp() | vector.BroadcastOp():
            return float_bounds(op.source)
        case (
            math.FloorOp()
            | math.CeilOp()
            | math.TruncOp()
            | math.RoundOp()
            | math.RoundEvenOp()
        ):
            low, high = float_bounds(op.operand)
            return (
                python_math.floor(low) if python_math.isfinite(low) else low,
                python_math.ceil(high) if python_math.isfinite(high) else high,
            )
        case _:
            return _UNKNOWN


def _limited(
    op: arith.MaximumfOp | arith.MaxnumfOp | arith.MinimumfOp | arith.MinnumfOp,
) -> tuple[SSAValue, Bounds]:
    """The operand that is clamped, and the constant that it is clamped to."""
    for source, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        constant = constant_of(other)
        if isinstance(constant, FloatAttr) and not python_math.isnan(
            number := constant.value.data
        ):
            return source, (number, number)
    return op.lhs, _UNKNOWN
