"""Conditions on elements, truth values and bits, and selections by conditions."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements import element_functions as f
from tilewright.torch_backend.ops.elements.promotion import Operand, compute, promoted
from tilewright.torch_backend.ops.result import Result


def test(function: Callable[..., ScalarLike]) -> Callable[..., Tensor]:
    """A condition on elements, in the operand's own type."""

    def op(out: Result, x: Tensor) -> Tensor:
        return compute(out, function, x, kind=x.dtype)

    return op


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


TABLE: dict[str, Callable[..., object]] = {
    "aten.isnan.default": test(f.isnan),
    "aten.isinf.default": test(f.isinf),
    "aten.signbit.default": test(f.signbit),
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
}
"""Conditions, ops on bits, and selections by name."""
