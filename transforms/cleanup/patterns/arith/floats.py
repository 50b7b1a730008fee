"""Patterns on float arithmetic: compute constants, drop exact identities.

The patterns are upstream's: `x + -0.0`, `x * 1`, `max(x, -inf)`. NaN, infinities and
the sign of zero are kept, so `x + 0.0`, `x * 0.0` and `x - x` stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.ir import Operation

from tilewright.ir.structured.combiners import (
    IDEMPOTENT_KINDS,
    KIND_OF_NAME,
    exact_neutral_float,
)
from tilewright.transforms.cleanup.build import owner_named, remade
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    elementwise,
    uniform,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.core.rewriter import Rewriter


def _divide(a: float, b: float) -> float:
    if b != 0.0 or math.isnan(b):
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def _remainder(a: float, b: float) -> float:
    if b == 0.0 or math.isinf(a) or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.fmod(a, b)


def _maximum(a: float, b: float) -> float:
    """The greater; a NaN wins, and 0.0 is greater than -0.0."""
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if a == b == 0.0:
        return a if math.copysign(1.0, a) > 0 else b
    return max(a, b)


def _maxnum(a: float, b: float) -> float:
    """The greater; a NaN loses."""
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return _maximum(a, b)


COMPUTE: dict[str, Callable[[float, float], float]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": _divide,
    "arith.remf": _remainder,
    "arith.maximumf": _maximum,
    "arith.minimumf": lambda a, b: -_maximum(-a, -b),
    "arith.maxnumf": _maxnum,
    "arith.minnumf": lambda a, b: -_maxnum(-a, -b),
}
IDENTITY: dict[str, float] = {"arith.subf": 0.0, "arith.divf": 1.0} | {
    name: number
    for name, kind in KIND_OF_NAME.items()
    if name in COMPUTE and (number := exact_neutral_float(kind)) is not None
}
"""Right operands for which the result is the left one."""


@fold_on(*COMPUTE)
def compute_floats(op: Operation, rewriter: Rewriter) -> None:
    """Compute with constants, and round to their type."""
    lhs, rhs = (attribute_of(operand) for operand in op.operands)
    if lhs is None or rhs is None:
        return
    result = elementwise(COMPUTE[op.name], op.results[0].type, lhs, rhs)
    if result is not None:
        become(op, result, rewriter)


def _negative(number: float) -> float:
    return -number


@fold_on("arith.negf")
def compute_negation(op: Operation, rewriter: Rewriter) -> None:
    """Negate a constant; replace `-(-x)` by `x`."""
    (operand,) = op.operands
    if (inner := owner_named(operand, "arith.negf")) is not None:
        rewriter.replace(op, [inner.operands[0]])
        return
    if (attr := attribute_of(operand)) is None:
        return
    result = elementwise(_negative, op.results[0].type, attr)
    if result is not None:
        become(op, result, rewriter)


def _same_float(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


@fold_on(*IDENTITY)
def float_identities(op: Operation, rewriter: Rewriter) -> None:
    """`x + -0.0`, `x - 0.0`, `x * 1`, `max(x, -inf)`, `max(x, x)`, ..."""
    lhs, rhs = op.operands
    if lhs is rhs and KIND_OF_NAME.get(op.name) in IDEMPOTENT_KINDS:
        rewriter.replace(op, [lhs])
        return
    number = uniform(rhs)
    if number is not None and _same_float(float(number), IDENTITY[op.name]):
        rewriter.replace(op, [lhs])


@pattern_on("arith.mulf", "arith.divf")
def drop_two_signs(op: Operation, rewriter: Rewriter) -> None:
    """`-a * -b` is `a * b`, and `-a / -b` is `a / b`."""
    inner = [owner_named(operand, "arith.negf") for operand in op.operands]
    if inner[0] is not None and inner[1] is not None:
        operands = [inner[0].operands[0], inner[1].operands[0]]
        rewriter.replace_with(op, remade(op, operands))


PATTERNS = (compute_floats, compute_negation, float_identities, drop_two_signs)
