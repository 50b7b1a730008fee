"""Ops on lists of tensors, as optimizers call them, as one op for each tensor.

`torch.optim` updates all weights at once on a GPU (`foreach=True`, its default there):
each of a dozen ops reads and writes every tensor. One op for each tensor lets a kernel
compute the whole update of a weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

Tensor = torch.Tensor
aten = torch.ops.aten

_UNARY = (
    *("abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp"),
    *("expm1", "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "neg"),
    *("reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan"),
    *("tanh", "trunc"),
)
_BINARY = ("add", "sub", "mul", "div", "pow", "clamp_min", "clamp_max")
"""Their second operand is a list of tensors or of numbers, or one number."""
_LISTS = ("List", "Scalar", "ScalarList")


def _each(single: Callable[..., Tensor]) -> Callable[..., list[Tensor]]:
    """One call for each tensor; operands that are no lists are the same for all."""

    def call(*operands: Any, **options: Any) -> list[Tensor]:
        lists = [one for one in operands if isinstance(one, list | tuple)]
        return [
            single(
                *(one[i] if isinstance(one, list | tuple) else one for one in operands),
                **options,
            )
            for i in range(len(lists[0]))
        ]

    return call


def _scaled(single: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`addcmul` and `addcdiv`, whose scale is an option for one tensor."""

    def call(x: Tensor, one: Tensor, two: Tensor, value: Any = 1) -> Tensor:
        return single(x, one, two, value=value)

    return call


def _norm(x: Tensor, order: Any = 2, dtype: torch.dtype | None = None) -> Tensor:
    return torch.linalg.vector_norm(x, order, dtype=dtype)


def _table() -> dict[Any, Callable[..., Sequence[Tensor]]]:
    found: dict[Any, Callable[..., Sequence[Tensor]]] = {}

    def add(name: str, single: Callable[..., Tensor], *overloads: str) -> None:
        packet = getattr(aten, f"_foreach_{name}")
        for overload in overloads:
            found[getattr(packet, overload)] = _each(single)

    for name in _UNARY:
        add(name, getattr(torch, name), "default")
    for name in _BINARY:
        add(name, getattr(torch, name), *_LISTS)
    for name in ("maximum", "minimum"):
        clamp = torch.clamp_min if name == "maximum" else torch.clamp_max
        add(name, clamp, *_LISTS)
    for name in ("add", "mul", "div"):
        add(name, getattr(torch, name), "Tensor")
    add("pow", torch.pow, "ScalarAndTensor")
    add("lerp", torch.lerp, *_LISTS)
    add("norm", _norm, "Scalar")
    add("zero", torch.zeros_like, "default")
    add("copy", aten.copy.default, "default")
    for name in ("addcmul", "addcdiv"):
        add(name, _scaled(getattr(torch, name)), "Scalar", "ScalarList")
    return found


TENSOR_LISTS = _table()
