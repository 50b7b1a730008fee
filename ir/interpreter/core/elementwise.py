"""Element by element: one numpy function for scalars, vectors and whole operands.

A vector that was broadcast stays a view with stride 0; it is computed on once per
distinct element and broadcast again, so that a product before its reduction costs only
what its factors cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import IndexType, ShapedType
from xdsl.ir import Attribute, Operation

from tilewright.ir.dtypes import element, numpy_dtype
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Value,
    is_array,
)
from tilewright.ir.interpreter.core.rounding import (
    NARROW_FLOATS,
    choose,
    is_float,
    to_float,
)
from tilewright.ir.saturation import nearest_integers

Function: TypeAlias = Callable[..., Any]

__all__ = [
    "Function",
    "as_is",
    "cast",
    "choose",
    "distinct",
    "elementwise",
    "in_f32",
    "lift",
    "number",
    "on_signed",
    "on_unsigned",
    "signed",
    "to_bits",
    "typed",
    "unsigned",
    "widen",
    "width_of",
]


def elementwise(function: Function) -> Semantics:
    """Semantics of an op with one result, from a function of numpy values."""

    def semantics(interpreter: Interpreter, op: Operation, *operands: Value) -> Results:
        return (lift(function, op.results[0].type, *operands),)

    return semantics


def lift(function: Function, result_type: Attribute, *operands: Value) -> Value:
    """Apply `function` and give the result its type; broadcasts stay lazy."""
    if not any(is_array(v) and 0 in v.strides for v in operands):
        return cast(function(*operands), result_type)
    shape = np.broadcast_shapes(*(np.shape(v) for v in operands))
    result = cast(function(*(distinct(v) for v in operands)), result_type)
    return result if np.shape(result) == shape else np.broadcast_to(result, shape)


def distinct(value: Value) -> Value:
    """A view without the repetitions along broadcast dimensions: they get size 1."""
    if not is_array(value) or 0 not in value.strides:
        return value
    window = tuple(
        slice(0, 1) if stride == 0 else slice(None) for stride in value.strides
    )
    return value[window]


def cast(value: Value, to: Attribute) -> Value:
    """A computed value in the numpy type that stands for the type `to`."""
    if is_array(value) and (value.ndim or isinstance(to, ShapedType)):
        return to_bits(value, numpy_dtype(to))
    scalar = to_bits(np.asarray(value), element(to).numpy)[()]
    return int(scalar) if isinstance(to, IndexType) else scalar


def typed(value: Any, of: Attribute) -> Value:
    """A computed array as a vector, or as the scalar that it holds."""
    array = np.asarray(value)
    return cast(array if isinstance(of, ShapedType) else array[()], of)


def to_bits(value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert: an i1 keeps the lowest bit, integers wrap, floats round once.

    A float becomes the nearest signed integer.
    """
    if value.dtype == dtype:
        return value
    if dtype.kind in "iub" and is_float(value.dtype):
        value = nearest_integers(value, _width(dtype), is_signed=True)
    if dtype == np.bool_:
        return (value.astype(np.int64) & 1) != 0
    if dtype.kind in "iub":
        return value.astype(dtype)
    return to_float(value, dtype)


def width_of(type_: Attribute) -> int:
    """Bits of one element; an i1 has one, index 64."""
    return _width(numpy_dtype(type_))


def _width(dtype: np.dtype[Any]) -> int:
    return 1 if dtype == np.bool_ else dtype.itemsize * 8


def signed(value: Value) -> Any:
    """An integer read as signed: a true i1 is -1."""
    if isinstance(value, int):
        return np.int64(value)
    return -value.astype(np.int8) if value.dtype == np.bool_ else value


def unsigned(value: Value) -> Any:
    """An integer read as unsigned, in numpy's unsigned type of the same width."""
    if isinstance(value, int):
        return np.int64(value).astype(np.uint64)
    if value.dtype == np.bool_:
        return value.astype(np.uint8)
    return value.astype(f"u{value.dtype.itemsize}")


def number(value: Value) -> Any:
    """A float, narrow ones in f32, or an integer read as signed."""
    is_integer = isinstance(value, int) or value.dtype == np.bool_
    return signed(value) if is_integer else widen(value)


def on_signed(function: Function) -> Function:
    """`function` on operands read as signed."""
    return lambda *operands: function(*map(signed, operands))


def on_unsigned(function: Function) -> Function:
    """`function` on operands read as unsigned."""
    return lambda *operands: function(*map(unsigned, operands))


def as_is(value: Value) -> Any:
    """The value itself: an integer whose sign does not matter."""
    return value


def in_f32(function: Function) -> Function:
    """`function` with narrow floats computed in f32; the result is rounded once."""

    def widened(*operands: Value) -> Any:
        return function(*map(widen, operands))

    return widened


def widen(value: Value) -> Value:
    """f16, bf16 and fp8 in f32; anything else as it is."""
    if isinstance(value, int) or value.dtype not in NARROW_FLOATS:
        return value
    return value.astype(np.float32)
