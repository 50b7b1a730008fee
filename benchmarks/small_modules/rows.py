"""Norms, softmaxes, reductions and losses."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from small_modules.case import Case, Ints

ROWS = ((64, 256),), ((8192, 4096),)
TWO = ((64, 256), (64, 256)), ((8192, 4096), (8192, 4096))
NORMED = ((64, 256), (256,), (256,)), ((8192, 4096), (4096,), (4096,))
IMAGES = ((2, 16, 14, 14),), ((32, 64, 56, 56),)
CHANNELS = ((2, 16, 14, 14), (16,), (16,)), ((32, 64, 56, 56), (64,), (64,))
SCALED = (
    ((2, 8, 64), (2, 8, 64), (2, 1, 64), (2, 1, 64)),
    ((4, 512, 768), (4, 512, 768), (4, 1, 768), (4, 1, 768)),
)
TOKENS = ((8, 1, 256), (256,), (256, 256)), ((8, 1, 4096), (4096,), (4096, 4096))
LABELS = ((64, 256), Ints((64,), 256)), ((4096, 32000), Ints((4096,), 32000))


def rms_norm(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """The norm of Llama: in f32, rounded before the weight."""
    wide = x.float()
    wide = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)
    return wide.to(x.dtype) * w


def moments(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and variance of each row."""
    return x.mean(-1), x.var(-1)


def modulated(
    x: torch.Tensor, y: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor
) -> torch.Tensor:
    """The norm of a diffusion transformer: each image has a scale and a shift."""
    return F.layer_norm(x + y, x.shape[-1:]) * (1 + scale) + shift


def projected(x: torch.Tensor, w: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """The norm of single tokens before a matmul, as in a decoding step."""
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * w @ up


def dice(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The dice loss of two masks."""
    p, q = torch.sigmoid(x).flatten(1), torch.sigmoid(y).flatten(1)
    return (1 - 2 * (p * q).sum(1) / (p.sum(1) + q.sum(1) + 1)).mean()


CASES = (
    Case("layer norm", lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b), *NORMED),
    Case("added layer norm", lambda x, y: F.layer_norm(x + y, x.shape[-1:]), *TWO),
    Case("rms norm", lambda x, w, b: rms_norm(x, w), *NORMED),
    Case("added rms norm", lambda x, w, b: (x * 2, rms_norm(x * 2, w) + b), *NORMED),
    Case("modulated layer norm", modulated, *SCALED),
    Case("rms norm of tokens", projected, *TOKENS),
    Case("group norm", lambda x, w, b: F.group_norm(x, 8, w, b), *CHANNELS),
    Case(
        "instance norm", lambda x, w, b: F.instance_norm(x, None, None, w, b), *CHANNELS
    ),
    Case(
        "batch norm",
        lambda x, w, b: F.batch_norm(x, b, b.square() + 1, w, b),
        *CHANNELS,
    ),
    Case(
        "norm of channels",
        lambda x, w, b: F.layer_norm(x.permute(0, 2, 3, 1), x.shape[1:2], w, b).permute(
            0, 3, 1, 2
        ),
        *CHANNELS,
    ),
    Case("softmax", lambda x: torch.softmax(x, -1), *ROWS),
    Case("softmax of columns", lambda x: torch.softmax(x, 0), *ROWS),
    Case("softmax of channels", lambda x: torch.softmax(x, 1), *IMAGES),
    Case(
        "scaled masked softmax",
        lambda x, m: torch.softmax((x * 0.125).masked_fill(m < 0, -1e4), -1),
        *TWO,
    ),
    Case("log softmax", lambda x: F.log_softmax(x.float(), -1), *ROWS),
    Case("log sum exp", lambda x: torch.logsumexp(x, -1), *ROWS),
    Case(
        "entropy", lambda x: -(F.softmax(x, -1) * F.log_softmax(x, -1)).sum(-1), *ROWS
    ),
    Case("l2 normalize", lambda x: F.normalize(x, dim=-1), *ROWS),
    Case("cosine similarity", lambda x, y: F.cosine_similarity(x, y, dim=-1), *TWO),
    Case("sum of rows", lambda x: x.sum(-1), *ROWS),
    Case("sum of columns", lambda x: x.sum(0), *ROWS),
    Case("sum of all", lambda x: x.sum(), *ROWS),
    Case("maximum and its index", lambda x: x.max(-1), *ROWS),
    Case("argmax of columns", lambda x: x.argmax(0), *ROWS),
    Case("moments", moments, *ROWS),
    Case("standardize", lambda x: (x - x.mean(0)) / (x.std(0) + 1e-5), *ROWS),
    Case("mean of images", lambda x: x.mean((2, 3)), *IMAGES),
    Case(
        "squeeze scale",
        lambda x: x * torch.sigmoid(x.mean((2, 3), keepdim=True)),
        *IMAGES,
    ),
    Case("cumulative sum", lambda x: x.float().cumsum(-1), *ROWS),
    Case("mean squared error", lambda x, y: F.mse_loss(x, y), *TWO),
    Case("huber loss", lambda x, y: F.huber_loss(x, y), *TWO),
    Case(
        "binary cross entropy",
        lambda x, y: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y)),
        *TWO,
    ),
    Case("cross entropy", lambda x, y: F.cross_entropy(x.float(), y), *LABELS),
    Case(
        "smoothed cross entropy",
        lambda x, y: F.cross_entropy(x.float(), y, label_smoothing=0.1),
        *LABELS,
    ),
    Case(
        "divergence",
        lambda x, y: F.kl_div(
            F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"
        ),
        *TWO,
    ),
    Case("dice loss", dice, *TWO),
    Case("norm of the matrix", lambda x: x / torch.linalg.vector_norm(x), *ROWS),
    Case(
        "quantize rows",
        lambda x: (lambda s: ((x / s).round().to(torch.int8), s))(
            x.abs().amax(-1, keepdim=True) / 127
        ),
        *ROWS,
    ),
)
