"""From wide numbers to narrow floats with one rounding, in any direction.

ml_dtypes goes from f64 to its formats through f32, and from integers through f32 or
f64: that is two roundings. Rounding to odd in between keeps
them exact: the last bit records that bits were dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tilewright.ir.dtypes import Array
from tilewright.ir.element_types import ELEMENT_TYPES

NARROW_FLOATS = frozenset(row.numpy for row in ELEMENT_TYPES if row.is_narrow_float)

choose: Callable[..., Any] = np.where
"""`np.where`, under a type that a checker can follow."""

limits_of: Callable[..., Any] = ml_dtypes.finfo
"""numpy's `finfo`, for every float type."""

_F64_SPARE_BITS = 11
"""An i64 has this many bits more than an f64 can hold."""


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether a type is of floats; numpy does not count those of ml_dtypes."""
    return dtype.kind == "f" or dtype in NARROW_FLOATS


def to_float(value: Any, dtype: np.dtype[Any]) -> Any:
    """A float or integer in a float type, rounded once to nearest even."""
    if dtype not in NARROW_FLOATS:
        return value.astype(dtype)
    if value.dtype.kind in "iu" and value.dtype.itemsize > 2:
        value = _integer_to_odd(value)
    if value.dtype == np.float64 and dtype != np.float16:
        value = _f64_to_odd(value)
    return value.astype(dtype)


def _integer_to_odd(value: Any) -> Any:
    """An integer as f64, rounded to odd where it has too many bits."""
    if value.dtype.itemsize < 8:
        return value.astype(np.float64)
    low = value.dtype.type((1 << _F64_SPARE_BITS) - 1)
    sticky = ((value & low) != 0).astype(value.dtype) << _F64_SPARE_BITS
    odd = (value & ~low) | sticky
    limit = 1 << 53
    large = (value >= limit) | (value <= -limit if value.dtype.kind == "i" else False)
    return choose(large, odd, value)[()].astype(np.float64)


def _f64_to_odd(value: Any) -> Any:
    """An f64 as f32, rounded to odd."""
    near = np.asarray(value).astype(np.float32)
    back = near.astype(np.float64)
    bits = near.view(np.uint32)
    inexact = (back != value) & ~np.isnan(back)
    # Towards zero first, then the last bit says "there was more".
    too_far = inexact & (np.abs(back) > np.abs(value))
    bits = choose(too_far, bits - np.uint32(1), bits)
    bits = choose(inexact, bits | np.uint32(1), bits)
    return bits.view(np.float32)[()]


def round_downward(value: Any, dtype: np.dtype[Any]) -> Any:
    """The largest float that is not above the value."""
    near = np.asarray(_finite_if_too_large(value, dtype, 1))
    return choose(_exact(near) > value, _neighbour(near, -1), near)[()]


def round_upward(value: Any, dtype: np.dtype[Any]) -> Any:
    """The smallest float that is not below the value."""
    near = np.asarray(_finite_if_too_large(value, dtype, -1))
    return choose(_exact(near) < value, _neighbour(near, 1), near)[()]


def round_toward_zero(value: Any, dtype: np.dtype[Any]) -> Any:
    """The float of the largest magnitude that is not beyond the value."""
    down, up = round_downward(value, dtype), round_upward(value, dtype)
    return choose(np.signbit(value), up, down)[()]


def round_nearest_away(value: Any, dtype: np.dtype[Any]) -> Any:
    """The nearest float; of two that are equally near, the larger magnitude."""
    near = np.asarray(to_float(value, dtype))
    down, up = round_downward(value, dtype), round_upward(value, dtype)
    wide = value.astype(np.float64)
    tie = (wide - _exact(down)) == (_exact(up) - wide)
    away = choose(np.signbit(value), down, up)
    return choose(tie & np.isfinite(_exact(near)), away, near)[()]


ROUNDINGS: tuple[Callable[[Any, np.dtype[Any]], Any], ...] = (
    to_float,
    round_downward,
    round_upward,
    round_toward_zero,
    round_nearest_away,
)
"""A function for each of upstream's rounding modes, by its number."""


def _exact(value: Any) -> Any:
    return np.asarray(value).astype(np.float64)


def _finite_if_too_large(value: Any, dtype: np.dtype[Any], sign: int) -> Any:
    """Rounded to nearest; but what overflows towards `sign` gives the largest float."""
    near = np.asarray(to_float(value, dtype))
    overflows = ~np.isfinite(_exact(near)) & np.isfinite(value)
    inward = overflows & (np.sign(value) == sign)
    return choose(inward, _largest(dtype, sign), near)


def _largest(dtype: np.dtype[Any], sign: int) -> Any:
    return limits_of(dtype).max if sign > 0 else limits_of(dtype).min


def _neighbour(value: Array, direction: int) -> Array:
    """The next float above or below; floats are ordered as their bits are."""
    unsigned = np.dtype(f"u{value.dtype.itemsize}")
    bits = value.view(unsigned)
    one = unsigned.type(1)
    negative = np.signbit(value)
    grows = negative == (direction < 0)
    stepped = choose(grows, bits + one, bits - one)
    top = unsigned.type(1 << (8 * unsigned.itemsize - 1))
    # Zero steps over to the smallest number of the other sign.
    smallest = choose(direction > 0, one, top | one).astype(unsigned)
    stepped = choose(_exact(value) == 0, smallest, stepped)
    return stepped.astype(unsigned).view(value.dtype)
