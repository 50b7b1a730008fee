"""The one table of reductions: kinds, the ops that combine, and neutral elements.

The transformations, the interpreter and code generation all read it. A reduction may
start from its neutral element, or be padded with it, without changing its result. The
neutral elements are upstream's (`arith::getIdentityValueAttr`):

- `maxnumf` and `minnumf` start from NaN, which they drop: NaNs alone give NaN, as they
  would in a reduction that starts from its first element;
- `maximumf` and `minimumf` start from an infinity, or from the lowest or largest number
  under `fastmath<ninf>`, which makes infinities poison. f8E4M3FN has no infinities and
  starts from its extreme too (upstream starts from NaN there, which is wrong);
- a sum of floats starts from 0.0, which turns -0.0 into 0.0. Where the sign of a zero
  must stay, `exact_neutral_float` gives -0.0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AnyFloat,
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
from tilewright.ir.dtypes import WITHOUT_INFINITY, element


@dataclass(frozen=True)
class Combining:
    """How reductions of one kind combine two numbers; all are commutative."""

    kind: CombiningKindFlag
    """The name of the kind in the vector dialect."""
    on_floats: type[Operation] | None
    on_integers: type[Operation] | None
    is_idempotent: bool = False
    """Whether combining a number twice is the same as combining it once."""


COMBININGS: tuple[Combining, ...] = (
    Combining(CombiningKindFlag.ADD, arith.AddfOp, arith.AddiOp),
    Combining(CombiningKindFlag.MUL, arith.MulfOp, arith.MuliOp),
    Combining(CombiningKindFlag.MAXIMUMF, arith.MaximumfOp, None, is_idempotent=True),
    Combining(CombiningKindFlag.MINIMUMF, arith.MinimumfOp, None, is_idempotent=True),
    Combining(CombiningKindFlag.MAXNUMF, arith.MaxnumfOp, None, is_idempotent=True),
    Combining(CombiningKindFlag.MINNUMF, arith.MinnumfOp, None, is_idempotent=True),
    Combining(CombiningKindFlag.AND, None, arith.AndIOp, is_idempotent=True),
    Combining(CombiningKindFlag.OR, None, arith.OrIOp, is_idempotent=True),
    Combining(CombiningKindFlag.XOR, None, arith.XOrIOp),
    Combining(CombiningKindFlag.MAXSI, None, arith.MaxSIOp, is_idempotent=True),
    Combining(CombiningKindFlag.MINSI, None, arith.MinSIOp, is_idempotent=True),
    Combining(CombiningKindFlag.MAXUI, None, arith.MaxUIOp, is_idempotent=True),
    Combining(CombiningKindFlag.MINUI, None, arith.MinUIOp, is_idempotent=True),
)

IDEMPOTENT_KINDS = frozenset(row.kind for row in COMBININGS if row.is_idempotent)

_BY_KIND = {row.kind: row for row in COMBININGS}
_KINDS: dict[type[Operation], CombiningKindFlag] = {
    op: row.kind
    for row in COMBININGS
    for op in (row.on_floats, row.on_integers)
    if op is not None
}

KIND_OF_NAME = {op.name: kind for op, kind in _KINDS.items()}
"""The ops that combine, by name."""

NAMES = ", ".join(name.partition(".")[2] for name in KIND_OF_NAME)
"""The ops that combine, for messages."""

_FLOATS = {
    CombiningKindFlag.ADD: 0.0,
    CombiningKindFlag.MUL: 1.0,
    CombiningKindFlag.MAXIMUMF: -math.inf,
    CombiningKindFlag.MINIMUMF: math.inf,
    CombiningKindFlag.MAXNUMF: math.copysign(math.nan, -1),
    CombiningKindFlag.MINNUMF: math.nan,
}


def kind_of(op: Operation) -> CombiningKindFlag | None:
    """The kind of reduction that an op combines; None if it combines none."""
    return _KINDS.get(type(op))


def combining_op(kind: CombiningKindFlag, of: Attribute) -> type[Operation] | None:
    """The op that combines elements of a type; None if there is none."""
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
    is_finite = of in WITHOUT_INFINITY or _drops_infinities(fastmath)
    if math.isinf(number) and is_finite:
        form = element(of).float_format
        assert form is not None
        number = math.copysign(form.largest, number)
    return FloatAttr(number, of)


def neutral_of(op: Operation) -> IntegerAttr | FloatAttr | None:
    """The neutral element of an op that combines, under its own fastmath flags."""
    kind = kind_of(op)
    if kind is None:
        return None
    fastmath = op.properties.get("fastmath")
    return neutral_element(kind, op.results[0].type, fastmath)


def is_neutral(
    constant: FloatAttr | IntegerAttr | None, kind: CombiningKindFlag
) -> bool:
    """Whether a reduction may start from this constant; either zero, for a sum."""
    if constant is None:
        return False
    neutral = neutral_element(kind, constant.type)
    if neutral is None:
        return False
    start, wanted = constant.value.data, neutral.value.data
    return start == wanted or (math.isnan(start) and math.isnan(wanted))


def neutral_float(kind: CombiningKindFlag) -> float | None:
    """The neutral element in a type that has infinities."""
    return _FLOATS.get(kind)


def exact_neutral_float(kind: CombiningKindFlag) -> float | None:
    """The number that changes no float it is combined with, not even -0.0."""
    return -0.0 if kind == CombiningKindFlag.ADD else _FLOATS.get(kind)


def neutral_integer(kind: CombiningKindFlag, bits: int) -> int | None:
    """The neutral element among integers of this width, read as signed."""
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


def absorbing_integer(kind: CombiningKindFlag, bits: int) -> int | None:
    """The integer that combined with any other is the result, read as signed."""
    match kind:
        case CombiningKindFlag.MUL | CombiningKindFlag.AND | CombiningKindFlag.MINUI:
            return 0
        case CombiningKindFlag.OR | CombiningKindFlag.MAXUI:
            return -1
        case CombiningKindFlag.MAXSI:
            return (1 << (bits - 1)) - 1
        case CombiningKindFlag.MINSI:
            return -(1 << (bits - 1))
        case _:
            return None


def _drops_infinities(fastmath: Attribute | None) -> bool:
    return isinstance(fastmath, FastMathFlagsAttr) and any(
        flag.value == "ninf" for flag in fastmath.data
    )
