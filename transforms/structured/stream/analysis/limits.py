"""Limits: what an expression is where a maximum is still the infinity it begins with.

The limit of `(x - m) * 2.0` is +inf while the maximum `m` is -inf. A limit is an
infinity, 0.0 for some finite number, or NaN where it may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import FloatAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects import math as math_dialect
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.reductions import reduction_of
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    unguarded,
)

_BELOW = (CombiningKindFlag.MAXIMUMF, CombiningKindFlag.MAXNUMF)
_ABOVE = (CombiningKindFlag.MINIMUMF, CombiningKindFlag.MINNUMF)
_DROP_NAN = (CombiningKindFlag.MAXNUMF, CombiningKindFlag.MINNUMF)
_LOGARITHMS = (math_dialect.LogOp, math_dialect.Log2Op)
_EXPONENTIALS = (math_dialect.ExpOp, math_dialect.Exp2Op)
_FINITE_EVERYWHERE = (math_dialect.TanhOp, math_dialect.SinOp, math_dialect.CosOp)


def limit(e: Expression, known: Callable[[Expression], float | None]) -> float:
    """The limit of an expression whose parts have the limits that `known` gives."""
    if (found := known(e)) is not None:
        return found
    if e.constant is not None:
        return e.constant if math.isinf(e.constant) else e.constant * 0.0
    if e.leaf is not None:
        return 0.0
    parts = [limit(arg, known) for arg in e.args]
    if any(map(math.isnan, parts)):
        return math.nan
    op = e.op
    match op:
        case arith.AddfOp():
            return parts[0] + parts[1]
        case arith.SubfOp():
            return parts[0] - parts[1]
        case arith.NegfOp():
            return -parts[0]
        case arith.ExtFOp() | arith.TruncFOp():
            return parts[0]
        case arith.MulfOp():
            return _product(e, parts)
        case arith.DivfOp():
            return _quotient(e, parts)
        case arith.MaximumfOp() | arith.MaxnumfOp():
            return max(parts)
        case arith.MinimumfOp() | arith.MinnumfOp():
            return min(parts)
        case arith.SelectOp():
            return parts[1] if parts[1] == parts[2] else math.nan
        case _ if isinstance(op, _EXPONENTIALS):
            return max(parts[0], 0.0)
        case _ if isinstance(op, _FINITE_EVERYWHERE):
            return 0.0
        case _ if isinstance(op, _LOGARITHMS) and _is_sum(e.args[0]):
            return -math.inf
        case _:
            return 0.0 if not e.depends & Depends.RUNNING else math.nan


def _product(e: Expression, parts: list[float]) -> float:
    if not any(map(math.isinf, parts)):
        return 0.0
    for part, other in ((parts[0], e.args[1]), (parts[1], e.args[0])):
        if math.isinf(part) and other.constant:
            return part * math.copysign(1.0, other.constant)
    return math.nan


def _quotient(e: Expression, parts: list[float]) -> float:
    below = e.args[1]
    if math.isinf(parts[0]):
        number = below.constant
        return parts[0] * math.copysign(1.0, number) if number else math.nan
    # A running divisor may begin with 0.
    is_safe = math.isinf(parts[1]) or not below.depends & Depends.RUNNING
    return 0.0 if is_safe else math.nan


def _is_sum(e: Expression) -> bool:
    """Whether an expression is the running value of a sum."""
    owner = None if e.leaf is None else e.leaf.value.owner
    if not e.is_running or not isinstance(owner, StructuredOp):
        return False
    found = reduction_of(owner, 0)
    return found is not None and found.kind == CombiningKindFlag.ADD


def start_of(e: Expression, finite: frozenset[SSAValue] = frozenset()) -> float:
    """The limit of an expression of running values before the first tile.

    The results in `finite` are numbers after the first tile.
    """

    def known(e: Expression) -> float | None:
        if e.leaf is None or e.leaf.depends != Depends.RUNNING:
            return None
        if e.leaf.value in finite:
            return 0.0
        return start_of_result(e.leaf.value)

    return limit(unguarded(e), known)


def start_of_result(value: SSAValue) -> float:
    """The limit of a reduction's result before the first tile."""
    op = value.owner
    assert isinstance(op, StructuredOp)
    found = reduction_of(op, 0) if len(op.outputs) == 1 else None
    if found is None:
        return math.nan
    if found.kind not in (*_BELOW, *_ABOVE):
        return 0.0
    fill = op.outputs[0].owner
    constant = fill.inputs[0].owner if isinstance(fill, FillOp) else None
    if isinstance(constant, arith.ConstantOp) and isinstance(constant.value, FloatAttr):
        number = constant.value.value.data
        # A maximum that drops NaN may start from it; the loop starts from -inf then.
        is_neutral = math.isnan(number) and found.kind in _DROP_NAN
        if not math.isinf(number) and not is_neutral:
            return number * 0.0
    return -math.inf if found.kind in _BELOW else math.inf
