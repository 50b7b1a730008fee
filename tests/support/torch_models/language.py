"""Models of language: perceptrons, Transformer blocks, a small GPT, an LSTM cell."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Perceptron(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(16, 32)
        self.norm = nn.LayerNorm(32)
        self.down = nn.Linear(32, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.down(self.norm(F.gelu(self.up(x)))) + x, -1)


class GatedPerceptron(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(16, 40, bias=False)
        self.up = nn.Linear(16, 40, bias=False)
        self.down = nn.Linear(40, 16, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


def rotated(x: torch.Tensor, start: int) -> torch.Tensor:
    """Rotary embedding of (batch, heads, sequence, features)."""
    half = x.shape[-1] // 2
    places = torch.arange(start, start + x.shape[-2], device=x.device)
    rates = 10000.0 ** (-torch.arange(half, device=x.device) / half)
    angles = places[:, None] * rates[None, :]
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    one, two = x[..., :half], x[..., half:]
    return torch.cat([one * cosine - two * sine, two * cosine + one * sine], -1)


class RootMeanSquare(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)
        return (x.float() * scale).to(x.dtype) * self.weight


class DecoderBlock(nn.Module):
    """A block as in Llama: rotary embedding, grouped heads, a cache of keys."""

    def __init__(self, size: int = 32, heads: int = 4, groups: int = 2) -> None:
        super().__init__()
        self.heads, self.groups, self.features = heads, groups, size // heads
        self.before = RootMeanSquare(size)
        self.query = nn.Linear(size, size, bias=False)
        self.keys = nn.Linear(size, 2 * groups * self.features, bias=False)
        self.out = nn.Linear(size, size, bias=False)
        self.after = RootMeanSquare(size)
        self.gate = nn.Linear(size, 3 * size, bias=False)
        self.up = nn.Linear(size, 3 * size, bias=False)
        self.down = nn.Linear(3 * size, size, bias=False)

    def forward(
        self, x: torch.Tensor, past: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        batch, length, size = x.shape
        start = past.shape[-2]
        normal = self.before(x)
        query = self.query(normal).view(batch, length, self.heads, -1).transpose(1, 2)
        both = self.keys(normal).view(batch, length, 2, self.groups, -1)
        key, value = both.permute(2, 0, 3, 1, 4).unbind(0)
        query, key = rotated(query, start), rotated(key, start)
        cache = torch.cat([past, torch.stack([key, value])], dim=-2)
        every = cache.repeat_interleave(self.heads // self.groups, dim=2)
        seen = torch.ones(length, start + length, dtype=torch.bool).tril(start)
        mixed = F.scaled_dot_product_attention(query, every[0], every[1], seen)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, size))
        normal = self.after(x)
        return x + self.down(F.silu(self.gate(normal)) * self.up(normal)), cache


class CausalBlock(nn.Module):
    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(size), nn.LayerNorm(size)
        self.all, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, size = x.shape
        three = self.all(self.before(x)).view(batch, length, 3, self.heads, -1)
        query, key, value = three.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, size))
        return x + self.down(F.gelu(self.up(self.after(x)), approximate="tanh"))


class SmallGPT(nn.Module):
    """Gives the loss of predicting the next token."""

    def __init__(self, tokens: int = 23, size: int = 16, length: int = 8) -> None:
        super().__init__()
        self.tokens, self.places = (
            nn.Embedding(tokens, size),
            nn.Embedding(length, size),
        )
        self.blocks = nn.ModuleList([CausalBlock(size, 2) for _ in range(2)])
        self.norm = nn.LayerNorm(size)
        self.head = nn.Linear(size, tokens, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1] - 1, device=tokens.device)
        x = self.tokens(tokens[:, :-1]) + self.places(places)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


class UnrolledLSTM(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(6, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = x.new_zeros(x.shape[0], 10)
        state = hidden
        for step in range(x.shape[1]):
            hidden, state = self.cell(x[:, step], (hidden, state))
        return hidden
