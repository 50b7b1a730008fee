"""math: narrow floats are computed in f32 and rounded once; the others as in numpy."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from tilewright.ir.dialects import math
from tilewright.ir.interpreter.elementwise import (
    choose,
    elementwise,
    in_f32,
    on_signed,
    on_unsigned,
    unsigned,
)
from tilewright.ir.interpreter.registry import Semantics, Table

# numpy has no erf, and scipy is no dependency of ours; a Python call an element is
# slow, and exact.
_erf = np.vectorize(scalar_math.erf, otypes=[np.float64])


def _float(function: Any) -> Semantics:
    return elementwise(in_f32(function))


def rsqrt(value: Any) -> Any:
    """One over the square root."""
    return np.reciprocal(np.sqrt(value))


def round_half_away(value: Any) -> Any:
    """To the nearest integer, halves away from zero; numpy's goes to even."""
    whole = np.trunc(value)
    return whole + np.copysign(np.abs(value - whole) >= 0.5, value)


def fused_multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a * b + c in f64: one rounding for f32 (but for ties), two for f64 itself."""
    if a.dtype == np.float64:
        return a * b + c
    return a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)


def leading_zeros(value: Any) -> Any:
    """Zero bits above the highest set bit."""
    bits = unsigned(value)
    count = np.zeros(np.shape(bits), np.int64)
    for shift in range(bits.dtype.itemsize * 8):
        count += (bits >> bits.dtype.type(shift)) == 0
    return count


def trailing_zeros(value: Any) -> Any:
    """Zero bits below the lowest set bit; the width for 0."""
    bits = unsigned(value)
    lowest = bits & (~bits + bits.dtype.type(1))
    width = bits.dtype.itemsize * 8
    return choose(lowest == 0, width, width - 1 - leading_zeros(lowest))


def integer_power(base: Any, exponent: Any) -> Any:
    """base ** exponent, towards zero for a negative exponent."""
    positive = np.power(base, np.maximum(exponent, 0))
    sign = np.where(exponent % 2 == 0, 1, base)
    inverse = np.where(np.abs(base) == 1, sign, 0)
    return choose(exponent < 0, inverse, positive)


TABLE: Table = {
    math.AbsFOp: elementwise(np.abs),
    math.AbsIOp: elementwise(on_signed(np.abs)),
    math.AcosOp: _float(np.arccos),
    math.AcoshOp: _float(np.arccosh),
    math.AsinOp: _float(np.arcsin),
    math.AsinhOp: _float(np.arcsinh),
    math.AtanOp: _float(np.arctan),
    math.AtanhOp: _float(np.arctanh),
    math.Atan2Op: _float(np.arctan2),
    math.CbrtOp: _float(np.cbrt),
    math.CeilOp: _float(np.ceil),
    math.CopySignOp: _float(np.copysign),
    math.CosOp: _float(np.cos),
    math.CoshOp: _float(np.cosh),
    math.CountLeadingZerosOp: elementwise(leading_zeros),
    math.CountTrailingZerosOp: elementwise(trailing_zeros),
    math.CtPopOp: elementwise(on_unsigned(np.bitwise_count)),
    math.ErfOp: _float(_erf),
    math.Exp2Op: _float(np.exp2),
    math.ExpM1Op: _float(np.expm1),
    math.ExpOp: _float(np.exp),
    math.FPowIOp: _float(np.power),
    math.FloorOp: _float(np.floor),
    math.FmaOp: _float(fused_multiply_add),
    math.IPowIOp: elementwise(on_signed(integer_power)),
    math.Log10Op: _float(np.log10),
    math.Log1pOp: _float(np.log1p),
    math.Log2Op: _float(np.log2),
    math.LogOp: _float(np.log),
    math.PowFOp: _float(np.power),
    math.RoundEvenOp: _float(np.rint),
    math.RoundOp: _float(round_half_away),
    math.RsqrtOp: _float(rsqrt),
    math.SinOp: _float(np.sin),
    math.SinhOp: _float(np.sinh),
    math.SqrtOp: _float(np.sqrt),
    math.TanOp: _float(np.tan),
    math.TanhOp: _float(np.tanh),
    math.TruncOp: _float(np.trunc),
}
