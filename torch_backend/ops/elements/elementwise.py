"""Element-wise arithmetic and functions, with torch's promotion of types."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import (
    ACTIVATIONS,
    maximum,
    minimum,
    where,
)
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import numpy_dtype
from tilewright.torch_backend.ops.elements import element_functions as f
from tilewright.torch_backend.ops.elements.promotion import (
    Operand,
    compute,
    promoted,
    rounded,
)
from tilewright.torch_backend.ops.result import Result, refuse


def unary(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """An op of one tensor from a function of one element."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x)

    return op


def test(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """A condition on elements, in the operand's own type."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x, kind=x.dtype)

    return op


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
        return compute(out, lambda x: f.repeated_product(x, y), x)
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


def comparison(kind: str) -> Callable[..., Tensor]:
    """A comparison in the type that both operands promote to."""
    compare = f.COMPARISONS[kind]

    def op(out: Result, x: Operand, y: Operand) -> Tensor:
        common = promoted(x, y)
        # Bools compare as integers: true is larger than false.
        common = "i8" if common == "i1" else common
        return compute(out, compare, x, y, kind=common)

    return op


def logical(kind: str) -> Callable[..., Tensor]:
    """`and`, `or`, `xor` of truth values: a number is true unless it is 0."""

    def op(out: Result, x: Operand, y: Operand) -> Tensor:
        return compute(out, lambda x, y: binary(kind, x, y), x, y, kind="i1")

    return op


def logical_not(out: Result, x: Tensor) -> Tensor:
    """Whether an element is 0."""
    return compute(out, lambda x: binary("xor", x, 1), x, kind="i1")


def bitwise(kind: str) -> Callable[..., Tensor]:
    """An op on the bits of integers, or on bools."""
    function = f.BITWISE[kind]

    def op(out: Result, x: Operand, y: Operand) -> Tensor:
        return compute(out, function, x, y)

    return op


def bitwise_not(out: Result, x: Tensor) -> Tensor:
    """All bits flipped."""
    ones = 1 if out.dtype == "i1" else -1
    return compute(out, lambda x: binary("xor", x, ones), x)


def where_self(out: Result, condition: Tensor, x: Operand, y: Operand) -> Tensor:
    """x where the condition holds, y elsewhere."""
    numbers_only = not isinstance(x, Tensor) and not isinstance(y, Tensor)

    def select(condition: Scalar, x: ScalarLike, y: ScalarLike) -> ScalarLike:
        if numbers_only:
            x = condition.body.constant(f.plain_number(x, out.dtype), out.dtype)
        left = x.cast(out.dtype) if isinstance(x, Scalar) else x
        right = y.cast(out.dtype) if isinstance(y, Scalar) else y
        return where(f.truth(condition), left, right)

    return f.one_op(select, condition, x, y, dtype=out.dtype)


def masked_fill(out: Result, x: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """`value` where the mask holds, x elsewhere."""
    return where_self(out, mask, value, x)


def cast_to(out: Result, x: Tensor, *_: object, **__: object) -> Tensor:
    """Another element type; values of a payload need no copies."""
    return rounded(out, x)


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


def round_to(out: Result, x: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest integer, or decimal; halves go to the even one."""
    if decimals == 0:
        return compute(out, f.round_even, x)
    ten = 10.0 ** abs(decimals)
    if decimals > 0:
        return compute(out, lambda x: f.round_even(x * ten) / ten, x)
    return compute(out, lambda x: f.round_even(x / ten) * ten, x)


def _in_own_type(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """A function that integers pass through unchanged."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x) if is_float(x.dtype) else x

    return op


def copysign(out: Result, x: Operand, y: Operand) -> Tensor:
    """The magnitude of x with the sign of y."""
    return compute(out, f.copysign, x, y)


def polar(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """A function of two floats."""

    def op(out: Result, x: Operand, y: Operand) -> Tensor:
        return compute(out, function, x, y)

    return op


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
    "aten.isnan.default": test(f.isnan),
    "aten.isinf.default": test(f.isinf),
    "aten.signbit.default": test(f.signbit),
    "aten.nan_to_num.default": nan_to_num,
    **{
        f"aten.{name}.{overload}": function
        for name, function in (("add", add), ("sub", sub), ("mul", mul), ("div", div))
        for overload in ("Tensor", "Scalar")
    },
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
    "aten.fmax.default": polar(f.fmax),
    "aten.fmin.default": polar(f.fmin),
    "aten.atan2.default": polar(f.atan2),
    "aten.copysign.Tensor": copysign,
    "aten.copysign.Scalar": copysign,
    "aten.hypot.default": polar(f.hypot),
    "aten.clamp.default": clamp,
    "aten.clamp.Tensor": clamp,
    "aten.clamp_min.default": lambda out, x, low: clamp(out, x, low),
    "aten.clamp_max.default": lambda out, x, high: clamp(out, x, None, high),
    "aten.clamp_min.Tensor": lambda out, x, low: clamp(out, x, low),
    "aten.clamp_max.Tensor": lambda out, x, high: clamp(out, x, None, high),
    **{
        f"aten.{name}.{overload}": comparison(name)
        for name in f.COMPARISONS
        for overload in ("Tensor", "Scalar")
    },
    **{f"aten.logical_{name}.default": logical(name) for name in ("and", "or", "xor")},
    "aten.logical_not.default": logical_not,
    **{
        f"aten.{name}.{overload}": bitwise(name)
        for name in f.BITWISE
        for overload in (
            ("Tensor", "Tensor_Scalar") if "shift" in name else ("Tensor", "Scalar")
        )
    },
    **{
        f"aten.__{letter}shift__.{overload}": bitwise(name)
        for letter, name in (("l", "bitwise_left_shift"), ("r", "bitwise_right_shift"))
        for overload in ("Tensor", "Scalar")
    },
    "aten.bitwise_not.default": bitwise_not,
    "aten.where.self": where_self,
    "aten.where.Scalar": where_self,
    "aten.where.ScalarOther": where_self,
    "aten.where.ScalarSelf": where_self,
    "aten.masked_fill.Scalar": masked_fill,
    "aten.masked_fill.Tensor": masked_fill,
    "aten.addcmul.default": addcmul,
    "aten.addcdiv.default": addcdiv,
    "aten._to_copy.default": cast_to,
    "prims.convert_element_type.default": cast_to,
    "aten.clone.default": cast_to,
    "aten.copy.default": lambda out, x, source, *_: f.copied(out, source),
    "aten.alias.default": lambda out, x: x,
    "aten.detach.default": lambda out, x: x,
    "aten.lift_fresh_copy.default": lambda out, x: x,
}
"""Element-wise ops by name."""
