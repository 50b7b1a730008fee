"""ATen ops in float64, to judge how far lower precision is off.

torch's fused attention for GPUs has no float64. That of cuDNN does not refuse it: it
reads the numbers as float16, and the results are arbitrary. So the plain formula takes
the place of these ops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_aten = torch.ops.aten


def wide(value: Any) -> Any:
    """A tensor of floats in float64; anything else as it is."""
    is_float = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value.double() if is_float else value


def exact_op(op: Callable[..., Any]) -> Callable[..., Any]:
    """A function that computes an op in float64: the op itself if it can."""
    if op is _aten._scaled_dot_product_flash_attention.default:
        return _attention
    if op in (
        _aten._scaled_dot_product_cudnn_attention.default,
        _aten._scaled_dot_product_efficient_attention.default,
    ):
        return _attention_with_bias
    return op


def _attention_with_bias(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bias: torch.Tensor | None,
    compute_log_sumexp: bool = False,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[torch.Tensor]:
    return _attention(query, key, value, dropout_p, is_causal, scale=scale, bias=bias)


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
    bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor]:
    """The first result; payloads leave attention whose others are read to torch."""
    if bias is not None and is_causal:
        # The formula takes one of the two.
        seen = torch.ones(bias.shape[-2:], dtype=torch.bool, device=bias.device).tril()
        bias, is_causal = bias.masked_fill(~seen, -torch.inf), False
    made = _aten._scaled_dot_product_attention_math.default(
        query,
        key,
        value,
        bias,
        dropout_p,
        is_causal,
        scale=scale,
        enable_gqa=query.shape[-3] != key.shape[-3],
    )
    return (made[0],)
