"""Matmuls with prologues and epilogues, perceptrons, attention, convolutions."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from small_modules.case import Case, Given, Ints

LINEAR = ((64, 256), (512, 256), (512,)), ((4096, 4096), (4096, 4096), (4096,))
TWO_LINEAR = (
    ((64, 256), (512, 256), (256, 512)),
    ((4096, 1024), (4096, 1024), (1024, 4096)),
)
QKV = ((2, 4, 32, 32),) * 3, ((2, 16, 2048, 64),) * 3
PACKED: tuple[tuple[Given, ...], tuple[Given, ...]] = (
    (*((1, 4, 32, 32),) * 3, Ints((1, 32), 8)),
    (*((1, 16, 2048, 64),) * 3, Ints((1, 2048), 8)),
)
LINES = (
    ((2, 64, 128), (32, 16, 1), (32,)),
    ((16, 768, 512), (768, 192, 1), (768,)),
)
DECODING = (
    ((2, 4, 1, 32), (2, 4, 64, 32), (2, 4, 64, 32)),
    ((8, 32, 1, 128), (8, 32, 4096, 128), (8, 32, 4096, 128)),
)
SQUARE = ((64, 256), (256, 256)), ((4096, 4096), (4096, 4096))
BATCHES = ((4, 32, 64), (4, 64, 32)), ((64, 512, 256), (64, 256, 512))
CONVOLUTION: tuple[tuple[Given, ...], tuple[Given, ...]] = (
    ((2, 16, 14, 14), (16, 16, 3, 3), (16,)),
    ((32, 64, 56, 56), (64, 64, 3, 3), (64,)),
)
DEPTHWISE: tuple[tuple[Given, ...], tuple[Given, ...]] = (
    ((2, 16, 14, 14), (16, 1, 3, 3), (16,)),
    ((32, 64, 56, 56), (64, 1, 3, 3), (64,)),
)


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention, written out."""
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores.float(), -1).to(v.dtype) @ v


def capped(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Causal attention with capped scores."""
    scores = torch.tanh(q @ k.transpose(-1, -2) / 400) * 50
    seen = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device)
    return torch.softmax(scores.masked_fill(~seen.tril(), -1e4), -1) @ v


def packed(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, places: torch.Tensor
) -> torch.Tensor:
    """Causal attention in packed sequences: `transformers` finds them by places."""
    at = torch.arange(q.shape[-2], device=q.device)
    batch = torch.arange(q.shape[0], device=q.device)[:, None, None, None]
    row, column = at[:, None], at[None, :]
    apart = torch.diff(places, prepend=places[:, :1] - 1, dim=-1) != 1
    number = apart.cumsum(-1)
    seen = number[batch, row[None, None]] == number[batch, column[None, None]]
    seen = seen.new_ones(()) & seen & (column <= row)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=seen)


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention without a softmax over the scores."""
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return (q @ (k.transpose(-1, -2) @ v)) / (q @ k.sum(-2)[..., None] + 1e-6)


def low_rank(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A linear layer with an adapter of rank 8."""
    return F.linear(x, w, b) + (x @ w[:8].t()) @ b[None].expand(8, -1) * 0.1


CASES = (
    Case("linear", lambda x, w, b: F.linear(x, w, b), *LINEAR),
    Case("linear relu", lambda x, w, b: F.relu(F.linear(x, w, b)), *LINEAR),
    Case("linear gelu", lambda x, w, b: F.gelu(F.linear(x, w, b)), *LINEAR),
    Case("linear swish scaled", lambda x, w, b: F.silu(F.linear(x, w, b)) * 2, *LINEAR),
    Case(
        "norm linear",
        lambda x, w, b: F.linear(F.layer_norm(x, x.shape[-1:]), w, b),
        *LINEAR,
    ),
    Case(
        "linear softmax", lambda x, w, b: torch.softmax(F.linear(x, w, b), -1), *LINEAR
    ),
    Case("linear, row sums", lambda x, w, b: F.linear(x, w, b).sum(-1), *LINEAR),
    Case("adapter", low_rank, *LINEAR),
    Case(
        "perceptron", lambda x, a, b: F.linear(F.gelu(F.linear(x, a)), b), *TWO_LINEAR
    ),
    Case(
        "residual perceptron",
        lambda x, a, b: (
            x + F.linear(F.relu(F.linear(F.layer_norm(x, x.shape[-1:]), a)), b)
        ),
        *TWO_LINEAR,
    ),
    Case(
        "gated perceptron",
        lambda x, a, b: (F.silu(F.linear(x, a)) * F.linear(x, a * 2)) @ b.t(),
        *TWO_LINEAR,
    ),
    Case("matmul", lambda x, w: x @ w, *SQUARE),
    Case("matmul of a transpose", lambda x, w: x @ w.t() + x, *SQUARE),
    Case("gram matrix", lambda x, w: x.t() @ x, *SQUARE),
    Case("matrix and vector", lambda x, w: x @ w[0] + 1, *SQUARE),
    Case("batched matmul", lambda x, y: torch.bmm(x, y).relu(), *BATCHES),
    Case("batched outer sum", lambda x, y: torch.einsum("bik,bkj->ij", x, y), *BATCHES),
    Case("pairwise distances", lambda x, w: torch.cdist(x.float(), w.float()), *SQUARE),
    Case("attention", attention, *QKV),
    Case(
        "torch's attention",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        *QKV,
    ),
    Case(
        "causal attention",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        *QKV,
    ),
    Case("capped attention", capped, *QKV),
    Case("packed attention", packed, *PACKED),
    Case(
        "lines, features in groups",
        lambda x, w, b: F.gelu(F.conv1d(x, w, b, groups=x.shape[1] // w.shape[1])),
        *LINES,
    ),
    Case("linear attention", linear_attention, *QKV),
    Case(
        "decoding", lambda q, k, v: F.scaled_dot_product_attention(q, k, v), *DECODING
    ),
    Case(
        "convolution relu",
        lambda x, w, b: F.conv2d(x, w, b, padding=1).relu(),
        *CONVOLUTION,
    ),
    Case(
        "convolution, norm",
        lambda x, w, b: F.batch_norm(
            F.conv2d(x, w, padding=1), b, b.square() + 1
        ).relu(),
        *CONVOLUTION,
    ),
    Case(
        "depthwise",
        lambda x, w, b: F.conv2d(x, w, b, padding=1, groups=x.shape[1]).relu(),
        *DEPTHWISE,
    ),
)
