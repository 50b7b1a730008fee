"""Neutral elements: what a reduction may take in without changing its result."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import (
    AnyFloat,
    Float8E4M3FNType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

_INTEGERS = {
    CombiningKindFlag.ADD: 0,
    CombiningKindFlag.MUL: 1,
    CombiningKindFlag.AND: -1,
    CombiningKindFlag.OR: 0,
    CombiningKindFlag.XOR: 0,
    CombiningKindFlag.MAXUI: 0,
    CombiningKindFlag.MINUI: -1,
}
_FLOATS = {
    CombiningKindFlag.ADD: 0.0,
    CombiningKindFlag.MUL: 1.0,
    CombiningKindFlag.MAXIMUMF: -math.inf,
    CombiningKindFlag.MINIMUMF: math.inf,
    # A NaN among others counts for nothing, and NaNs alone give one.
    CombiningKindFlag.MAXNUMF: math.nan,
    CombiningKindFlag.MINNUMF: math.nan,
}
_LARGEST = 448.0
"""Of f8E4M3FN, which has no infinities: as large as its numbers get."""


def neutral_element(
    kind: CombiningKindFlag, of: Attribute
) -> IntegerAttr | FloatAttr | None:
    """The number that a reduction of this kind may start from or be padded with."""
    if isa(of, IntegerType | IndexType):
        # An index is 64 bits wide, as everywhere here.
        bits = of.width.data if isa(of, IntegerType) else 64
        match kind:
            case CombiningKindFlag.MAXSI:
                return IntegerAttr(-(1 << (bits - 1)), of)
            case CombiningKindFlag.MINSI:
                return IntegerAttr((1 << (bits - 1)) - 1, of)
            case _:
                number = _INTEGERS.get(kind)
                return None if number is None else IntegerAttr(number, of)
    if not isinstance(of, AnyFloat) or kind not in _FLOATS:
        return None
    number = _FLOATS[kind]
    if isinstance(of, Float8E4M3FNType) and math.isinf(number):
        number = math.copysign(_LARGEST, number)
    return FloatAttr(number, of)
