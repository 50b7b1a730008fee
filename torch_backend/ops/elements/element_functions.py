"""Functions of elements that torch has and the payload builder has not."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import (
    absolute as float_absolute,
)
from tilewright.frontend.builder.ops.functions import (
    ceil,
    cos,
    erf,
    exp,
    exp2,
    floor,
    log,
    log2,
    maximum,
    minimum,
    relu,
    rsqrt,
    sigmoid,
    silu,
    sin,
    sqrt,
    tanh,
    where,
)
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary, together
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects import arith, math
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.result import refuse

X = Scalar


def _unary(op: type[Operation]) -> Callable[[Scalar], Scalar]:
    def function(x: Scalar) -> Scalar:
        wide = x.cast(computed_in(x.dtype))
        made: Any = op
        return x.body.emit(made(wide.value), wide.dtype)

    return function


def _binary(op: type[Operation]) -> Callable[..., Scalar]:
    def function(x: ScalarLike, y: ScalarLike) -> Scalar:
        left, right = together(op.name, x, y, rounds=True)
        made: Any = op
        return left.body.emit(made(left.value, right.value), left.dtype)

    return function


log10, log1p = _unary(math.Log10Op), _unary(math.Log1pOp)
expm1 = _unary(math.ExpM1Op)
tan, sinh, cosh = _unary(math.TanOp), _unary(math.SinhOp), _unary(math.CoshOp)
asin, acos, atan = _unary(math.AsinOp), _unary(math.AcosOp), _unary(math.AtanOp)
asinh, acosh = _unary(math.AsinhOp), _unary(math.AcoshOp)
atanh, erfc = _unary(math.AtanhOp), _unary(math.ErfcOp)
trunc, round_even = _unary(math.TruncOp), _unary(math.RoundEvenOp)
power, atan2 = _binary(math.PowFOp), _binary(math.Atan2Op)
copysign = _binary(math.CopySignOp)
fmax_float, fmin_float = _binary(arith.MaxnumfOp), _binary(arith.MinnumfOp)
rem_float = _binary(arith.RemFOp)
shift_left, shift_right = _binary(arith.ShLIOp), _binary(arith.ShRSIOp)
truncated_quotient = _binary(arith.DivSIOp)


def fmax(x: X, y: X) -> X:
    """The larger; the other one where one is NaN."""
    if x.dtype == "i1":
        return binary("or", x, y)
    return fmax_float(x, y) if is_float(x.dtype) else maximum(x, y)


def fmin(x: X, y: X) -> X:
    """The smaller; the other one where one is NaN."""
    if x.dtype == "i1":
        return binary("and", x, y)
    return fmin_float(x, y) if is_float(x.dtype) else minimum(x, y)


def fmod(x: ScalarLike, y: ScalarLike) -> X:
    """The remainder with the sign of x."""
    known = x if isinstance(x, Scalar) else y
    assert isinstance(known, Scalar)
    return rem_float(x, y) if is_float(known.dtype) else binary("mod", x, y)


def remainder(x: ScalarLike, y: ScalarLike) -> X:
    """The remainder with the sign of y."""
    rest = fmod(x, y)
    crosses = binary("and", rest != 0, binary("xor", rest < 0, _is_negative(rest, y)))
    return where(crosses, rest + y, rest)


def _is_negative(like: X, y: ScalarLike) -> ScalarLike:
    return y < 0 if isinstance(y, Scalar) else int(y < 0)


def floor_quotient(x: ScalarLike, y: ScalarLike) -> X:
    """floor(x / y) as Python computes it for floats: from the exact remainder."""
    left, right = together("floor", x, y, rounds=True)
    quotient = where(right == 0.0, left, left - remainder(x, y)) / right
    near = floor(quotient)
    return where(quotient - near > 0.5, near + 1.0, near)


def floor_integers(x: ScalarLike, y: ScalarLike) -> X:
    """The quotient of integers towards minus infinity."""
    left, right = together("floor", x, y, rounds=True)
    quotient = truncated_quotient(left, right)
    rest = left - quotient * right
    crosses = binary("and", rest != 0, binary("xor", rest < 0, right < 0))
    return where(crosses, quotient - 1, quotient)


def reciprocal(x: X) -> X:
    """1 / x."""
    return 1.0 / x


def square(x: X) -> X:
    """x x."""
    return x * x


def neg(x: X) -> X:
    """-x."""
    return -x


def absolute(x: X) -> X:
    """The magnitude."""
    if is_float(x.dtype):
        return float_absolute(x)
    return where(x < 0, -x, x) if x.dtype != "i1" else x


def sign(x: X) -> X:
    """-1, 0 or 1; 0 for NaN."""
    if x.dtype == "i1":
        return x
    one = 1.0 if is_float(x.dtype) else 1
    zero = x.body.constant(0, x.dtype)
    return where(x > 0, one, where(x < 0, -one, zero))


def signbit(x: X) -> X:
    """Whether the sign is negative, that of a zero and of a NaN too."""
    if not is_float(x.dtype):
        return x < 0 if x.dtype != "i1" else binary("and", x, 0)
    wide = x.cast(computed_in(x.dtype))
    return copysign(wide.body.constant(1.0, wide.dtype), wide) < 0


def isnan(x: X) -> X:
    """Whether x is NaN."""
    return x != x


def isinf(x: X) -> X:
    """Whether x is an infinity."""
    return absolute(x) == numbers.inf if is_float(x.dtype) else x != x


def hypot(x: X, y: X) -> X:
    """The square root of x x + y y, without overflow."""
    large, small = maximum(absolute(x), absolute(y)), minimum(absolute(x), absolute(y))
    ratio = small / where(large == 0.0, 1.0, large)
    plain = large * sqrt(ratio * ratio + 1.0)
    return where(large == numbers.inf, large, plain)


def hardsigmoid(x: X) -> X:
    """x / 6 + 1/2 between 0 and 1."""
    return minimum(maximum(x + 3.0, 0.0), 6.0) / 6.0


def hardswish(x: X) -> X:
    """x hardsigmoid(x)."""
    return x * hardsigmoid(x)


def mish(x: X) -> X:
    """x tanh(log(1 + exp(x)))."""
    # tanh(log(1 + e)) is n / (n + 2) with n = e * (e + 2): one exponential.
    power = exp(minimum(x, 20.0))
    n = power * (power + 2.0)
    return where(x > 20.0, x, x * (n / (n + 2.0)))


def log_sigmoid(x: X) -> X:
    """log(sigmoid(x))."""
    return minimum(x, 0.0) - _log1p_exp(-absolute(x))


def softplus(x: X) -> X:
    """log(1 + exp(x))."""
    return maximum(x, 0.0) + _log1p_exp(-absolute(x))


_LOG1P = (
    *(-0.003176057, 0.019542528, -0.056373615, 0.105436236, -0.15269667),
    *(0.19663274, -0.24951616, 0.3332971, -0.49999893, 1.0),
)
"""Chebyshev's interpolation of log(1 + x) / x for x of 0 to 1, highest power first:
off by 6e-9. A logarithm and its correction take three times the instructions."""


def _log1p_exp(x: X) -> X:
    """log(1 + exp(x)) for x of at most 0."""
    power = exp(x)
    if power.dtype != "f32":
        return log1p(power)
    return polynomial(_LOG1P, power) * power


def polynomial(coefficients: Sequence[float], x: X) -> X:
    """A polynomial of x; the highest power comes first."""
    highest, second, *lower = coefficients
    found = x * highest + second
    for coefficient in lower:
        found = found * x + coefficient
    return found


def repeated_matmul(x: X, times: int) -> X:
    """x to a small power, by squares."""
    if times == 0:
        return x.body.constant(1, x.dtype)
    if times == 1:
        return x
    half = repeated_matmul(x, times // 2)
    return half * half * x if times % 2 else half * half


def fixed_power(x: X, exponent: float) -> X:
    """x to a power that products and roots give."""
    if exponent == 0.5:
        return sqrt(x)
    if exponent == -0.5:
        return rsqrt(x)
    made = repeated_matmul(x, int(abs(exponent)))
    return 1.0 / made if exponent < 0 else made


def raised(x: X, exponent: float) -> X:
    """x to a power that is known when the payload is built."""
    if exponent in (1, 2, 3, 0.5, -0.5, -1, -2):
        return fixed_power(x, exponent)
    if exponent in (0.75, 1.5):
        root = sqrt(x)
        product = root * sqrt(root) if exponent == 0.75 else x * root
        return where(x == -numbers.inf, numbers.inf, product)
    if exponent in range(9):
        return repeated_matmul(x, int(exponent))
    return power(x, x.body.constant(float(exponent), x.dtype))


COMPARISONS: dict[str, Callable[..., Scalar]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
BITWISE: dict[str, Callable[..., Scalar]] = {
    "bitwise_and": lambda x, y: binary("and", x, y),
    "bitwise_or": lambda x, y: binary("or", x, y),
    "bitwise_xor": lambda x, y: binary("xor", x, y),
    "bitwise_left_shift": shift_left,
    "bitwise_right_shift": shift_right,
}


def truth(condition: X) -> X:
    """A condition as an i1."""
    return condition if condition.dtype == "i1" else condition != 0


def plain_number(value: object, dtype: str) -> Number:
    """A number in the kind of a type."""
    assert isinstance(value, int | float)
    return float(value) if is_float(dtype) else int(value)


def one_op(function: Callable[..., ScalarLike], *operands: Any, dtype: str) -> Tensor:
    """`elementwise`; numbers get the kind of the result's type."""
    given = [
        one if isinstance(one, Tensor) else plain_number(one, dtype) for one in operands
    ]
    return elementwise(function, *given, dtype=dtype)


def largest(dtype: str) -> float:
    """The largest finite number of a type."""
    form = element(dtype).float_format
    if form is None:
        refuse(f"the largest {dtype} is not known")
    return form.largest


__all__ = [
    "ceil",
    "cos",
    "erf",
    "exp",
    "exp2",
    "floor",
    "log",
    "log2",
    "relu",
    "rsqrt",
    "sigmoid",
    "silu",
    "sin",
    "sqrt",
    "tanh",
]
