"""The model of the picture of a model's page."""

import torch
from torch import nn


class Block(nn.Module):
    """A residual block: norm, two linear layers and a gate."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.RMSNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add what the block computes."""
        hidden = nn.functional.silu(self.up(self.norm(x)))
        return x + self.down(hidden)


class TwoBlocks(nn.Module):
    """Two blocks and a softmax; one op is not compiled."""

    def __init__(self, width: int = 256):
        super().__init__()
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.head = nn.Linear(width, 128)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The probabilities of 128 classes."""
        scores = self.head(self.blocks(x)).float()
        return torch.softmax(torch.special.airy_ai(scores), -1)
