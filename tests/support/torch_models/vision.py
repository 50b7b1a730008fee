"""Models of images, and a recommender: residual blocks, a U-Net block, a DLRM."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class ResidualBlock(nn.Module):
    def __init__(self, before: int, after: int, stride: int = 1) -> None:
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(after) for _ in range(3)])
        self.short = nn.Conv2d(before, after, 1, stride, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(self.norms[1](self.second(y)) + self.norms[2](self.short(x)))


class SmallResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.pool = nn.MaxPool2d(3, 2, 1)
        self.blocks = nn.Sequential(ResidualBlock(8, 8), ResidualBlock(8, 16, 2))
        self.head = nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(F.relu(self.norm(self.stem(x))))
        x = F.adaptive_avg_pool2d(self.blocks(x), 1)
        return self.head(torch.flatten(x, 1))


class UNetBlock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(4, 8, 3, padding=1)
        self.inner = nn.Conv2d(8, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.out = nn.Conv2d(8, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.silu(self.norm(self.inner(F.avg_pool2d(F.relu(self.down(x)), 2))))
        grown = self.up(y) + F.interpolate(y, scale_factor=2.0)[:, :4]
        return self.out(torch.cat([x, grown], 1))


class PatchBlock(nn.Module):
    """Patches of an image, then a Transformer layer of torch, as in a ViT."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, 4)
        self.start = nn.Parameter(torch.zeros(1, 1, 16))
        self.layer = nn.TransformerEncoderLayer(
            16, 2, 32, 0.0, "gelu", batch_first=True, norm_first=True
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = self.patches(x).flatten(2).transpose(1, 2)
        start = self.start.expand(x.shape[0], -1, -1)
        return self.layer(torch.cat([start, tokens], 1))[:, 0]


class Recommender(nn.Module):
    """Embeddings of categories and products of all pairs, as in DLRM."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(
            [nn.EmbeddingBag(11, 8, mode="sum"), nn.Embedding(7, 8)]
        )
        self.dense = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(8 + 3, 4), nn.ReLU(), nn.Linear(4, 1))

    def forward(
        self, dense: torch.Tensor, bags: torch.Tensor, names: torch.Tensor
    ) -> torch.Tensor:
        parts = [self.dense(dense), self.tables[0](bags), self.tables[1](names)]
        x = torch.stack(parts, 1)
        pairs = torch.bmm(x, x.transpose(1, 2))
        rows, columns = torch.tril_indices(3, 3, -1)
        flat = torch.cat([parts[0], pairs[:, rows, columns]], 1)
        return torch.sigmoid(self.top(flat))
