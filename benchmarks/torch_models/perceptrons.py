"""Perceptrons, an LSTM cell unrolled over a sequence, and a recommender."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional as F


class Perceptron(nn.Module):
    """A linear layer, GELU, a layer norm, a linear layer, a residual, a softmax."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.up = nn.Linear(size, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.down = nn.Linear(hidden, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The probabilities of a vector's classes."""
        return torch.softmax(self.down(self.norm(F.gelu(self.up(x)))) + x, -1)


class GatedPerceptron(nn.Module):
    """Two linear layers, one of which gates the other, and a third (SwiGLU)."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(size, hidden, bias=False)
        self.up = nn.Linear(size, hidden, bias=False)
        self.down = nn.Linear(hidden, size, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """A vector of the input's size."""
        return self.down(F.silu(self.gate(x)) * self.up(x))


class UnrolledLSTM(nn.Module):
    """`nn.LSTMCell` over (batch, steps, features), step by step."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTMCell(features, hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The hidden state after the last step."""
        hidden = x.new_zeros(x.shape[0], self.hidden)
        state = hidden
        for step in range(x.shape[1]):
            hidden, state = self.cell(x[:, step], (hidden, state))
        return hidden


def dense_layers(sizes: Sequence[int]) -> nn.Sequential:
    """Linear layers, each followed by a ReLU."""
    layers: list[nn.Module] = []
    for before, after in zip(sizes, sizes[1:], strict=False):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers)


class Recommender(nn.Module):
    """Embeddings of categories and products of all pairs, as in DLRM.

    One table holds bags of several categories; `tables` others hold one each.
    """

    def __init__(
        self,
        tables: int,
        rows: int,
        size: int,
        dense: Sequence[int],
        top: Sequence[int],
    ) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(rows, size, mode="sum")
        self.tables = nn.ModuleList(nn.Embedding(rows, size) for _ in range(tables))
        self.dense = dense_layers((*dense, size))
        vectors = tables + 2
        pairs = vectors * (vectors - 1) // 2
        self.top = dense_layers((size + pairs, *top))
        self.last = nn.Linear(top[-1], 1)

    def forward(
        self, dense: torch.Tensor, bags: torch.Tensor, names: torch.Tensor
    ) -> torch.Tensor:
        """The probability of a click; `names` is (batch, tables)."""
        found = [table(names[:, i]) for i, table in enumerate(self.tables)]
        parts = [self.dense(dense), self.bag(bags), *found]
        x = torch.stack(parts, 1)
        pairs = torch.bmm(x, x.transpose(1, 2))
        count = len(parts)
        rows, columns = torch.tril_indices(count, count, -1, device=x.device)
        flat = torch.cat([parts[0], pairs[:, rows, columns]], 1)
        return torch.sigmoid(self.last(self.top(flat)))
