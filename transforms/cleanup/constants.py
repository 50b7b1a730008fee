"""Read constants, compute with them, replace ops by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeGuard

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dense_constants import dense_of, is_splat
from tilewright.ir.dialects import arith, ub
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.types import element_type
from tilewright.transforms.core.rewriter import Rewriter

Number: TypeAlias = int | float
Element: TypeAlias = IntegerAttr[Any] | FloatAttr[Any]
Elements: TypeAlias = DenseIntOrFPElementsAttr[Any]

INDEX_BITS = 64
"""The width of an index during folding, as in upstream."""


def attribute_of(value: SSAValue) -> Element | Elements | None:
    """The attribute of a constant value: a number, or an array of numbers."""
    if type(value) is not OpResult or type(value.op) is not arith.ConstantOp:
        return None
    attr = value.op.properties["value"]
    return attr if _holds_numbers(attr) else None


def _holds_numbers(attr: Attribute) -> TypeGuard[Element | Elements]:
    return isinstance(attr, IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr)


def uniform(value: SSAValue) -> Number | None:
    """The number that a scalar, or every element of an array, equals, if known."""
    attr = attribute_of(value)
    if isinstance(attr, IntegerAttr | FloatAttr):
        return attr.value.data
    if attr is None or (first := splat_element(attr)) is None:
        return None
    return first.value.data


def splat_element(attr: Elements) -> Element | None:
    """The element that all elements of an array equal, if they are equal."""
    if not is_splat(attr):
        return None
    return element(attr.get_values()[0], attr.get_element_type())


def element(number: Number, kind: Attribute) -> Element:
    """A number as a constant of a scalar type."""
    if isinstance(kind, AnyFloat):
        return FloatAttr(_rounded(float(number), kind), kind)
    assert isa(kind, IntegerType | IndexType)
    return IntegerAttr(wrapped(int(number), bits_of(kind)), kind)


def _rounded(number: float, kind: Attribute) -> float:
    """The nearest number of a float type; infinity if it is too large."""
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.float64(number).astype(numpy_dtype(kind)))


def bits_of(kind: Attribute) -> int:
    """The number of bits of an integer type."""
    return kind.width.data if isa(kind, IntegerType) else INDEX_BITS


def wrapped(number: int, bits: int) -> int:
    """A number wrapped to this many bits, read as signed; i1 is 0 or -1."""
    low = number & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


def unsigned(number: int, bits: int) -> int:
    """The same bits read as an unsigned number."""
    return number & ((1 << bits) - 1)


def filled(number: Number, kind: Attribute) -> Element | Elements:
    """A constant of a scalar, vector or tensor type with `number` everywhere."""
    if isa(kind, VectorType | TensorType):
        return splat(element(number, element_type(kind)), kind)
    return element(number, kind)


def splat(value: Element, kind: VectorType[Any] | TensorType[Any]) -> Elements:
    """A dense constant with `value` in every place."""
    return dense_of(kind, [value.value.data])


def elementwise(
    compute: Callable[..., Number | None],
    result: Attribute,
    *arguments: Element | Elements,
) -> Element | Elements | None:
    """Apply `compute` to constants, element by element; None if it has no result."""
    kind = element_type(result)
    whole = [_whole(argument) for argument in arguments]
    if all(len(values) == 1 for values in whole):
        number = compute(*(values[0] for values in whole))
        return None if number is None else filled(number, result)
    length = max(len(values) for values in whole)
    spread = [v * length if len(v) == 1 else v for v in whole]
    numbers = [compute(*values) for values in zip(*spread, strict=True)]
    found = [element(n, kind).value.data for n in numbers if n is not None]
    if len(found) != length:
        return None
    return dense_of(result, found)


def _whole(attr: Element | Elements) -> tuple[Number, ...]:
    """All elements of a constant; a single element if they are all equal."""
    if isinstance(attr, IntegerAttr | FloatAttr):
        return (attr.value.data,)
    if (first := splat_element(attr)) is not None:
        return (first.value.data,)
    return tuple(attr.get_values())


def is_poison(value: SSAValue) -> bool:
    """Whether `value` is poison: any value may stand for it."""
    return isinstance(value.owner, ub.PoisonOp)


def index_constant(number: int) -> arith.ConstantOp:
    """A constant of type index."""
    return arith.ConstantOp(IntegerAttr.from_index_int_value(number))


def become(op: Operation, attr: Element | Elements, rewriter: Rewriter) -> None:
    """Replace an op by a constant."""
    rewriter.replace_with(op, arith.ConstantOp(attr))
