"""Special functions of elements by polynomials: erfinv, i0, i0e, lgamma, digamma.

Polynomials have the highest power first, and enough terms for 32 bits: Chebyshev's
interpolations, off by less than 2e-8, except where a comment names the source.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable

from tilewright.frontend.builder.ops.functions import (
    absolute,
    exp,
    floor,
    log,
    sqrt,
    where,
)
from tilewright.frontend.builder.scalar import Scalar as X
from tilewright.frontend.builder.scalar import ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import polynomial
from tilewright.torch_backend.ops.elements.promotion import compute
from tilewright.torch_backend.ops.result import Result, refuse

# Giles, "Approximating the erfinv function", 2010: of w - 2.5 and of sqrt(w) - 3.
_ERFINV_NEAR = (
    *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06),
    *(0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
)
_ERFINV_FAR = (
    *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844),
    *(0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
)

_I0_NEAR = (
    *(5.0282768e-05, 0.0006256505, 0.007921135, 0.07109927, 0.44444856),
    *(1.777777, 4.0, 4.0, 1.0),
)
"""i0(x) of (x / 4) ** 2, for x up to 4."""
_I0_FAR = (
    *(0.0025313094, -0.009930605, 0.0146499025, -0.010370837, 0.004053828),
    *(-0.00062141, 0.0005313307, 0.0017511527, 0.012466895, 0.3989423),
)
"""i0(x) sqrt(x) exp(-x) of 4 / x, for x from 4."""

_LGAMMA = (
    *(1.930875e-05, -3.8734208e-05, 2.0249377e-05, -5.2419444e-05, 0.00019579947),
    *(-0.00042557137, 0.0009105063, -0.0021020616, 0.0049994807, -0.012384975),
    *(0.03296495, -0.10031727, 0.42278433),
)
"""lgamma(x) / ((x - 1) (x - 2)) of x - 2, for x of 1 to 3."""
_LGAMMA_FAR = (1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
"""Stirling's series of 1 / x ** 2."""

_DIGAMMA = (
    *(-0.00011889357, 0.00022199909, -2.8264963e-05, 0.00010900267, -0.0007924341),
    *(0.0015277604, -0.0026888275, 0.005489548, -0.011349513, 0.023458157),
    *(-0.04954998, 0.10899922, -0.26073897, 0.7853075),
)
"""digamma(x) / (x - root) of x - 2, for x of 1 to 3."""
_DIGAMMA_FAR = (691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12)
"""The derivative of Stirling's series, of 1 / x ** 2."""
_ROOT = (1.4616321325302124, 1.243815e-08)
"""The positive root of digamma, and what f32 rounds off."""

_SINE = (-0.0070283865, 0.082050405, -0.5992522, 2.5501633, -5.1677127, 3.1415927)
"""sin(pi x) / x of x ** 2, for x up to 1/2."""


def erfinv(x: X) -> X:
    """The y whose erf(y) is x."""
    w = -log((1.0 - x) * (x + 1.0))
    far = polynomial(_ERFINV_FAR, sqrt(w) - 3.0)
    found = where(w < 5.0, polynomial(_ERFINV_NEAR, w - 2.5), far) * x
    return where(absolute(x) == 1.0, x * numbers.inf, found)


def i0(x: X) -> X:
    """The modified Bessel function of order 0."""
    size = absolute(x)
    # Half of the exponent at a time: i0(90) is finite, and exp(90) is not.
    half = exp(size * 0.5)
    return where(size < 4.0, _i0_near(size), _i0_far(size) * half * half)


def i0e(x: X) -> X:
    """i0(x) exp(-|x|)."""
    size = absolute(x)
    return where(size < 4.0, _i0_near(size) * exp(-size), _i0_far(size))


def _i0_near(size: X) -> X:
    quarter = size * 0.25
    return polynomial(_I0_NEAR, quarter * quarter)


def _i0_far(size: X) -> X:
    return polynomial(_I0_FAR, 4.0 / size) / sqrt(size)


def lgamma(x: X) -> X:
    """The logarithm of the size of gamma(x)."""
    size = absolute(x)
    log_size = log(size)
    is_low = size < 1.0
    place = size - where(is_low, size.body.constant(1, size.dtype), 2.0)
    near = place * where(is_low, size, size - 1.0) * polynomial(_LGAMMA, place)
    near = where(is_low, near - log_size, near)
    inverse = 1.0 / size
    tail = polynomial(_LGAMMA_FAR, inverse * inverse) * inverse
    # log(2 pi) / 2 - 1/2: what is subtracted twice is added again.
    far = (size - 0.5) * (log_size - 1.0) + (tail + 0.4189385332)
    found = where(size > 3.0, far, near)
    sine = _sine(absolute(_from_nearest(size)))
    mirrored = log(numbers.pi / (size * sine)) - found
    mirrored = where(sine == 0, numbers.inf, mirrored)
    # Next to zero, where the product would underflow, both sides are -log(size).
    found = where(x < -1e-6, mirrored, found)
    return where(size == numbers.inf, size, found)


def digamma(x: X) -> X:
    """The derivative of lgamma."""
    size = absolute(x)
    inverse = 1.0 / size
    is_low = size < 1.0
    place = size - where(is_low, size.body.constant(1, size.dtype), 2.0)
    root, rest_of_root = _ROOT
    above = where(is_low, size + 1.0, size) - root - rest_of_root
    near = above * polynomial(_DIGAMMA, place)
    near = where(is_low, near - inverse, near)
    square = inverse * inverse
    far = log(size) - inverse * 0.5 + polynomial(_DIGAMMA_FAR, square) * square
    found = where(size > 3.0, far, near)
    rest = _from_nearest(size)
    cotangent = _sine(0.5 - absolute(rest)) / _sine(absolute(rest)) * numbers.pi
    mirrored = found + inverse + where(rest < 0, -cotangent, cotangent)
    mirrored = where(rest == 0, numbers.nan, mirrored)
    return where(x == 0, -1.0 / x, where(x < 0, mirrored, found))


def _from_nearest(size: X) -> X:
    """The distance from the nearest integer, -1/2 to 1/2."""
    return size - floor(size + 0.5)


def _sine(part: X) -> X:
    """sin(pi part), for parts up to 1/2."""
    return polynomial(_SINE, part * part) * part


def _in_32_bits(function: Callable[[X], ScalarLike]) -> Callable[..., Tensor]:
    """An op of one tensor, computed in f32."""

    def op(out: Result, x: Tensor) -> Tensor:
        if out.dtype == "f64":
            refuse("its polynomials have the digits of f32, not of f64")
        return compute(out, function, x)

    return op


TABLE: dict[str, Callable[..., object]] = {
    "aten.erfinv.default": _in_32_bits(erfinv),
    "aten.i0.default": _in_32_bits(i0),
    "aten.special_i0e.default": _in_32_bits(i0e),
    "aten.lgamma.default": _in_32_bits(lgamma),
    "aten.digamma.default": _in_32_bits(digamma),
}
"""Special functions by name."""
