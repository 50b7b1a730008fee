"""Attention from the three plain tensors, full and causal."""

from __future__ import annotations

import torch.nn.functional as F

from contenders.planned_works.work import PlannedWork, Row, Spec, rows, size
from tilewright import payloads as tw


def attention(
    batch: int, heads: int, length: int, features: int, causal: bool, dtype: str
) -> PlannedWork:
    """softmax(q k^T / sqrt(d)) v."""
    shape = (batch, heads, length, features)
    share = 0.5 if causal else 1.0
    return PlannedWork(
        f"{'causal ' * causal}attention {size(*shape)} {dtype}",
        {name: Spec(shape, dtype) for name in "qkv"},
        lambda q, k, v: tw.attention(q, k, v, causal=causal),
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal),
        4.0 * batch * heads * length * length * features * share,
    )


TABLE: tuple[Row, ...] = (
    *rows(
        attention,
        (4, 16, 4096, 128, True, "bf16"),
        (4, 16, 1000, 64, False, "f16"),
    ),
)
