"""Models of images: residual blocks, a ResNet, a U-Net block."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional as F


class ResidualBlock(nn.Module):
    """The basic block of ResNet-18; a convolution of one place where sizes change."""

    def __init__(self, before: int, after: int, stride: int = 1) -> None:
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(after)
        self.second = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(after)
        self.short: nn.Module = nn.Identity()
        if stride != 1 or before != after:
            self.short = nn.Sequential(
                nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """An image of `after` channels."""
        y = F.relu(self.first_norm(self.first(x)))
        return F.relu(self.second_norm(self.second(y)) + self.short(x))


class ResNet(nn.Module):
    """A stem, stages of residual blocks, a linear layer; ResNet-18 by its defaults."""

    def __init__(
        self,
        channels: Sequence[int] = (64, 128, 256, 512),
        blocks: int = 2,
        classes: int = 1000,
    ) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, channels[0], 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(channels[0])
        self.pool = nn.MaxPool2d(3, 2, 1)
        stages: list[nn.Module] = []
        before = channels[0]
        for number, after in enumerate(channels):
            stages.append(ResidualBlock(before, after, 2 if number else 1))
            stages += [ResidualBlock(after, after) for _ in range(blocks - 1)]
            before = after
        self.blocks = nn.Sequential(*stages)
        self.head = nn.Linear(before, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The scores of an image's classes."""
        x = self.pool(F.relu(self.norm(self.stem(x))))
        x = F.adaptive_avg_pool2d(self.blocks(x), 1)
        return self.head(torch.flatten(x, 1))


class UNetBlock(nn.Module):
    """Down to half the size, up by a transposed convolution, beside what came in."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.channels = channels
        self.down = nn.Conv2d(channels, inner, 3, padding=1)
        self.inner = nn.Conv2d(inner, inner, 3, padding=1)
        self.norm = nn.GroupNorm(2, inner)
        self.up = nn.ConvTranspose2d(inner, channels, 2, 2)
        self.out = nn.Conv2d(2 * channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """An image of the input's size."""
        y = F.silu(self.norm(self.inner(F.avg_pool2d(F.relu(self.down(x)), 2))))
        grown = self.up(y) + F.interpolate(y, scale_factor=2.0)[:, : self.channels]
        return self.out(torch.cat([x, grown], 1))
