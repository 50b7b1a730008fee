"""Extrema with their places: argmax, argmin, and max and min along a dimension.

Value and place are one number of 64 bits, so that one reduction reads everything once:
the upper half orders as the values do, the lower half prefers the first place. Values
of 64 bits take two reductions: the extremum, then the first place that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.reductions import reduce, with_units
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects import arith
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.axes import axes_of
from tilewright.torch_backend.ops.elements.element_functions import (
    shift_left,
    shift_right,
)
from tilewright.torch_backend.ops.elements.promotion import compute, converted
from tilewright.torch_backend.ops.result import Result, refuse
from tilewright.torch_backend.ops.rows.reductions import extremum

Extreme = Literal["max", "min"]
_LOW = 2**32 - 1
"""The lower half of a key."""


def position(kind: Extreme) -> Callable[..., Tensor]:
    """The index of the largest or smallest element, the first of equal ones."""

    def op(
        out: Result, x: Tensor, dim: int | None = None, keepdim: bool = False
    ) -> Tensor:
        if x.rank == 0:
            return out.full(0)
        if dim is None:
            x = x.reshape(_elements(x))
        axes = axes_of(x, dim)
        found, _ = _extremum_and_place(out, kind, x, axes)
        if dim is None and keepdim:
            refuse("argmax of a whole tensor with keepdim")
        return with_units(found, axes) if keepdim else found

    return op


def with_position(kind: Extreme) -> Callable[..., tuple[Tensor, Tensor | None]]:
    """The largest or smallest element along a dimension, and its index."""

    def op(
        out: Result, x: Tensor, dim: int, keepdim: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        axes = axes_of(x, dim)
        if not out.is_used(1):
            value = extremum(kind)(out, x, dim, keepdim)
            return value, None
        place, value = _extremum_and_place(out, kind, x, axes)
        if keepdim:
            return with_units(value, axes), with_units(place, axes)
        return value, place

    return op


def _elements(x: Tensor) -> int:
    total = 1
    for size in x.shape:
        if not isinstance(size, int):
            refuse("a size that is known only at run time")
        total *= size
    return total


def _extremum_and_place(
    out: Result, kind: Extreme, x: Tensor, axes: Sequence[int]
) -> tuple[Tensor, Tensor]:
    if x.rank == 0:
        return out.full(0, (), "i64"), x
    length = x.shape[axes[0]]
    fits = isinstance(length, int) and length <= _LOW
    if fits and element(x.dtype).byte_width <= 4:
        return _by_keys(out, kind, x, axes)
    return _by_two_reductions(out, kind, x, axes)


def _by_keys(
    out: Result, kind: Extreme, x: Tensor, axes: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """One reduction of values and places together."""

    def key(x: Scalar) -> Scalar:
        place = index(axes[0]).cast("i64")
        low = place if kind == "min" else _LOW - place
        return shift_left(_ordered(x, kind).cast("i64"), 32) | low

    def place_of(key: Scalar) -> Scalar:
        low = key & _LOW
        return low if kind == "min" else _LOW - low

    def value_of(key: Scalar) -> ScalarLike:
        upper = shift_right(key, 32).cast("i32")
        if not is_float(x.dtype):
            return converted(upper, x.dtype)
        return _bits(_reflected(upper), "f32")

    best = reduce(kind, x, axis=axes, of=key)
    place = compute(out, place_of, best, kind="i64", dtype="i64")
    return place, compute(out, value_of, best, kind="i64", dtype=x.dtype)


def _ordered(x: Scalar, kind: Extreme) -> Scalar:
    """An i32 that orders as a value does; a NaN comes before all others."""
    if not is_float(x.dtype):
        return x.cast("i32")
    wide = x.cast("f32")
    made = _reflected(_bits(wide, "i32"))
    # The two zeros are equal: -0.0 is reflected to -1.
    made = where(made == -1, 0, made)
    return where(wide != wide, 2**31 - 1 if kind == "max" else -(2**31), made)


def _reflected(bits: Scalar) -> Scalar:
    """From the bits of an f32 to an i32 in its order, or back.

    The magnitude of a negative float grows with its bits.
    """
    return binary("xor", bits, shift_right(bits, 31) & (2**31 - 1))


def _bits(x: Scalar, dtype: str) -> Scalar:
    """The same bits under another type."""
    op = arith.BitcastOp(x.value, element(dtype).attribute)
    return x.body.emit(op, dtype)


def _by_two_reductions(
    out: Result, kind: Extreme, x: Tensor, axes: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """The extremum, and the smallest index of the elements that equal it."""
    best = reduce(kind, x, axis=axes)

    def place(x: Scalar, best: Scalar) -> Scalar:
        here = x == best
        here = here | (x != x) if is_float(x.dtype) else here
        return where(here, index(axes[0]).cast("i64"), 2**62)

    return reduce("min", x, with_units(best, axes), axis=axes, of=place), best


TABLE: dict[str, Callable[..., object]] = {
    "aten.argmax.default": position("max"),
    "aten.argmin.default": position("min"),
    "aten.max.dim": with_position("max"),
    "aten.min.dim": with_position("min"),
}
"""Extrema with places by name."""
