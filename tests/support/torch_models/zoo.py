"""Every small model, with a function that makes its example inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from support.torch_models.language import (
    DecoderBlock,
    GatedPerceptron,
    Perceptron,
    SmallGPT,
    UnrolledLSTM,
)
from support.torch_models.vision import (
    PatchBlock,
    Recommender,
    ResidualBlock,
    SmallResNet,
    UNetBlock,
)


def encoder_layer() -> nn.Module:
    return nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)


ZOO: dict[str, tuple[Callable[[], nn.Module], Callable[[], tuple[Any, ...]]]] = {
    "perceptron": (Perceptron, lambda: (torch.randn(2, 5, 16),)),
    "gated perceptron": (GatedPerceptron, lambda: (torch.randn(5, 16),)),
    "encoder layer": (encoder_layer, lambda: (torch.randn(2, 6, 16),)),
    "decoder block": (
        DecoderBlock,
        lambda: (torch.randn(2, 3, 32), torch.randn(2, 2, 2, 4, 8)),
    ),
    "small GPT": (SmallGPT, lambda: (torch.randint(0, 23, (3, 9)),)),
    "unrolled LSTM": (UnrolledLSTM, lambda: (torch.randn(2, 3, 6),)),
    "residual block": (
        lambda: ResidualBlock(4, 8, 2),
        lambda: (torch.randn(2, 4, 8, 8),),
    ),
    "small ResNet": (SmallResNet, lambda: (torch.randn(2, 3, 32, 32),)),
    "U-Net block": (UNetBlock, lambda: (torch.randn(1, 4, 8, 8),)),
    "patch block": (PatchBlock, lambda: (torch.randn(2, 3, 8, 8),)),
    "recommender": (
        Recommender,
        lambda: (
            torch.randn(3, 5),
            torch.randint(0, 11, (3, 4)),
            torch.randint(0, 7, (3,)),
        ),
    ),
}
"""Models by name."""
