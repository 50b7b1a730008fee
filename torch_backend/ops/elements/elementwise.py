"""Element-wise functions, with torch's promotion of types, and all element-wise ops."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import ACTIVATIONS, where
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements import (
    arithmetic,
    conditions,
    special_functions,
)
from tilewright.torch_backend.ops.elements import element_functions as f
from tilewright.torch_backend.ops.elements.arithmetic import clamp
from tilewright.torch_backend.ops.elements.promotion import compute, rounded
from tilewright.torch_backend.ops.result import Result


def unary(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """An op of one tensor from a function of one element."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x)

    return op


def _in_own_type(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """A function that integers pass through unchanged."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x) if is_float(x.dtype) else x

    return op


def round_to(out: Result, x: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest integer, or decimal; halves go to the even one."""
    if decimals == 0:
        return compute(out, f.round_even, x)
    ten = 10.0 ** abs(decimals)
    if decimals > 0:
        return compute(out, lambda x: f.round_even(x * ten) / ten, x)
    return compute(out, lambda x: f.round_even(x / ten) * ten, x)


def nan_to_num(
    out: Result,
    x: Tensor,
    nan: Number | None = None,
    posinf: Number | None = None,
    neginf: Number | None = None,
) -> Tensor:
    """Finite numbers in place of NaN and infinities."""
    if not is_float(x.dtype):
        return x
    largest = f.largest(x.dtype)
    high = largest if posinf is None else float(posinf)
    low = -largest if neginf is None else float(neginf)

    def finite(x: Scalar) -> Scalar:
        x = where(x == numbers.inf, high, where(x == -numbers.inf, low, x))
        return where(x != x, float(nan or 0), x)

    return compute(out, finite, x)


def gelu(out: Result, x: Tensor, *, approximate: str = "none") -> Tensor:
    """gelu by erf, or approximated by tanh."""
    name = "gelu" if approximate == "none" else "gelu_tanh"
    return compute(out, lambda x: ACTIVATIONS[name](x), x)


def leaky_relu(out: Result, x: Tensor, negative_slope: Number = 0.01) -> Tensor:
    """x, or a fraction of it where it is negative."""
    return compute(out, lambda x: where(x > 0, x, x * negative_slope), x)


def elu(
    out: Result,
    x: Tensor,
    alpha: Number = 1,
    scale: Number = 1,
    input_scale: Number = 1,
) -> Tensor:
    """scale x, or scale alpha (exp(input_scale x) - 1) where x is negative."""

    def elu(x: Scalar) -> Scalar:
        negative = f.expm1(x * float(input_scale)) * float(alpha * scale)
        return where(x > 0, x * float(scale), negative)

    return compute(out, elu, x)


def hardtanh(
    out: Result, x: Tensor, min_val: Number = -1, max_val: Number = 1
) -> Tensor:
    """x between two numbers."""
    return clamp(out, x, min_val, max_val)


def softplus(
    out: Result, x: Tensor, beta: Number = 1, threshold: Number = 20
) -> Tensor:
    """log(1 + exp(beta x)) / beta, and x where that is nearly x."""
    by = float(beta)

    def softplus(x: Scalar) -> Scalar:
        return where(x * by > float(threshold), x, f.softplus(x * by) / by)

    return compute(out, softplus, x)


def cast_to(out: Result, x: Tensor, *_: object, **__: object) -> Tensor:
    """Another element type; values of a payload need no copies."""
    return rounded(out, x)


def copied(out: Result, _: Tensor, source: Tensor, *__: object) -> Tensor:
    """A tensor in the result's type and shape."""
    return broadcast_to(rounded(out, source), out.shape)


_FUNCTIONS: Mapping[str, Callable[..., ScalarLike]] = {
    name: getattr(f, name)
    for name in (
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
        *("sqrt", "rsqrt", "reciprocal", "erf", "erfc", "tanh"),
        *("sin", "cos", "tan", "sinh", "cosh"),
        *("asin", "acos", "atan", "asinh", "acosh", "atanh"),
        *("sigmoid", "silu", "hardswish", "hardsigmoid", "mish"),
        *("log_sigmoid", "neg", "absolute", "sign", "square"),
    )
}
_RENAMED = {"absolute": "abs"}

TABLE: dict[str, Callable[..., object]] = {
    **arithmetic.TABLE,
    **conditions.TABLE,
    **special_functions.TABLE,
    **{
        f"aten.{_RENAMED.get(name, name)}.default": unary(function)
        for name, function in _FUNCTIONS.items()
        if name != "log_sigmoid"
    },
    **{
        f"aten.{name}.default": _in_own_type(function)
        for name, function in (
            ("floor", f.floor),
            ("ceil", f.ceil),
            ("trunc", f.trunc),
            ("round", f.round_even),
        )
    },
    "aten.round.decimals": round_to,
    "aten.sgn.default": unary(f.sign),
    "aten.relu.default": unary(lambda x: f.relu(x)),
    "aten.gelu.default": gelu,
    "aten.leaky_relu.default": leaky_relu,
    "aten.elu.default": elu,
    "aten.hardtanh.default": hardtanh,
    "aten.softplus.default": softplus,
    "aten.nan_to_num.default": nan_to_num,
    "aten._to_copy.default": cast_to,
    "prims.convert_element_type.default": cast_to,
    "aten.clone.default": cast_to,
    "aten.copy.default": copied,
    "aten.alias.default": lambda out, x: x,
    "aten.detach.default": lambda out, x: x,
    "aten.lift_fresh_copy.default": lambda out, x: x,
}
"""All element-wise ops by name."""
