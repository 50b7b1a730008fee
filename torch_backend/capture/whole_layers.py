"""Layers that torch runs as one op in inference, taken apart again.

Their parts are payload, so that they are fused, planned and tuned like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

Tensor = torch.Tensor
aten = torch.ops.aten


def encoder_layer(
    x: Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask: Tensor | None = None,
    mask_type: int | None = None,
) -> Tensor:
    """`nn.TransformerEncoderLayer` in evaluation."""
    if x.is_nested or (mask is not None and mask_type not in MASK_SHAPES):
        return NotImplemented

    def first(given: Tensor) -> Tensor:
        return F.layer_norm(given, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def second(given: Tensor) -> Tensor:
        return F.layer_norm(given, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    def attend(given: Tensor) -> Tensor:
        batch, length, _ = given.shape
        three = F.linear(given, qkv_weight, qkv_bias)
        heads = three.view(batch, length, 3, num_heads, embed_dim // num_heads)
        query, key, value = heads.permute(2, 0, 3, 1, 4).unbind(0)
        if mask is None:
            mixed = F.scaled_dot_product_attention(query, key, value)
        else:
            # torch's layer masks what is not zero, whatever the type of the mask. A row
            # that is masked as a whole is NaN there, and 0 in an attention of torch's.
            scale = (embed_dim // num_heads) ** -0.5
            scores = (query * scale) @ key.transpose(-2, -1)
            hidden = mask.to(torch.bool).view(MASK_SHAPES[mask_type](mask))
            mixed = scores.masked_fill(hidden, -torch.inf).softmax(-1) @ value
        flat = mixed.transpose(1, 2).reshape(batch, length, embed_dim)
        return F.linear(flat, proj_weight, proj_bias)

    def gelu(given: Tensor) -> Tensor:
        # torch's layer calls `_addmm_activation`: cuBLAS computes gelu by tanh.
        return F.gelu(given, approximate="tanh" if given.is_cuda else "none")

    def feed(given: Tensor) -> Tensor:
        inner = F.linear(given, ffn_weight_1, ffn_bias_1)
        inner = gelu(inner) if use_gelu else F.relu(inner)
        return F.linear(inner, ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = x + attend(first(x))
        return x + feed(second(x))
    x = first(x + attend(x))
    return second(x + feed(x))


MASK_SHAPES: dict[int | None, Callable[[Tensor], tuple[int, ...]]] = {
    0: lambda mask: (1, 1, *mask.shape),
    1: lambda mask: (mask.shape[0], 1, 1, mask.shape[1]),
    2: lambda mask: tuple(mask.shape),
}
"""The shape of a mask beside the scores of batches and heads, by the type that torch
gives it: a mask of scores, of keys, or of both."""

WHOLE_LAYERS: dict[Any, Callable[..., Any]] = {
    aten._transformer_encoder_layer_fwd.default: encoder_layer,
}
"""Decompositions by op."""
