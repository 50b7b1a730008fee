"""The ops that combine reductions, their kinds on vectors and their neutral elements.

This is the only table of them: the transformations, the interpreter and code generation
all read it. A neutral element is what a reduction may start from, or be padded with,
without changing its result. They are upstream's (`arith::getIdentityValueAttr`):

- `maxnumf` and `minnumf` start from NaN, which they drop: NaNs alone give NaN, as they
  would in a reduction that starts from its first element;
- `maximumf` and `minimumf` start from an infinity, or from the lowest or largest number
  under `fastmath<ninf>`, which makes infinities poison. f8E4M3FN has no infinities and
  starts from its extreme too (upstream starts from NaN there, which is wrong).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    Float8E4M3FNType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import FastMathFlagsAttr
from tilewright.ir.dtypes import numpy_dtype


@dataclass(frozen=True)
class Combining:
    """How reductions of one kind combine two numbers."""

    kind: CombiningKindFlag
    """What the kind is called on vectors."""
    on_floats: type[Operation] | None
    on_integers: type[Operation] | None


COMBININGS: tuple[Combining, ...] = (
    Combining(CombiningKindFlag.ADD, arith.AddfOp, arith.AddiOp),
    Combining(CombiningKindFlag.MUL, arith.MulfOp, arith.MuliOp),
    Combining(CombiningKindFlag.MAXIMUMF, arith.MaximumfOp, None),
    Combining(CombiningKindFlag.MINIMUMF, arith.MinimumfOp, None),
    Combining(CombiningKindFlag.MAXNUMF, arith.MaxnumfOp, None),
    Combining(CombiningKindFlag.MINNUMF, arith.MinnumfOp, None),
    Combining(CombiningKindFlag.AND, None, arith.AndIOp),
    Combining(CombiningKindFlag.OR, None, arith.OrIOp),
    Combining(CombiningKindFlag.XOR, None, arith.XOrIOp),
    Combining(CombiningKindFlag.MAXSI, None, arith.MaxSIOp),
    Combining(CombiningKindFlag.MINSI, None, arith.MinSIOp),
    Combining(CombiningKindFlag.MAXUI, None, arith.MaxUIOp),
    Combining(CombiningKindFlag.MINUI, None, arith.MinUIOp),
)

_BY_KIND = {row.kind: row for row in COMBININGS}
_KINDS: dict[type[Operation], CombiningKindFlag] = {
    op: row.kind
    for row in COMBININGS
    for op in (row.on_floats, row.on_integers)
    if op is not None
}

NAMES = ", ".join(op.name.partition(".")[2] for op in _KINDS)
"""Of the ops that combine, for messages."""

_FLOATS = {
    CombiningKindFlag.ADD: 0.0,
    CombiningKindFlag.MUL: 1.0,
    CombiningKindFlag.MAXIMUMF: -math.inf,
    CombiningKindFlag.MINIMUMF: math.inf,
    CombiningKindFlag.MAXNUMF: math.copysign(math.nan, -1),
    CombiningKindFlag.MINNUMF: math.nan,
}


def kind_of(op: Operation) -> CombiningKindFlag | None:
    """The kind of reduction that an op combines; None where it combines none."""
    return _KINDS.get(type(op))


def combining_op(kind: CombiningKindFlag, of: Attribute) -> type[Operation] | None:
    """The op that combines elements of a type; None where there is none."""
    row = _BY_KIND[kind]
    return row.on_floats if isinstance(of, AnyFloat) else row.on_integers


def neutral_element(
    kind: CombiningKindFlag, of: Attribute, fastmath: Attribute | None = None
) -> IntegerAttr | FloatAttr | None:
    """The number that a reduction of this kind may start from or be padded with."""
    if isa(of, IntegerType | IndexType):
        # An index is 64 bits wide, as everywhere here.
        bits = of.width.data if isa(of, IntegerType) else 64
        number = neutral_integer(kind, bits)
        if number is None:
            return None
        is_index = isinstance(of, IndexType)
        return IntegerAttr(number, of, truncate_bits=not is_index)
    if not isinstance(of, AnyFloat) or kind not in _FLOATS:
        return None
    number = _FLOATS[kind]
    is_finite = isinstance(of, Float8E4M3FNType) or _drops_infinities(fastmath)
    if math.isinf(number) and is_finite:
        import ml_dtypes

        info = cast("Any", ml_dtypes.finfo(numpy_dtype(of)))
        largest = float(info.max)
        number = math.copysign(largest, number)
    return FloatAttr(number, of)


def neutral_of(op: Operation) -> IntegerAttr | FloatAttr | None:
    """The neutral element of an op that combines, under its own fastmath flags."""
    kind = kind_of(op)
    if kind is None:
        return None
    fastmath = op.properties.get("fastmath")
    return neutral_element(kind, op.results[0].type, fastmath)


def neutral_float(kind: CombiningKindFlag) -> float | None:
    """The neutral element in a type that has infinities."""
    return _FLOATS.get(kind)


def neutral_integer(kind: CombiningKindFlag, bits: int) -> int | None:
    """The neutral element among integers of so many bits, read as signed."""
    match kind:
        case CombiningKindFlag.ADD | CombiningKindFlag.OR | CombiningKindFlag.XOR:
            return 0
        case CombiningKindFlag.MUL:
            return 1
        case CombiningKindFlag.AND | CombiningKindFlag.MINUI:
            return -1
        case CombiningKindFlag.MAXUI:
            return 0
        case CombiningKindFlag.MAXSI:
            return -(1 << (bits - 1))
        case CombiningKindFlag.MINSI:
            return (1 << (bits - 1)) - 1
        case _:
            return None


def _drops_infinities(fastmath: Attribute | None) -> bool:
    return isinstance(fastmath, FastMathFlagsAttr) and any(
        flag.value == "ninf" for flag in fastmath.data
    )
