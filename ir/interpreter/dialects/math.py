"""math: narrow floats are computed in f32 and rounded once; the others as in numpy."""

from __future__ import annotations

import math as scalar_math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dialects import math
from tilewright.ir.interpreter.core.elementwise import (
    choose,
    elementwise,
    in_f32,
    lift,
    on_signed,
    unsigned,
    width_of,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
)
from tilewright.ir.interpreter.core.rounding import limits_of
from tilewright.ir.interpreter.dialects.arith.arith_table import maximum, minimum

# numpy has no erf, and scipy is no dependency of ours; a Python call an element is
# slow, and exact.
_erf = np.vectorize(scalar_math.erf, otypes=[np.float64])
_erfc = np.vectorize(scalar_math.erfc, otypes=[np.float64])


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
    """a * b + c with one rounding, whatever the type."""
    if a.dtype == np.float64:
        return _fma64(a, b, c)
    product = a.astype(np.float64) * b.astype(np.float64)
    addend = c.astype(np.float64)
    total = product + addend
    # The product is exact in f64, the sum is not: rounded to odd, it does not spoil
    # the rounding that follows.
    part = total - product
    rest = (product - (total - part)) + (addend - part)
    even = (np.asarray(total).view(np.uint64) & np.uint64(1)) == 0
    inexact = (rest != 0) & np.isfinite(total)
    odd = np.nextafter(total, np.copysign(np.inf, rest))
    return choose(inexact & even, odd, total)


def _exact_fma(a: float, b: float, c: float) -> float:
    product = a * b
    if not scalar_math.isfinite(product + c) and not _are_finite(a, b, c):
        return product + c
    if a == 0 or b == 0:
        return product + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact)
    except OverflowError:
        return scalar_math.inf if exact > 0 else -scalar_math.inf


def _are_finite(*numbers: float) -> bool:
    return all(map(scalar_math.isfinite, numbers))


# Exact, and slow: a Python call an element, as there is no fma in numpy.
_fma64 = np.vectorize(_exact_fma, otypes=[np.float64])


def clamp(value: Any, low: Any, high: Any) -> Any:
    """Between two numbers; a NaN stays one."""
    return minimum(maximum(value, low), high)


def is_normal(value: Any) -> Any:
    """Finite, not zero and not subnormal."""
    smallest = limits_of(value.dtype).smallest_normal
    return np.isfinite(value) & (np.abs(value) >= smallest)


def counting(function: Callable[[Any, int], Any]) -> Semantics:
    """A count of bits, which depends on the integer's width."""

    def semantics(interpreter: Interpreter, op: Operation, value: Value) -> Results:
        type_ = op.results[0].type
        width = width_of(type_)

        def count(number: Any) -> Any:
            return function(unsigned(number), width)

        return (lift(count, type_, value),)

    return semantics


def leading_zeros(bits: Any, width: int) -> Any:
    """Zero bits above the highest set bit."""
    count = np.zeros(np.shape(bits), np.int64)
    for shift in range(width):
        count += (bits >> bits.dtype.type(shift)) == 0
    return count


def trailing_zeros(bits: Any, width: int) -> Any:
    """Zero bits below the lowest set bit; the width for 0."""
    lowest = bits & (~bits + bits.dtype.type(1))
    return choose(lowest == 0, width, width - 1 - leading_zeros(lowest, width))


def set_bits(bits: Any, width: int) -> Any:
    """Bits that are 1."""
    return np.bitwise_count(bits)


def sincos(interpreter: Interpreter, op: math.SincosOp, value: Value) -> Results:
    """Sine and cosine."""
    sine = lift(in_f32(np.sin), op.sin.type, value)
    return (sine, lift(in_f32(np.cos), op.cos.type, value))


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
    math.ClampFOp: elementwise(clamp),
    math.CountLeadingZerosOp: counting(leading_zeros),
    math.CountTrailingZerosOp: counting(trailing_zeros),
    math.CtPopOp: counting(set_bits),
    math.ErfOp: _float(_erf),
    math.ErfcOp: _float(_erfc),
    math.Exp2Op: _float(np.exp2),
    math.ExpM1Op: _float(np.expm1),
    math.ExpOp: _float(np.exp),
    math.FPowIOp: _float(np.power),
    math.FloorOp: _float(np.floor),
    math.FmaOp: _float(fused_multiply_add),
    math.IsFiniteOp: elementwise(np.isfinite),
    math.IsInfOp: elementwise(np.isinf),
    math.IsNaNOp: elementwise(np.isnan),
    math.IsNormalOp: elementwise(is_normal),
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
    math.SincosOp: sincos,
    math.SinhOp: _float(np.sinh),
    math.SqrtOp: _float(np.sqrt),
    math.TanOp: _float(np.tan),
    math.TanhOp: _float(np.tanh),
    math.TruncOp: _float(np.trunc),
}
