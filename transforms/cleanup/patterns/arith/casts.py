"""Casts: of constants, of casts, and back to where a value came from."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation

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
"""Of a number, its type and the type it becomes."""


def _to_float(number: Number, source: Attribute, target: Attribute) -> Number:
    return element(float(number), target).value.data


def _exactly(number: Number, source: Attribute, target: Attribute) -> Number | None:
    """A narrower float, where that loses nothing."""
    narrow = element(number, target).value.data
    same = narrow == number or (narrow != narrow and number != number)
    return narrow if same else None


def _towards_zero(
    number: Number, source: Attribute, target: Attribute, signed: bool = True
) -> Number | None:
    if number != number or number in (float("inf"), float("-inf")):
        return None
    whole, bits = int(number), bits_of(target)
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if signed else (0, 1 << bits)
    return whole if low <= whole < high else None


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
    """The cast of a constant."""
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
"""What a cast takes back, whatever the value."""


@fold_on(*ROUND_TRIPS)
def there_and_back(op: Operation, rewriter: Rewriter) -> None:
    """A value widened and narrowed again is the value."""
    inner = owner_named(op.operands[0], *ROUND_TRIPS[op.name])
    if inner is not None and inner.operands[0].type == op.results[0].type:
        rewriter.replace(op, [inner.operands[0]])


@pattern_on("arith.index_cast", "arith.index_castui")
def index_there_and_back(op: Operation, rewriter: Rewriter) -> None:
    """An index cast to an integer and back is the index."""
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
"""The cast that two casts are: the outer one, the inner one, both at once."""


@fold_on("arith.extsi", "arith.extui", "arith.trunci")
def merge_casts(op: Operation, rewriter: Rewriter) -> None:
    """Two extensions are one, and so are two truncations."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation):
        return
    if (merged := MERGED.get((op.name, inner.name))) is not None:
        cast = make(merged, [inner.operands[0]], op.result_types)
        rewriter.replace_with(op, cast)


@pattern_on("arith.trunci")
def truncate_extension(op: Operation, rewriter: Rewriter) -> None:
    """Narrowed to something wider than at first: the extension alone, to there."""
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
    """An index made of an extended integer is made of the integer."""
    inner = owner_named(op.operands[0], INDEX_OF[op.name])
    if inner is None or not isinstance(element_type(op.results[0].type), IndexType):
        return
    rewriter.replace_with(op, make(op.name, [inner.operands[0]], op.result_types))


PATTERNS = (
    compute_cast,
    there_and_back,
    index_there_and_back,
    merge_casts,
    truncate_extension,
    index_of_extension,
)
