"""Every model, in a small size for tests and in a usual one for a GPU.

    model = MODELS["decoder block"].usual
    module, inputs = model.module(), model.inputs()

Both are made in f32 on torch's default device; `placed` makes them elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from torch_models.images import ResidualBlock, ResNet, UNetBlock
from torch_models.perceptrons import (
    GatedPerceptron,
    Perceptron,
    Recommender,
    UnrolledLSTM,
)
from torch_models.transformers import (
    DecoderBlock,
    SmallGPT,
    VisionBlock,
    encoder_layer,
)

Inputs = tuple[Any, ...]


@dataclass(frozen=True)
class Sized:
    """A model in one size: how to make it, and example inputs of it."""

    module: Callable[[], nn.Module]
    inputs: Callable[[], Inputs]


@dataclass(frozen=True)
class Model:
    """A model in its sizes."""

    small: Sized
    usual: Sized
    trains: bool = True
    """Whether its gradients are of interest; those of decoding are not."""


def placed(
    sized: Sized, device: str, dtype: torch.dtype, seed: int = 0
) -> tuple[nn.Module, Inputs]:
    """The model and its inputs on a device, their floats in an element type."""
    torch.manual_seed(seed)
    with torch.device(device):
        module, inputs = sized.module(), sized.inputs()
    return module.to(dtype), tuple(
        one.to(dtype) if one.is_floating_point() else one for one in inputs
    )


def _random(*shape: int) -> Callable[[], Inputs]:
    return lambda: (torch.randn(*shape),)


def _encoder(norm_first: bool) -> Model:
    return Model(
        Sized(
            lambda: encoder_layer(16, 2, 32, norm_first=norm_first), _random(2, 6, 16)
        ),
        Sized(
            lambda: encoder_layer(1024, 16, 4096, norm_first=norm_first),
            _random(8, 512, 1024),
        ),
    )


def _clicks(batch: int, features: int, rows: int, bag: int, tables: int) -> Inputs:
    return (
        torch.randn(batch, features),
        torch.randint(0, rows, (batch, bag)),
        torch.randint(0, rows, (batch, tables)),
    )


def _small_decoder() -> nn.Module:
    return DecoderBlock(size=32, heads=4, groups=2, hidden=96)


def _usual_decoder() -> nn.Module:
    return DecoderBlock(size=4096, heads=32, groups=8, hidden=14336)


MODELS: dict[str, Model] = {
    "perceptron": Model(
        Sized(lambda: Perceptron(16, 32), _random(2, 5, 16)),
        Sized(lambda: Perceptron(1024, 4096), _random(4096, 1024)),
    ),
    "gated perceptron": Model(
        Sized(lambda: GatedPerceptron(16, 40), _random(5, 16)),
        Sized(lambda: GatedPerceptron(4096, 11008), _random(2048, 4096)),
    ),
    "encoder layer": _encoder(norm_first=False),
    "encoder layer norm first": _encoder(norm_first=True),
    "decoder prefill": Model(
        Sized(_small_decoder, _random(2, 5, 32)),
        Sized(_usual_decoder, _random(1, 2048, 4096)),
    ),
    "decoder block": Model(
        Sized(
            _small_decoder, lambda: (torch.randn(2, 3, 32), torch.randn(2, 2, 2, 4, 8))
        ),
        Sized(
            _usual_decoder,
            lambda: (torch.randn(1, 512, 4096), torch.randn(2, 1, 8, 1536, 128)),
        ),
    ),
    "decoder one token": Model(
        Sized(
            _small_decoder, lambda: (torch.randn(2, 1, 32), torch.randn(2, 2, 2, 4, 8))
        ),
        Sized(
            _usual_decoder,
            lambda: (torch.randn(8, 1, 4096), torch.randn(2, 8, 8, 2047, 128)),
        ),
        trains=False,
    ),
    "ViT block": Model(
        Sized(lambda: VisionBlock(16, 2, 32, 4, 4), _random(2, 3, 8, 8)),
        Sized(lambda: VisionBlock(768, 12, 3072, 16, 196), _random(32, 3, 224, 224)),
    ),
    "residual block": Model(
        Sized(lambda: ResidualBlock(4, 8, 2), _random(2, 4, 8, 8)),
        Sized(lambda: ResidualBlock(64, 64), _random(32, 64, 56, 56)),
    ),
    "ResNet": Model(
        Sized(lambda: ResNet((8, 16), 1, 10), _random(2, 3, 32, 32)),
        Sized(ResNet, _random(32, 3, 224, 224)),
    ),
    "U-Net block": Model(
        Sized(lambda: UNetBlock(4, 8), _random(1, 4, 8, 8)),
        Sized(lambda: UNetBlock(64, 128), _random(8, 64, 128, 128)),
    ),
    "recommender": Model(
        Sized(
            lambda: Recommender(2, 11, 8, (5,), (4,)), lambda: _clicks(3, 5, 11, 4, 2)
        ),
        Sized(
            lambda: Recommender(25, 20_000, 64, (13, 512, 256), (512, 256)),
            lambda: _clicks(2048, 13, 20_000, 20, 25),
        ),
    ),
    "unrolled LSTM": Model(
        Sized(lambda: UnrolledLSTM(6, 10), _random(2, 3, 6)),
        Sized(lambda: UnrolledLSTM(256, 512), _random(64, 16, 256)),
    ),
    "small GPT": Model(
        Sized(
            lambda: SmallGPT(tokens=23, size=16, heads=2, layers=2, length=8),
            lambda: (torch.randint(0, 23, (3, 9)),),
        ),
        Sized(
            lambda: SmallGPT(tokens=16384, size=768, heads=12, layers=4, length=512),
            lambda: (torch.randint(0, 16384, (8, 513)),),
        ),
    ),
}
"""Models by name."""
