"""Arithmetic of two elements and more: sums, quotients, powers, bounds."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import maximum, minimum
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import numpy_dtype
from tilewright.torch_backend.ops.elements import element_functions as f
from tilewright.torch_backend.ops.elements.promotion import Operand, compute
from tilewright.torch_backend.ops.result import Result, refuse


def add(out: Result, x: Operand, y: Operand, *, alpha: Number = 1) -> Tensor:
    """x + alpha y; `or` for bools."""
    if out.dtype == "i1":
        if not alpha:
            return compute(out, lambda x, y: x, x, y)
        return compute(out, lambda x, y: binary("or", x, y), x, y)
    return compute(out, lambda x, y: x + (y if alpha == 1 else y * alpha), x, y)


def sub(out: Result, x: Operand, y: Operand, *, alpha: Number = 1) -> Tensor:
    """x - alpha y."""
    return compute(out, lambda x, y: x - (y if alpha == 1 else y * alpha), x, y)


def rsub(out: Result, x: Operand, y: Operand, alpha: Number = 1) -> Tensor:
    """y - alpha x."""
    return sub(out, y, x, alpha=alpha)


def mul(out: Result, x: Operand, y: Operand) -> Tensor:
    """x y; `and` for bools."""
    if out.dtype == "i1":
        return compute(out, lambda x, y: binary("and", x, y), x, y)
    return compute(out, lambda x, y: x * y, x, y)


def div(
    out: Result, x: Operand, y: Operand, *, rounding_mode: str | None = None
) -> Tensor:
    """x / y; towards minus infinity with `floor`, towards zero with `trunc`."""
    if not is_float(out.dtype):
        if rounding_mode == "floor":
            return compute(out, f.floor_integers, x, y)
        return compute(out, f.truncated_quotient, x, y)
    if rounding_mode == "floor":
        return compute(out, f.floor_quotient, x, y)
    if rounding_mode == "trunc":
        return compute(out, lambda x, y: f.trunc(x / y), x, y)
    return compute(out, lambda x, y: x / y, x, y)


def floor_divide(out: Result, x: Operand, y: Operand) -> Tensor:
    """x / y towards minus infinity."""
    return div(out, x, y, rounding_mode="floor")


def remainder(out: Result, x: Operand, y: Operand) -> Tensor:
    """The remainder with the sign of y."""
    return compute(out, f.remainder, _stored(out, x), _stored(out, y))


def fmod(out: Result, x: Operand, y: Operand) -> Tensor:
    """The remainder with the sign of x."""
    return compute(out, f.fmod, _stored(out, x), _stored(out, y))


def _stored(out: Result, x: Operand) -> Operand:
    """An operand; a number as an element of the result's type holds it."""
    return float(numpy_dtype(out.dtype).type(x)) if isinstance(x, float) else x


def power(out: Result, x: Operand, y: Operand) -> Tensor:
    """x to the power of y."""
    if not is_float(out.dtype):
        if not isinstance(y, int) or not 0 <= y <= 8:
            refuse("integers to a power that is not a small number")
        return compute(out, lambda x: f.repeated_matmul(x, y), x)
    if isinstance(x, int | float) and x > 0:
        # Of a fixed base: 10000 ** y is exp2(y log2(10000)).
        return compute(out, lambda y: f.exp2(y * numbers.log2(x)), y)
    if isinstance(y, int | float):
        return compute(out, lambda x: f.raised(x, float(y)), x)
    return compute(out, lambda x, y: f.power(x, y), x, y)


def maximum_of(out: Result, x: Operand, y: Operand) -> Tensor:
    """The larger element; NaN if either is."""
    if out.dtype == "i1":
        return compute(out, lambda x, y: binary("or", x, y), x, y)
    return compute(out, lambda x, y: maximum(x, y), x, y, kind=out.dtype)


def minimum_of(out: Result, x: Operand, y: Operand) -> Tensor:
    """The smaller element; NaN if either is."""
    if out.dtype == "i1":
        return compute(out, lambda x, y: binary("and", x, y), x, y)
    return compute(out, lambda x, y: minimum(x, y), x, y, kind=out.dtype)


def clamp(
    out: Result, x: Tensor, low: Operand | None = None, high: Operand | None = None
) -> Tensor:
    """x between two bounds; the upper one wins where they cross."""
    bounds = [bound for bound in (low, high) if bound is not None]
    kind = "i8" if out.dtype == "i1" else out.dtype

    def clamp(x: Scalar, *given: ScalarLike) -> ScalarLike:
        rest = list(given)
        if low is not None:
            x = maximum(x, rest.pop(0))
        return minimum(x, rest.pop(0)) if high is not None else x

    return compute(out, clamp, x, *bounds, kind=kind)


def addcmul(
    out: Result, x: Tensor, a: Tensor, b: Tensor, *, value: Number = 1
) -> Tensor:
    """x + value a b."""
    return compute(out, lambda x, a, b: x + a * b * value, x, a, b)


def addcdiv(
    out: Result, x: Tensor, a: Tensor, b: Tensor, *, value: Number = 1
) -> Tensor:
    """x + value a / b."""
    return compute(out, lambda x, a, b: x + a / b * value, x, a, b)


def fma(out: Result, a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """a b + x: what torch.compile makes of the averages of an optimizer."""
    return compute(out, lambda a, b, x: a * b + x, a, b, x)


def of_two(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """An op of two operands from a function of two floats."""

    def op(out: Result, x: Operand, y: Operand) -> Tensor:
        return compute(out, function, x, y)

    return op


TABLE: dict[str, Callable[..., object]] = {
    **{
        f"aten.{name}.{overload}": function
        for name, function in (("add", add), ("sub", sub), ("mul", mul), ("div", div))
        for overload in ("Tensor", "Scalar")
    },
    # As torch writes quotients of sizes that became tensors.
    "aten.true_divide.Tensor": div,
    "aten.div.Tensor_mode": div,
    "aten.div.Scalar_mode": div,
    "aten.rsub.Scalar": rsub,
    "aten.rsub.Tensor": rsub,
    "aten.floor_divide.default": floor_divide,
    "aten.remainder.Tensor": remainder,
    "aten.remainder.Scalar": remainder,
    "aten.remainder.Scalar_Tensor": remainder,
    "aten.fmod.Tensor": fmod,
    "aten.fmod.Scalar": fmod,
    "aten.pow.Tensor_Tensor": power,
    "aten.pow.Tensor_Scalar": power,
    "aten.pow.Scalar": power,
    "aten.maximum.default": maximum_of,
    "aten.minimum.default": minimum_of,
    "aten.fmax.default": of_two(f.fmax),
    "aten.fmin.default": of_two(f.fmin),
    "aten.atan2.default": of_two(f.atan2),
    "aten.copysign.Tensor": of_two(f.copysign),
    "aten.copysign.Scalar": of_two(f.copysign),
    "aten.hypot.default": of_two(f.hypot),
    "aten.clamp.default": clamp,
    "aten.clamp.Tensor": clamp,
    "aten.clamp_min.default": lambda out, x, low: clamp(out, x, low),
    "aten.clamp_max.default": lambda out, x, high: clamp(out, x, None, high),
    "aten.clamp_min.Tensor": lambda out, x, low: clamp(out, x, low),
    "aten.clamp_max.Tensor": lambda out, x, high: clamp(out, x, None, high),
    "aten.addcmul.default": addcmul,
    "aten.addcdiv.default": addcdiv,
    "prims.fma.default": fma,
}
"""Ops of arithmetic by name."""
