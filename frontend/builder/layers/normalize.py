"""Normalizations along an axis; narrow inputs have their statistics in f32."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.layers.checks import check_float
from tilewright.frontend.builder.numerics import DtypeLike
from tilewright.frontend.builder.ops.elements import elementwise, named_elementwise
from tilewright.frontend.builder.ops.functions import rsqrt
from tilewright.frontend.builder.ops.reductions import count, reduce
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def layernorm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    eps: float = 1e-5,
    dtype: DtypeLike | None = None,
) -> Tensor:
    """(x - mean) / standard deviation of each row, times weight, plus bias."""
    check_float("layernorm", x)
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

    made = x.dtype if dtype is None else dtype
    return named_elementwise("layernorm", scaled, operands, made)


def rmsnorm(
    x: Tensor,
    weight: Tensor | None = None,
    *,
    eps: float = 1e-6,
    dtype: DtypeLike | None = None,
) -> Tensor:
    """x / sqrt(mean of squares) of each row, times weight."""
    check_float("rmsnorm", x)
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

    made = x.dtype if dtype is None else dtype
    return named_elementwise("rmsnorm", scaled, operands, made)


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
