"""Patterns on casts: casts of constants, chains of casts, round trips."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation

from tilewright.ir.saturation import integer_range
from tilewright.ir.types import element_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import (
    Number,
    attribute_of,
    become,
    bits_of,
    element,
    elementwise,
    unsigned,
    wrapped,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

Cast = Callable[[Number, Attribute, Attribute], Number | None]
"""Takes a number, its type and its new type."""


def _to_float(number: Number, source: Attribute, target: Attribute) -> Number:
    return element(float(number), target).value.data


def _exactly(number: Number, source: Attribute, target: Attribute) -> Number | None:
    """The number as a narrower float, if it fits exactly."""
    narrow = element(number, target).value.data
    same = narrow == number or (narrow != narrow and number != number)
    return narrow if same else None


def _towards_zero(
    number: Number, source: Attribute, target: Attribute, signed: bool = True
) -> Number | None:
    """The number as an integer, if it fits; upstream folds no other."""
    if not math.isfinite(number):
        return None
    low, high = integer_range(bits_of(target), is_signed=signed)
    whole = math.trunc(number)
    return whole if low <= whole <= high else None


def _read_unsigned(number: Number, source: Attribute, target: Attribute) -> int:
    return unsigned(int(number), bits_of(source))


COMPUTE: dict[str, Cast] = {
    "arith.extsi": lambda n, s, t: n,
    "arith.extui": _read_unsigned,
    "arith.trunci": lambda n, s, t: wrapped(int(n), bits_of(t)),
    "arith.index_cast": lambda n, s, t: n,
    "arith.index_castui": _read_unsigned,
    "arith.extf": lambda n, s, t: n,
    "arith.truncf": _exactly,
    "arith.sitofp": _to_float,
    "arith.uitofp": lambda n, s, t: _to_float(_read_unsigned(n, s, t), s, t),
    "arith.fptosi": _towards_zero,
    "arith.fptoui": lambda n, s, t: _towards_zero(n, s, t, signed=False),
}


@fold_on(*COMPUTE)
def compute_cast(op: Operation, rewriter: Rewriter) -> None:
    """Compute the cast of a constant."""
    attr = attribute_of(op.operands[0])
    if attr is None:
        return
    compute, target = COMPUTE[op.name], op.results[0].type
    kinds = element_type(op.operands[0].type), element_type(target)

    def cast(number: Number) -> Number | None:
        return compute(number, *kinds)

    result = elementwise(cast, target, attr)
    if result is not None:
        become(op, result, rewriter)


ROUND_TRIPS = {
    "arith.trunci": ("arith.extsi", "arith.extui"),
    "arith.truncf": ("arith.extf",),
    "arith.bitcast": ("arith.bitcast",),
}
"""Each cast, with the casts that it undoes exactly for every value."""


@fold_on(*ROUND_TRIPS)
def round_trip(op: Operation, rewriter: Rewriter) -> None:
    """Replace a value that is widened and narrowed again by the value."""
    inner = owner_named(op.operands[0], *ROUND_TRIPS[op.name])
    if inner is not None and inner.operands[0].type == op.results[0].type:
        rewriter.replace(op, [inner.operands[0]])


@pattern_on("arith.index_cast", "arith.index_castui")
def index_round_trip(op: Operation, rewriter: Rewriter) -> None:
    """Replace an index that is cast to an integer and back by the index."""
    inner = owner_named(op.operands[0], op.name)
    if inner is None or inner.operands[0].type != op.results[0].type:
        return
    rewriter.replace(op, [inner.operands[0]])


MERGED = {
    ("arith.extsi", "arith.extsi"): "arith.extsi",
    ("arith.extsi", "arith.extui"): "arith.extui",
    ("arith.extui", "arith.extui"): "arith.extui",
    ("arith.trunci", "arith.trunci"): "arith.trunci",
}
"""The cast that replaces two, by (outer, inner)."""


@fold_on("arith.extsi", "arith.extui", "arith.trunci")
def merge_casts(op: Operation, rewriter: Rewriter) -> None:
    """Merge two extensions, or two truncations."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation):
        return
    if (merged := MERGED.get((op.name, inner.name))) is not None:
        cast = make(merged, [inner.operands[0]], op.result_types)
        rewriter.replace_with(op, cast)


@pattern_on("arith.trunci")
def truncate_extension(op: Operation, rewriter: Rewriter) -> None:
    """Replace a truncation of an extension that stays wider by one extension."""
    inner = owner_named(op.operands[0], "arith.extsi", "arith.extui")
    if inner is None:
        return
    first, last = (
        bits_of(element_type(kind))
        for kind in (inner.operands[0].type, op.results[0].type)
    )
    if first < last:
        cast = make(inner.name, [inner.operands[0]], op.result_types)
    elif first > last:
        cast = make(op.name, [inner.operands[0]], op.result_types)
    else:
        return
    rewriter.replace_with(op, cast)


INDEX_OF = {
    "arith.index_cast": "arith.extsi",
    "arith.index_castui": "arith.extui",
}


@pattern_on(*INDEX_OF)
def index_of_extension(op: Operation, rewriter: Rewriter) -> None:
    """Cast an extended integer to index without the extension."""
    inner = owner_named(op.operands[0], INDEX_OF[op.name])
    if inner is None or not isinstance(element_type(op.results[0].type), IndexType):
        return
    rewriter.replace_with(op, make(op.name, [inner.operands[0]], op.result_types))


PATTERNS = (
    compute_cast,
    round_trip,
    index_round_trip,
    merge_casts,
    truncate_extension,
    index_of_extension,
)
