"""Normalizations along an axis; narrow inputs have their statistics in f32."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.frontend.builder.elements import elementwise, named_elementwise
from tilewright.frontend.builder.functions import exp, log, rsqrt
from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.reductions import (
    count,
    normalized,
    reduce,
    with_units,
)
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects.linalg import SoftmaxOp


def softmax(
    x: Tensor, axis: int = -1, *, dtype: str | None = None, named: bool = False
) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis, shifted by the maximum against overflow.

    There are four ops: the maximum, the exponentials, their sum, the quotient. With
    `named` it is one `linalg.softmax`, which a schedule decomposes and which computes
    in the input's type.
    """
    _check_float("softmax", x)
    if named:
        return _named_softmax(x, axis, dtype)
    return exponentials(x, axis).quotient(dtype or x.dtype)


@dataclass(frozen=True)
class Exponentials:
    """exp(x - largest) along an axis: the parts of softmax and of log-sum-exp."""

    axes: tuple[int, ...]
    largest: Tensor
    """The maximum along the axis, without the axis."""
    powers: Tensor
    total: Tensor
    """The sum of the powers, without the axis."""

    def quotient(self, dtype: str) -> Tensor:
        """softmax: the powers divided by their sum."""

        def softmax(power: Scalar, total: Scalar) -> Scalar:
            return power / total

        total = with_units(self.total, self.axes)
        return elementwise(softmax, self.powers, total, dtype=dtype)

    def logarithm(self, name: str = "lse") -> Tensor:
        """largest + log(total): the logarithm of the sum of exp(x)."""

        def lse(largest: Scalar, total: Scalar) -> Scalar:
            return largest + log(total)

        made = elementwise(lse, self.largest, self.total, dtype=self.total.dtype)
        return made.named(name)


def exponentials(x: Tensor, axis: int) -> Exponentials:
    """The maximum, the exponentials and their sum, an op each."""
    axes = normalized("softmax", axis, x.shape, [x])
    largest = x.max(axes).named("largest")

    def exponential(x: Scalar, largest: Scalar) -> Scalar:
        return exp(x - largest)

    kind = computed_in(x.dtype)
    powers = elementwise(exponential, x, with_units(largest, axes), dtype=kind)
    return Exponentials(axes, largest, powers, powers.sum(axes).named("total"))


def _named_softmax(x: Tensor, axis: int, dtype: str | None) -> Tensor:
    x = x.materialized()
    (at,) = normalized("softmax", axis, x.shape, [x])
    op = SoftmaxOp(x.value, x.builder.empty(x.shape, x.dtype), at)
    made = x.like(x.builder.add(op, "softmax"), x.shape, x.dtype)
    return made if dtype is None else made.cast(dtype)


def layernorm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    eps: float = 1e-5,
    dtype: str | None = None,
) -> Tensor:
    """(x - mean) / standard deviation of each row, times weight, plus bias."""
    _check_float("layernorm", x)
    mean = x.mean(-1)
    length = x.shape[-1:]

    def squared(x: Scalar, mean: Scalar) -> Scalar:
        offset = x - mean
        return offset * offset

    squares = reduce("sum", x, mean[..., None], axis=-1, of=squared).named("squares")

    def scale(squares: Scalar) -> Scalar:
        return rsqrt(squares / count(length) + eps)

    operands = {
        "x": x,
        "mean": mean[..., None],
        "scale": elementwise(scale, squares)[..., None],
        **_row("layernorm", x, weight=weight, bias=bias),
    }

    def scaled(given: Mapping[str, Scalar]) -> ScalarLike:
        value = (given["x"] - given["mean"]) * given["scale"]
        value = value * given["weight"] if "weight" in given else value
        return value + given["bias"] if "bias" in given else value

    return named_elementwise("layernorm", scaled, operands, dtype or x.dtype)


def rmsnorm(
    x: Tensor,
    weight: Tensor | None = None,
    *,
    eps: float = 1e-6,
    dtype: str | None = None,
) -> Tensor:
    """x / sqrt(mean of squares) of each row, times weight."""
    _check_float("rmsnorm", x)
    length = x.shape[-1:]

    def squared(x: Scalar) -> Scalar:
        return x * x

    squares = reduce("sum", x, axis=-1, of=squared).named("squares")

    def scale(squares: Scalar) -> Scalar:
        return rsqrt(squares / count(length) + eps)

    operands = {
        "x": x,
        "scale": elementwise(scale, squares)[..., None],
        **_row("rmsnorm", x, weight=weight),
    }

    def scaled(given: Mapping[str, Scalar]) -> ScalarLike:
        value = given["x"] * given["scale"]
        return value * given["weight"] if "weight" in given else value

    return named_elementwise("rmsnorm", scaled, operands, dtype or x.dtype)


def _check_float(who: str, x: Tensor) -> None:
    check_tensors(who, x=x)
    if not is_float(x.dtype) or x.rank == 0:
        fail(
            f"{who}: not defined for {listed([x])}",
            "give a tensor of floats with at least one axis",
        )


def _row(who: str, x: Tensor, **rows: Tensor | None) -> dict[str, Tensor]:
    """The operands that are given, each as long as a row of `x`."""
    given = {name: row for name, row in rows.items() if row is not None}
    check_tensors(who, **given)
    for name, row in given.items():
        if row.shape != x.shape[-1:]:
            fail(
                f"{who}: the {name} does not fit the rows: {listed([x, row])}",
                f"it needs the shape ({x.shape[-1]},)",
            )
    return given
