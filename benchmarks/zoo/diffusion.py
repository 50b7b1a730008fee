"""Models of `diffusers`: U-Nets, transformers that denoise, autoencoders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from zoo.entry import Entry, Made, Size
from zoo.packages import library

Inputs = Callable[[Size], dict[str, Any]]


@dataclass(frozen=True)
class Denoiser:
    """A model, its configuration in both sizes, and the arguments of a call."""

    cls: str
    small: dict[str, Any]
    real: dict[str, Any]
    inputs: Inputs

    def make(self, size: Size) -> Made:
        """The model with random weights, and random inputs."""
        config = self.small if size == "small" else self.real
        module = getattr(library("diffusers"), self.cls)(**config)
        return Made(module, self.inputs(size))


def _pick(size: Size, small: int, real: int) -> int:
    return small if size == "small" else real


def _image(channels: int, small: int, real: int, name: str = "sample") -> Inputs:
    """A batch of images, and the step of each."""

    def inputs(size: Size) -> dict[str, Any]:
        pixels = _pick(size, small, real)
        batch = _pick(size, 1, 2)
        return {
            name: torch.randn(batch, channels, pixels, pixels),
            "timestep": torch.randint(0, 1000, (batch,)),
        }

    return inputs


def _with_text(channels: int, width: int, real_width: int, **more: Any) -> Inputs:
    """Images of latents, their step, and the text that they should show."""
    images = _image(channels, 16, 64, more.pop("name", "sample"))

    def inputs(size: Size) -> dict[str, Any]:
        found = images(size)
        batch = found["timestep"].shape[0]
        shape = (batch, _pick(size, 8, 77), _pick(size, width, real_width))
        return {**found, "encoder_hidden_states": torch.randn(shape)} | {
            name: make(size) if callable(make) else make for name, make in more.items()
        }

    return inputs


def _tokens(size: Size) -> dict[str, Any]:
    """What FLUX reads: latents and text in rows, with their positions."""
    places, words = _pick(size, 16, 1024), _pick(size, 8, 256)
    width, text, pooled = (
        _pick(size, *two) for two in ((4, 64), (32, 4096), (32, 768))
    )
    return {
        "hidden_states": torch.randn(1, places, width),
        "encoder_hidden_states": torch.randn(1, words, text),
        "pooled_projections": torch.randn(1, pooled),
        "timestep": torch.rand(1),
        "img_ids": torch.zeros(places, 3),
        "txt_ids": torch.zeros(words, 3),
    }


def _video(size: Size) -> dict[str, Any]:
    """Latents of a video, and text."""
    frames, pixels = _pick(size, 2, 5), _pick(size, 8, 32)
    return {
        "hidden_states": torch.randn(
            1, 4 if size == "small" else 16, frames, pixels, pixels
        ),
        "timestep": torch.randint(0, 1000, (1,)),
        "encoder_hidden_states": torch.randn(1, 8, 16 if size == "small" else 4096),
    }


def _picture(channels: int, small: int, real: int, name: str = "sample") -> Inputs:
    return lambda size: {
        name: torch.randn(1, channels, *2 * (_pick(size, small, real),))
    }


SMALL_BLOCKS = {
    "block_out_channels": (16, 32),
    "layers_per_block": 1,
    "norm_num_groups": 8,
}
UNET = {
    **SMALL_BLOCKS,
    "sample_size": 16,
    "down_block_types": ("DownBlock2D", "AttnDownBlock2D"),
    "up_block_types": ("AttnUpBlock2D", "UpBlock2D"),
    "attention_head_dim": 8,
}
CONDITIONED = {
    **SMALL_BLOCKS,
    "sample_size": 16,
    "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"),
    "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D"),
    "cross_attention_dim": 24,
    "attention_head_dim": 4,
}
KL = {
    **SMALL_BLOCKS,
    "down_block_types": ("DownEncoderBlock2D", "DownEncoderBlock2D"),
    "up_block_types": ("UpDecoderBlock2D", "UpDecoderBlock2D"),
}
REAL_KL = {
    "block_out_channels": (128, 256),
    "down_block_types": ("DownEncoderBlock2D", "DownEncoderBlock2D"),
    "up_block_types": ("UpDecoderBlock2D", "UpDecoderBlock2D"),
}
LABELLED = {
    "num_attention_heads": 2,
    "attention_head_dim": 16,
    "num_layers": 2,
    "sample_size": 16,
    "in_channels": 4,
}


def _labels(size: Size) -> torch.Tensor:
    return torch.zeros(_pick(size, 1, 2), dtype=torch.int64)


DENOISERS = (
    Denoiser("UNet2DModel", UNET, {"sample_size": 64}, _image(3, 16, 64)),
    Denoiser(
        "UNet2DConditionModel",
        CONDITIONED,
        {"cross_attention_dim": 768},
        _with_text(4, 24, 768),
    ),
    Denoiser("AutoencoderKL", KL, REAL_KL, _picture(3, 32, 256)),
    Denoiser(
        "AutoencoderTiny",
        {
            "encoder_block_out_channels": (16, 16),
            "decoder_block_out_channels": (16, 16),
            "num_encoder_blocks": (1, 1),
            "num_decoder_blocks": (1, 1),
        },
        {},
        _picture(3, 32, 256),
    ),
    Denoiser("VQModel", {**KL, "num_vq_embeddings": 32}, REAL_KL, _picture(3, 32, 256)),
    Denoiser(
        "DiTTransformer2DModel",
        {**LABELLED, "patch_size": 2, "norm_num_groups": 4},
        {"num_layers": 2, "sample_size": 32},
        lambda size: {
            **_image(4, 16, 32, "hidden_states")(size),
            "class_labels": _labels(size),
        },
    ),
    Denoiser(
        "PixArtTransformer2DModel",
        {
            **LABELLED,
            "cross_attention_dim": 32,
            "caption_channels": 24,
            "norm_num_groups": 4,
            "use_additional_conditions": False,
        },
        {"num_layers": 2, "sample_size": 64, "use_additional_conditions": False},
        _with_text(
            4,
            24,
            4096,
            name="hidden_states",
            added_cond_kwargs={"resolution": None, "aspect_ratio": None},
        ),
    ),
    Denoiser(
        "SD3Transformer2DModel",
        {
            "sample_size": 16,
            "in_channels": 4,
            "num_layers": 2,
            "attention_head_dim": 16,
            "num_attention_heads": 2,
            "joint_attention_dim": 24,
            "caption_projection_dim": 32,
            "pooled_projection_dim": 24,
            "out_channels": 4,
        },
        {"num_layers": 2, "sample_size": 64},
        lambda size: (
            _with_text(_pick(size, 4, 16), 24, 4096, name="hidden_states")(size)
            | {
                "pooled_projections": torch.randn(
                    _pick(size, 1, 2), _pick(size, 24, 2048)
                )
            }
        ),
    ),
    Denoiser(
        "FluxTransformer2DModel",
        {
            "in_channels": 4,
            "num_layers": 1,
            "num_single_layers": 1,
            "attention_head_dim": 16,
            "num_attention_heads": 2,
            "joint_attention_dim": 32,
            "pooled_projection_dim": 32,
            "axes_dims_rope": (4, 4, 8),
        },
        {"num_layers": 1, "num_single_layers": 1},
        _tokens,
    ),
    Denoiser(
        "AuraFlowTransformer2DModel",
        {
            "sample_size": 16,
            "num_mmdit_layers": 1,
            "num_single_dit_layers": 1,
            "attention_head_dim": 16,
            "num_attention_heads": 2,
            "caption_projection_dim": 32,
            "joint_attention_dim": 24,
            "pos_embed_max_size": 64,
        },
        {"num_mmdit_layers": 1, "num_single_dit_layers": 1, "pos_embed_max_size": 1024},
        # Its steps are fractions: sines of a million would compare rounding.
        _with_text(
            4,
            24,
            2048,
            name="hidden_states",
            timestep=lambda size: torch.rand(_pick(size, 1, 2)),
        ),
    ),
    Denoiser(
        "SanaTransformer2DModel",
        {
            "sample_size": 16,
            "in_channels": 4,
            "out_channels": 4,
            "num_layers": 2,
            "attention_head_dim": 8,
            "num_attention_heads": 4,
            "cross_attention_head_dim": 8,
            "num_cross_attention_heads": 4,
            "cross_attention_dim": 32,
            "caption_channels": 24,
        },
        {"num_layers": 2, "in_channels": 4, "out_channels": 4},
        _with_text(4, 24, 2304, name="hidden_states"),
    ),
    Denoiser(
        "WanTransformer3DModel",
        {
            "num_layers": 1,
            "num_attention_heads": 2,
            "attention_head_dim": 12,
            "in_channels": 4,
            "out_channels": 4,
            "text_dim": 16,
            "freq_dim": 16,
            "ffn_dim": 32,
        },
        {"num_layers": 1, "num_attention_heads": 12, "ffn_dim": 8960},
        _video,
    ),
)


def entries() -> Iterator[Entry]:
    """Every model of this file."""
    for one in DENOISERS:
        yield Entry(one.cls, "diffusion", "diffusers", one.make)
