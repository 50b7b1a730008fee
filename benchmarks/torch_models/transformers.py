"""Transformers: encoder layers, a block as in Llama, a ViT block, a small GPT."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def encoder_layer(
    size: int, heads: int, hidden: int, *, norm_first: bool, activation: str = "relu"
) -> nn.Module:
    """torch's own layer, without dropout: its random numbers are torch's alone."""
    return nn.TransformerEncoderLayer(
        size,
        heads,
        hidden,
        dropout=0.0,
        activation=activation,
        batch_first=True,
        norm_first=norm_first,
    )


def rotated(x: torch.Tensor, start: int) -> torch.Tensor:
    """Rotary embedding of (batch, heads, sequence, features)."""
    half = x.shape[-1] // 2
    places = torch.arange(start, start + x.shape[-2], device=x.device)
    rates = 10000.0 ** (-torch.arange(half, device=x.device) / half)
    angles = places[:, None] * rates[None, :]
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    one, two = x[..., :half], x[..., half:]
    return torch.cat([one * cosine - two * sine, two * cosine + one * sine], -1)


def repeated(x: torch.Tensor, times: int) -> torch.Tensor:
    """(batch, groups, sequence, features), each group for `times` heads."""
    batch, groups, length, features = x.shape
    wide = x[:, :, None].expand(batch, groups, times, length, features)
    return wide.reshape(batch, groups * times, length, features)


class RootMeanSquare(nn.Module):
    """The norm of Llama, computed in f32."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The input divided by its root mean square."""
        wide = x.float()
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return (wide * scale).to(x.dtype) * self.weight


class DecoderBlock(nn.Module):
    """A block as in Llama: rotary embedding, grouped heads, a cache of keys."""

    def __init__(self, size: int, heads: int, groups: int, hidden: int) -> None:
        super().__init__()
        self.heads, self.groups, self.features = heads, groups, size // heads
        self.before = RootMeanSquare(size)
        self.query = nn.Linear(size, size, bias=False)
        self.keys = nn.Linear(size, 2 * groups * self.features, bias=False)
        self.out = nn.Linear(size, size, bias=False)
        self.after = RootMeanSquare(size)
        self.gate = nn.Linear(size, hidden, bias=False)
        self.up = nn.Linear(size, hidden, bias=False)
        self.down = nn.Linear(hidden, size, bias=False)

    def forward(
        self, x: torch.Tensor, past: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The output, and the cache (keys and values, batch, groups, sequence, ...).

        Without a cache this is the prefill, in which a token sees those before it.
        """
        batch, length, size = x.shape
        start = 0 if past is None else past.shape[-2]
        normal = self.before(x)
        query = self.query(normal).view(batch, length, self.heads, -1).transpose(1, 2)
        both = self.keys(normal).view(batch, length, 2, self.groups, -1)
        key, value = both.permute(2, 0, 3, 1, 4).unbind(0)
        query, key = rotated(query, start), rotated(key, start)
        cache = torch.stack([key, value])
        seen = None
        if past is not None:
            cache = torch.cat([past, cache], dim=-2)
            every = torch.ones(length, start + length, device=x.device).bool()
            seen = every.tril(start)
        key, value = (repeated(part, self.heads // self.groups) for part in cache)
        mixed = F.scaled_dot_product_attention(
            query, key, value, seen, is_causal=past is None
        )
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, size))
        normal = self.after(x)
        return x + self.down(F.silu(self.gate(normal)) * self.up(normal)), cache


class VisionBlock(nn.Module):
    """Patches of an image, places, then a Transformer layer of torch, as in a ViT."""

    def __init__(
        self, size: int, heads: int, hidden: int, patch: int, patches: int
    ) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, size, patch, patch)
        self.start = nn.Parameter(torch.zeros(1, 1, size))
        self.places = nn.Parameter(torch.randn(1, patches + 1, size) * 0.02)
        self.layer = encoder_layer(
            size, heads, hidden, norm_first=True, activation="gelu"
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The features of an image's class token."""
        tokens = self.patches(x).flatten(2).transpose(1, 2)
        start = self.start.expand(x.shape[0], -1, -1)
        return self.layer(torch.cat([start, tokens], 1) + self.places)[:, 0]


class CausalBlock(nn.Module):
    """A block as in GPT-2."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(size), nn.LayerNorm(size)
        self.all, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """A tensor of the input's shape."""
        batch, length, size = x.shape
        three = self.all(self.before(x)).view(batch, length, 3, self.heads, -1)
        query, key, value = three.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, size))
        return x + self.down(F.gelu(self.up(self.after(x)), approximate="tanh"))


class SmallGPT(nn.Module):
    """Gives the loss of predicting the next token."""

    def __init__(
        self, tokens: int, size: int, heads: int, layers: int, length: int
    ) -> None:
        super().__init__()
        self.tokens = nn.Embedding(tokens, size)
        self.places = nn.Embedding(length, size)
        self.blocks = nn.ModuleList(CausalBlock(size, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.head = nn.Linear(size, tokens, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """The mean loss of (batch, length + 1) tokens."""
        places = torch.arange(tokens.shape[1] - 1, device=tokens.device)
        x = self.tokens(tokens[:, :-1]) + self.places(places)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())
