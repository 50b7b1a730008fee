"""Attention by torch: the back ends of scaled_dot_product_attention, FlexAttention.

Masks, biases and block masks are made once, before anything is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

Function = Callable[..., torch.Tensor]
BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
}


@dataclass(frozen=True)
class Variant:
    """What is done to the scores; a window, a cap and documents are causal."""

    causal: bool = False
    window: int = 0
    cap: float = 0.0
    alibi: bool = False
    documents: bool = False


def visible(
    variant: Variant, length: int, documents: torch.Tensor | None, device: Any
) -> torch.Tensor:
    """Which keys a query sees: (length, length), or (batch, 1, length, length)."""
    row = torch.arange(length, device=device)[:, None]
    column = torch.arange(length, device=device)[None, :]
    seen = column <= row
    if variant.window:
        seen &= row - column < variant.window
    if documents is not None:
        seen = seen & (documents[:, None, :, None] == documents[:, None, None, :])
    return seen


def bias_of(variant: Variant, length: int, extra: torch.Tensor | None, query: Any):
    """The mask, and ALiBi, as one additive tensor in the type of the query."""
    documents = extra if variant.documents else None
    seen = visible(variant, length, documents, query.device)
    bias = torch.zeros(seen.shape, dtype=query.dtype, device=query.device)
    if variant.alibi and extra is not None:
        at = torch.arange(length, device=query.device, dtype=torch.float32)
        distance = at[None, :] - at[:, None]
        bias = (extra[:, None, None] * distance).to(query.dtype)
    return bias.masked_fill_(~seen, -torch.inf)


def sdpa(
    backend: str, *, causal: bool = False, bias: torch.Tensor | None = None
) -> Function:
    """scaled_dot_product_attention by one back end; further inputs are not used."""
    chosen = BACKENDS[backend]

    def attention(query: Any, key: Any, value: Any, *_: Any) -> torch.Tensor:
        mask = bias
        if mask is not None:
            mask = mask.expand(*query.shape[:2], query.shape[2], key.shape[2])
        shared = query.shape[1] != key.shape[1]
        with sdpa_kernel(chosen):
            return F.scaled_dot_product_attention(
                query, key, value, mask, is_causal=causal, enable_gqa=shared
            )

    return attention


def grouped_sdpa(backend: str) -> Function:
    """One query a head: the heads that share keys become the queries of one head."""
    attend = sdpa(backend)

    def attention(query: Any, key: Any, value: Any) -> torch.Tensor:
        batch, heads, _, features = query.shape
        groups = query.view(batch, key.shape[1], heads // key.shape[1], features)
        return attend(groups, key, value).reshape(query.shape)

    return attention


def flex(variant: Variant, tensors: tuple[torch.Tensor, ...]) -> Function:
    """FlexAttention with the block mask and the score function of a variant."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    query, key, _, *rest = tensors
    length = key.shape[2]
    extra = rest[0] if rest else None
    window, cap = variant.window, variant.cap

    def seen(batch: Any, head: Any, row: Any, column: Any) -> Any:
        found = column <= row
        if window:
            found = found & (row - column < window)
        if variant.documents and extra is not None:
            found = found & (extra[batch, row] == extra[batch, column])
        return found

    def capped(score: Any, *_: Any) -> Any:
        return cap * torch.tanh(score / cap)

    def sloped(score: Any, batch: Any, head: Any, row: Any, column: Any) -> Any:
        assert extra is not None
        return score + extra[head] * (column - row)

    change = capped if cap else sloped if variant.alibi else None
    blocks = None
    if variant.causal:
        batch = query.shape[0] if variant.documents else None
        blocks = create_block_mask(
            seen, batch, None, length, length, device=query.device.type
        )
    shared = query.shape[1] != key.shape[1]

    def attention(query: Any, key: Any, value: Any, *_: Any) -> torch.Tensor:
        return flex_attention(
            query, key, value, score_mod=change, block_mask=blocks, enable_gqa=shared
        )

    return attention


def written_out(variant: Variant, length: int) -> Function:
    """The three steps as a user writes them; for torch, eager and compiled."""

    def attention(query: Any, key: Any, value: Any, *_: Any) -> torch.Tensor:
        batch, heads, queries, features = query.shape
        groups = heads // key.shape[1]
        rows = query.reshape(batch, key.shape[1], groups * queries, features)
        scores = rows @ key.mT * features**-0.5
        if variant.cap:
            scores = variant.cap * torch.tanh(scores / variant.cap)
        if variant.causal:
            seen = visible(variant, length, None, query.device)
            scores = scores.view(batch, heads, queries, length)
            scores = scores.masked_fill(~seen, -torch.inf)
            scores = scores.view(batch, key.shape[1], groups * queries, length)
        return (torch.softmax(scores, -1) @ value).view(query.shape)

    return attention
