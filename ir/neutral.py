"""Neutral elements: what a reduction may take in without changing its result."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

_INTEGERS = {CombiningKindFlag.ADD: 0, CombiningKindFlag.MUL: 1}
_FLOATS = {
    CombiningKindFlag.ADD: 0.0,
    CombiningKindFlag.MUL: 1.0,
    CombiningKindFlag.MAXIMUMF: -math.inf,
    CombiningKindFlag.MINIMUMF: math.inf,
}
"""None for maxnumf and minnumf: a NaN among others counts for nothing, NaNs alone give
one, and no number does both."""


def neutral_element(
    kind: CombiningKindFlag, of: Attribute
) -> IntegerAttr | FloatAttr | None:
    """The number that a reduction of this kind may start from or be padded with."""
    if isa(of, IntegerType):
        return IntegerAttr(_INTEGERS[kind], of) if kind in _INTEGERS else None
    if not isinstance(of, AnyFloat) or kind not in _FLOATS:
        return None
    return FloatAttr(_FLOATS[kind], of)
