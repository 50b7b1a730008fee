"""Linear layers: a product, and one op for everything after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.numerics import DtypeLike, dtype_name
from tilewright.frontend.builder.ops.elements import (
    Pointwise,
    elementwise,
    named_elementwise,
)
from tilewright.frontend.builder.ops.functions import ACTIVATIONS
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def linear(
    x: Tensor,
    weight: Tensor,
    *,
    bias: Tensor | None = None,
    activation: str | None = None,
    residual: Tensor | None = None,
    dtype: DtypeLike | None = None,
) -> Tensor:
    """activation(x weight + bias) + residual: a product, and one op for the rest.

    The weight has the shape (inputs, outputs); pass `weight.T` for a weight stored as
    in torch. The activation is relu, gelu, gelu_tanh, silu, sigmoid or tanh. The result
    has the type of `x`, or `dtype`; narrow types are computed in f32.
    """
    act = activation_named("linear", activation)
    check_tensors("linear", x=x, weight=weight, bias=bias, residual=residual)
    product = matmul(x, weight)
    if bias is not None and bias.shape != weight.shape[-1:]:
        fail(
            f"linear: the bias does not fit the weight: {listed([weight, bias])}",
            f"it needs the shape ({weight.shape[-1]},)",
        )
    if residual is not None and residual.shape != product.shape:
        fail(
            f"linear: the residual does not fit the product: "
            f"{listed([product, residual])}"
        )
    made = x.dtype if dtype is None else dtype_name("linear", dtype)
    operands = _given(acc=product, bias=bias, residual=residual)

    def tail(given: Mapping[str, Scalar]) -> ScalarLike:
        value = given["acc"]
        value = value + given["bias"] if "bias" in given else value
        value = act(value) if act is not None else value
        return value + given["residual"] if "residual" in given else value

    if len(operands) == 1 and act is None and product.dtype == made:
        return product
    return named_elementwise("linear", tail, operands, made)


def mlp(
    x: Tensor,
    layers: Sequence[tuple[Tensor, Tensor | None]],
    *,
    activation: str = "relu",
) -> Tensor:
    """Linear layers with these weights and biases, and the activation between them."""
    for position, (weight, bias) in enumerate(layers):
        last = position == len(layers) - 1
        x = linear(x, weight, bias=bias, activation=None if last else activation)
    return x


def gated_mlp(
    x: Tensor,
    gate: Tensor,
    up: Tensor,
    down: Tensor,
    *,
    activation: str | None = "silu",
) -> Tensor:
    """(activation(x gate) * (x up)) down, as in llama's feed-forward layers."""
    act = activation_named("gated_mlp", activation)
    check_tensors("gated_mlp", x=x, gate=gate, up=up, down=down)

    def gated(gate: Scalar, up: Scalar) -> Scalar:
        return (act(gate) if act is not None else gate) * up

    hidden = elementwise(gated, matmul(x, gate), matmul(x, up), dtype=x.dtype)
    return matmul(hidden, down, dtype=x.dtype)


def scaled_matmul(
    a: Tensor,
    b: Tensor,
    a_scale: Tensor,
    b_scale: Tensor,
    *,
    bias: Tensor | None = None,
    dtype: DtypeLike = "bf16",
) -> Tensor:
    """(a b) * a_scale * b_scale + bias, for operands in fp8.

    A scale has the shape () for a whole operand, (rows,) for each row of `a`, or
    (columns,) for each column of `b`.
    """
    given = {"a": a, "b": b, "a_scale": a_scale, "b_scale": b_scale, "bias": bias}
    check_tensors("scaled_matmul", **given)
    if a.rank != 2 or b.rank != 2:
        fail(f"scaled_matmul: not two matrices: {listed([a, b])}")
    product = matmul(a, b)
    rows, columns = product.shape
    if a_scale.shape not in ((), (rows,)) or b_scale.shape not in ((), (columns,)):
        fail(
            f"scaled_matmul: the scales do not fit: {listed([a, b, a_scale, b_scale])}",
            f"give one number, or ({rows},) for a and ({columns},) for b",
        )
    operands = _given(
        acc=product,
        a_scale=a_scale[:, None] if a_scale.rank else a_scale,
        b_scale=b_scale,
        bias=bias,
    )

    def scaled(given: Mapping[str, Scalar]) -> ScalarLike:
        value = given["acc"] * given["a_scale"] * given["b_scale"]
        return value + given["bias"] if "bias" in given else value

    return named_elementwise("scaled", scaled, operands, dtype)


def activation_named(who: str, name: str | None) -> Pointwise | None:
    """An activation by its name; None for none."""
    if name is None:
        return None
    if name not in ACTIVATIONS:
        fail(
            f"{who}: there is no activation '{name}'",
            f"there are {', '.join(ACTIVATIONS)}",
        )
    return ACTIVATIONS[name]


def _given(**operands: Tensor | None) -> dict[str, Tensor]:
    return {name: given for name, given in operands.items() if given is not None}
