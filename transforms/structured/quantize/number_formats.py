"""Number formats of quantized factors, and a bound for their rounding error.

A factor x becomes the number q of the format next to x / s, where s is the scale, and
stands for s * q. What that may be off is known from the format alone:

    a float format    s * max(u * |x / s|, spacing / 2)    u: half a unit in the last
    integers          s / 2                                   place, over the number

and what lies beyond the largest number is cut off. A product of two such factors, sums
of them, and the whole result follow from this (`docs/transforms/quantize_matmul.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import IntegerType, f32, i8, i32
from xdsl.ir import Attribute

from tilewright.ir.dtypes import Array
from tilewright.ir.element_types import ELEMENT_TYPES, ElementType


@dataclass(frozen=True)
class NumberFormat:
    """A narrow format, and the wider one that accumulates products."""

    type: Attribute
    accumulator: Attribute
    largest: float
    """The largest number of the format; the smallest is its negative."""
    roundoff: float
    """Half a unit in the last place of a number, over the number; 0 for integers."""
    spacing: float
    """The distance between the numbers next to zero."""

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer format."""
        return isinstance(self.type, IntegerType)

    @property
    def coarseness(self) -> float:
        """The distance between neighbours, over their size or the largest one's."""
        return self.spacing / self.largest if self.is_integer else 2 * self.roundoff

    @property
    def longest_sum(self) -> int | None:
        """The most products that the accumulator surely holds; None: no limit."""
        if not self.is_integer:
            return None
        return int((2**31 - 1) // self.largest**2)

    def error(self, factor: Array, scale: Array) -> Array:
        """The error bound of each factor, in f64."""
        steps = np.abs(factor) / scale
        rounding = np.maximum(self.roundoff * steps, self.spacing / 2)
        # The division itself rounds once, in f32.
        rounding += steps * 2.0**-24
        return scale * np.maximum(rounding, steps - self.largest)


def _fp8(row: ElementType) -> NumberFormat:
    form = row.float_format
    assert form is not None
    spacing = form.smallest_normal * form.epsilon
    return NumberFormat(row.attribute, f32, form.largest, form.epsilon / 2, spacing)


FORMATS: dict[Attribute, NumberFormat] = {
    form.type: form
    for form in (
        *(_fp8(row) for row in ELEMENT_TYPES if row.is_fp8),
        # -128 is not used, so that every number has a negative.
        NumberFormat(i8, i32, 127.0, 0.0, 1.0),
    )
}
