"""Pads, concats, slices, reshapes, repeats, rolls, windows, gathers, scatters."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from small_modules.case import Case, Ints

ROWS = ((64, 256),), ((8192, 4096),)
TWO = ((64, 256), (64, 256)), ((8192, 4096), (8192, 4096))
IMAGES = ((2, 16, 14, 14),), ((32, 64, 56, 56),)
HEADS = ((2, 4, 32, 32),), ((4, 32, 2048, 128),)
TABLE = ((100, 64), Ints((8, 16), 100)), ((32000, 4096), Ints((8, 512), 32000))


def rotate(x: torch.Tensor) -> torch.Tensor:
    """The second half of the features, negated, before the first."""
    a, b = x.chunk(2, -1)
    return torch.cat((-b, a), -1)


def rotary(x: torch.Tensor) -> torch.Tensor:
    """A rotary embedding by halves."""
    steps = torch.arange(x.shape[-2], dtype=torch.float32, device=x.device)
    halves = torch.arange(0, x.shape[-1], 2, device=x.device)
    rates = 10000 ** (-halves / x.shape[-1])
    angles = torch.cat((steps[:, None] * rates,) * 2, -1)
    return x * angles.cos().to(x.dtype) + rotate(x) * angles.sin().to(x.dtype)


def rotary_pairs(x: torch.Tensor) -> torch.Tensor:
    """A rotary embedding by neighbouring pairs."""
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * 0.8 - b * 0.6, a * 0.6 + b * 0.8), -1).flatten(-2)


def kinds(w: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
    """The norm of words' embeddings, and of the one kind that all words have."""
    kind = F.embedding(torch.zeros_like(i), w[:2])
    return F.layer_norm(F.embedding(i, w) + kind, w.shape[-1:])


def windows(x: torch.Tensor) -> torch.Tensor:
    """Windows of 7 x 7 of an image, as rows."""
    n, c, h, w = x.shape
    cut = x.view(n, c, h // 7, 7, w // 7, 7)
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(-1, 49, c) * 2


def patches_of_four(x: torch.Tensor) -> torch.Tensor:
    """Four neighbours of an image beside each other, as channels."""
    parts = [x[:, :, i::2, j::2] for i in (0, 1) for j in (0, 1)]
    return torch.cat(parts, 1) + 1


def shift(x: torch.Tensor) -> torch.Tensor:
    """The token before, mixed with each token."""
    before = F.pad(x, (0, 0, 1, 0))[:-1]
    return 0.7 * x + 0.3 * before


CASES = (
    Case("padded and scaled", lambda x: F.pad(x * 2, (1, 1, 2, 2)), *IMAGES),
    Case("reflected pad", lambda x: F.pad(x.relu(), (1, 1, 1, 1), "reflect"), *IMAGES),
    Case("concat", lambda x, y: torch.cat((x.relu(), y), -1), *TWO),
    Case("concat of rows", lambda x, y: torch.cat((x, y.exp()), 0) + 1, *TWO),
    Case(
        "concat, then norm",
        lambda x, y: F.layer_norm(torch.cat((x, y), -1), (2 * x.shape[-1],)),
        *TWO,
    ),
    Case("stack and sum", lambda x, y: torch.stack((x, y, x * y)).sum(0), *TWO),
    Case("slice and relu", lambda x: F.relu(x[:, 1::2]) + 1, *ROWS),
    Case("roll", lambda x: torch.roll(x, (3, 3), (2, 3)) + x, *IMAGES),
    Case("flip", lambda x: x.flip(-1) * 0.5 + x * 0.5, *IMAGES),
    Case("transpose and add", lambda x: x.transpose(-1, -2).contiguous() + 1, *HEADS),
    Case("heads apart", lambda x: x.view(x.shape[0], 8, -1).transpose(0, 1) * 2, *ROWS),
    Case("pixel shuffle", lambda x: F.pixel_shuffle(x, 2).relu(), *IMAGES),
    Case("channel shuffle", lambda x: F.channel_shuffle(x, 4) + 1, *IMAGES),
    Case("rotary", rotary, *HEADS),
    Case("rotary of pairs", rotary_pairs, *HEADS),
    Case(
        "repeated heads",
        lambda x: x[:, :, None].expand(-1, -1, 2, -1, -1).flatten(1, 2) + 1,
        *HEADS,
    ),
    Case("repeat interleave", lambda x: x.repeat_interleave(2, 1) * 2, *ROWS),
    Case("tile", lambda x: x.repeat(1, 3).tanh(), *ROWS),
    Case("windows", windows, *IMAGES),
    Case("patches of four", patches_of_four, *IMAGES),
    Case("token shift", shift, *ROWS),
    Case(
        "nearest enlarged", lambda x: F.interpolate(x, scale_factor=2).relu(), *IMAGES
    ),
    Case(
        "bilinear enlarged",
        lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
        *IMAGES,
    ),
    Case("max pool", lambda x: F.max_pool2d(x.relu(), 2), *IMAGES),
    Case("average pool", lambda x: F.avg_pool2d(x, 3, 2, 1), *IMAGES),
    Case("unfold", lambda x: F.unfold(x, 3, padding=1) * 2, *IMAGES),
    Case("sliding sums", lambda x: x.unfold(-1, 4, 1).sum(-1), *ROWS),
    Case("embedding", lambda w, i: F.embedding(i, w) * 8, *TABLE),
    Case(
        "embedding, then norm",
        lambda w, i: F.layer_norm(F.embedding(i, w), w.shape[-1:]),
        *TABLE,
    ),
    Case("embeddings of words and kinds", kinds, *TABLE),
    Case("bag of embeddings", lambda w, i: F.embedding(i, w).sum(1), *TABLE),
    Case(
        "gather",
        lambda x: x.gather(
            1, torch.arange(8, device=x.device).expand(x.shape[0], 8)
        ).exp(),
        *ROWS,
    ),
    Case(
        "index add",
        lambda w, i: torch.zeros_like(w).index_add(0, i[0], w[: i.shape[1]]),
        *TABLE,
    ),
    Case("lower triangle", lambda x: x.tril() + 1, *HEADS),
    Case(
        "diagonal added",
        lambda x: x + torch.eye(*x.shape[-2:], device=x.device).to(x.dtype),
        *HEADS,
    ),
    Case("one hot", lambda w, i: F.one_hot(i % 64, 64).sum(1).to(w.dtype), *TABLE),
    Case(
        "assigned slice",
        lambda x: torch.slice_scatter(x, x[:, :8] * 2, 1, 8, 16),
        *ROWS,
    ),
)
