"""Ops that few models have, as ops of the table.

torch has no decompositions for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

Tensor = torch.Tensor
aten = torch.ops.aten


def trilinear(
    x: Tensor,
    weight: Tensor,
    y: Tensor,
    expand_x: Sequence[int],
    expand_weight: Sequence[int],
    expand_y: Sequence[int],
    sum_dims: Sequence[int],
    unroll_dim: int = 1,
) -> Tensor:
    """`nn.Bilinear`: a matmul with one operand, then a sum with the other.

    The sums of products of three that its gradients need stay in torch.
    """
    dims = tuple(expand_x), tuple(expand_weight), tuple(expand_y), tuple(sum_dims)
    if dims != ((1, 3), (0,), (1, 2), (2, 3)):
        return NotImplemented
    outputs, inputs, _ = weight.shape
    made = torch.mm(y, weight.reshape(outputs * inputs, -1).t())
    return (made.view(-1, outputs, inputs) * x.unsqueeze(1)).sum(2)


def addbmm(
    x: Tensor, one: Tensor, two: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """The sum of products: one matmul of the matrices side by side."""
    left = one.transpose(0, 1).reshape(one.shape[1], -1)
    right = two.reshape(-1, two.shape[2])
    return torch.addmm(x, left, right, beta=beta, alpha=alpha)


def dist(x: Tensor, y: Tensor, p: float = 2) -> Tensor:
    """The norm of a difference."""
    return torch.linalg.vector_norm(x - y, p)


def pdist(x: Tensor, p: float = 2) -> Tensor:
    """The distances of all pairs of rows."""
    rows = len(x)
    first, second = torch.triu_indices(rows, rows, 1, device=x.device).unbind()
    return torch.linalg.vector_norm(x[first] - x[second], p, dim=1)


def searchsorted(
    sequence: Tensor,
    x: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """One sequence for all numbers is `bucketize`."""
    if sequence.ndim != 1 or sorter is not None:
        return NotImplemented
    is_right = right or side == "right"
    return torch.bucketize(x, sequence, out_int32=out_int32, right=is_right)


def rrelu(
    x: Tensor,
    noise: Tensor,
    lower: float = 0.125,
    upper: float = 1 / 3,
    training: bool = False,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """In inference, a leaky relu with the mean slope."""
    if training:
        return NotImplemented
    return torch.nn.functional.leaky_relu(x, (lower + upper) / 2), noise


def fake_quantize(
    x: Tensor, scale: float, zero: int, low: int, high: int
) -> tuple[Tensor, Tensor]:
    """The nearest number of a scale, and whether the scale reaches so far.

    torch multiplies by the scale's inverse in f32.
    """
    inverse = np.float32(1) / np.float32(scale)
    return _quantized(x, scale, float(inverse), zero, low, high)


def fake_quantize_channels(
    x: Tensor, scale: Tensor, zero: Tensor, axis: int, low: int, high: int
) -> tuple[Tensor, Tensor]:
    """The same with a scale for each index of a dimension."""
    sizes = [1] * x.dim()
    sizes[axis] = -1
    scale, zero = scale.view(sizes), zero.view(sizes)
    return _quantized(x, scale, scale.reciprocal(), zero, low, high)


def fake_quantize_by_tensors(
    x: Tensor, scale: Tensor, zero: Tensor, enabled: Tensor, low: int, high: int
) -> tuple[Tensor, Tensor]:
    """The same with a scale that is learned; `enabled` turns it on."""
    scale, is_on = scale.view([]), enabled.view([]) != 0
    made, reached = _quantized(x, scale, scale.reciprocal(), zero.view([]), low, high)
    return made.where(is_on, x), reached | ~is_on


def _quantized(
    x: Tensor, scale: Any, inverse: Any, zero: Any, low: int, high: int
) -> tuple[Tensor, Tensor]:
    place = torch.round(x * inverse) + zero
    made = (place.clamp(low, high) - zero) * scale
    return made.to(x.dtype), (place >= low) & (place <= high)


RARE_OPS: dict[Any, Callable[..., Any]] = {
    aten._trilinear.default: trilinear,
    aten.addbmm.default: addbmm,
    aten.dist.default: dist,
    aten._pdist_forward.default: pdist,
    aten.searchsorted.Tensor: searchsorted,
    aten.rrelu_with_noise_functional.default: rrelu,
    aten.fake_quantize_per_tensor_affine_cachemask.default: fake_quantize,
    aten.fake_quantize_per_channel_affine_cachemask.default: fake_quantize_channels,
    aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default: (
        fake_quantize_by_tensors
    ),
    aten.ldexp.Tensor: lambda x, exponent: x * torch.pow(2.0, exponent),
    aten.view_copy.default: lambda x, size: x.reshape(size).clone(),
    aten.permute_copy.default: lambda x, dims: x.permute(dims).contiguous(),
    aten.unbind_copy.int: lambda x, dim=0: [one.clone() for one in x.unbind(dim)],
    aten.narrow_copy.default: lambda x, *place: x.narrow(*place).contiguous(),
}
"""Decompositions by op."""
