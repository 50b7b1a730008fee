"""Floats as integers: one definition for every level, every kernel and every machine.

A float is rounded towards zero. A number outside the integer's range gives the nearest
integer in it, and NaN gives 0. Upstream leaves both open (poison), C leaves them to the
processor, and so does numpy's `astype`.

Triton's interpreter imports this file in a process without the compiler, so it needs
nothing but numpy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def integer_range(width: int, *, is_signed: bool) -> tuple[int, int]:
    """The least and the greatest integer of a width."""
    if is_signed:
        return -(1 << (width - 1)), (1 << (width - 1)) - 1
    return 0, (1 << width) - 1


def nearest_integer(number: float, width: int, *, is_signed: bool) -> int:
    """One float as an integer of a width."""
    low, high = integer_range(width, is_signed=is_signed)
    if math.isnan(number):
        return 0
    if math.isinf(number):
        return high if number > 0 else low
    return min(max(math.trunc(number), low), high)


def nearest_integers(value: Any, width: int, *, is_signed: bool) -> NDArray[Any]:
    """An array of floats as integers of a width, in numpy's 64-bit type."""
    import numpy as np

    low, high = integer_range(width, is_signed=is_signed)
    kind = np.int64 if is_signed else np.uint64
    wide = np.asarray(value).astype(np.float64)
    # 2**63 - 1 and 2**64 - 1 are no floats. Rounded up, they are the first that do not
    # fit, so the comparisons are right for them too.
    first, last = float(low), float(high)
    inside = (wide > first) & (wide < last)
    result = np.where(inside, wide, 0.0).astype(kind)
    result = np.where(wide >= last, kind(high), result)
    return np.where(wide <= first, kind(low), result)
