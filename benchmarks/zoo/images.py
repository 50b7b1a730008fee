"""Models that read images: of `timm`, of `torchvision` and of `transformers`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from zoo.configurations import configuration
from zoo.entry import Entry, Made, Size
from zoo.packages import library

BATCH = {"small": 2, "real": 16}


def _images(size: Size, pixels: int, channels: int = 3) -> torch.Tensor:
    return torch.randn(BATCH[size], channels, pixels, pixels)


@dataclass(frozen=True)
class Timm:
    """A model of `timm`: a small one of its family, with few layers where it can."""

    kind: str
    pixels: int = 64
    small: dict[str, Any] = field(default_factory=dict)
    real_pixels: int = 224

    def make(self, size: Size) -> Made:
        """The model with random weights, and random images."""
        timm = library("timm")
        pixels = self.pixels if size == "small" else self.real_pixels
        changes = self.small if size == "small" else {}
        module = timm.create_model(self.kind, pretrained=False, **changes)
        return Made(module, {"x": _images(size, pixels)})


TINY = {"img_size": 32, "patch_size": 8, "embed_dim": 48, "depth": 2, "num_heads": 3}
TIMM = (
    *(Timm(kind) for kind in ("resnet18", "resnet50", "resnext50_32x4d", "seresnet18")),
    *(Timm(kind) for kind in ("convnext_atto", "convnextv2_atto", "efficientnet_b0")),
    *(Timm(kind) for kind in ("mobilenetv2_050", "mobilenetv3_small_050")),
    *(Timm(kind) for kind in ("mobilenetv4_conv_small_050", "regnetx_002")),
    *(
        Timm(kind)
        for kind in ("regnety_002", "densenet121", "vgg11_bn", "ghostnet_050")
    ),
    *(Timm(kind) for kind in ("hrnet_w18_small", "res2net50_14w_8s", "resnest14d")),
    *(Timm(kind) for kind in ("skresnet18", "dpn48b", "xception41", "nfnet_f0")),
    *(Timm(kind) for kind in ("edgenext_xx_small", "mobileone_s0", "repvgg_a0")),
    *(Timm(kind) for kind in ("fastvit_t8", "poolformer_s12", "ese_vovnet19b_dw")),
    *(Timm(kind) for kind in ("cspresnet50", "darknet53", "lcnet_050", "tinynet_e")),
    *(Timm(kind) for kind in ("mnasnet_small", "selecsls42", "hardcorenas_a")),
    *(Timm(kind) for kind in ("mobilevit_xxs", "mobilevitv2_050", "mambaout_femto")),
    *(Timm(kind) for kind in ("repghostnet_050", "starnet_s1", "rexnet_100")),
    *(Timm(kind) for kind in ("efficientvit_b0", "inception_next_atto", "repvit_m0_9")),
    *(Timm(kind) for kind in ("hgnetv2_b0", "fasternet_t0", "caformer_s18")),
    *(Timm(kind) for kind in ("convmixer_768_32", "lambda_resnet26t")),
    Timm("vit_tiny_patch16_224", 32, TINY),
    Timm("deit3_small_patch16_224", 32, TINY),
    Timm("vit_small_patch14_reg4_dinov2", 32, TINY, 518),
    Timm("beit_base_patch16_224", 32, TINY),
    Timm("eva02_tiny_patch14_224", 32, TINY),
    Timm("cait_xxs24_224", 32, {**TINY, "depth_token_only": 1}),
    Timm(
        "convit_tiny",
        32,
        {"img_size": 32, "patch_size": 8, "depth": 3, "local_up_to_layer": 2},
    ),
    Timm("xcit_nano_12_p16_224", 32, {**TINY, "cls_attn_layers": 1}),
    Timm("mixer_s16_224", 32, {"img_size": 32}),
    Timm("gmlp_s16_224", 32, {"img_size": 32}),
    Timm("resmlp_12_224", 32, {"img_size": 32}),
    Timm("swin_tiny_patch4_window7_224", 64, {"img_size": 64, "window_size": 4}),
    Timm("swinv2_tiny_window8_256", 64, {"img_size": 64, "window_size": 4}, 256),
    Timm("twins_svt_small", 64, {"img_size": 64}),
    Timm("pit_ti_224", 64, {"img_size": 64}),
    Timm("visformer_tiny", 64, {"img_size": 64}),
    Timm("levit_128s", 64, {"img_size": 64}),
    Timm("coatnet_pico_rw_224", 64, {"img_size": 64}),
    Timm("maxvit_pico_rw_256", 64, {"img_size": 64}, 256),
    Timm("davit_tiny", 64),
    Timm("focalnet_tiny_srf", 64),
    Timm("pvt_v2_b0", 64),
    Timm("crossvit_tiny_240", 240, real_pixels=240),
    Timm("hiera_tiny_224", 224),
    Timm("sequencer2d_s", 64, {"img_size": 64}),
    Timm("volo_d1_224", 64, {"img_size": 64}),
)
VISION = (
    *("alexnet", "squeezenet1_1", "googlenet", "shufflenet_v2_x0_5", "mnasnet0_5"),
    *(
        "vit_b_32",
        "swin_v2_t",
        "segmentation.fcn_resnet50",
        "segmentation.lraspp_mobilenet_v3_large",
    ),
    *("segmentation.deeplabv3_mobilenet_v3_large", "inception_v3", "wide_resnet50_2"),
    *("video.r3d_18", "video.mc3_18"),
)


def _torchvision(kind: str, size: Size) -> Made:
    """A model of `torchvision`; it has no smaller widths, so images are small."""
    models = library("torchvision").models
    for part in kind.split(".")[:-1]:
        models = getattr(models, part)
    name = kind.rpartition(".")[2]
    least = {"inception_v3": 96, "vit_b_32": 64, "alexnet": 96}
    pixels = least.get(name, 64) if size == "small" else 224
    options: dict[str, Any] = {"weights": None}
    if name == "vit_b_32":
        options["image_size"] = pixels
    if kind.startswith("segmentation."):
        options["weights_backbone"] = None
    if name in ("googlenet", "inception_v3"):
        options |= {"init_weights": False, "aux_logits": False}
    module = getattr(models, name)(**options)
    images = _images(size, pixels)
    if kind.startswith("video."):
        images = torch.randn(
            1, 3, 4 if size == "small" else 16, pixels // 2, pixels // 2
        )
        return Made(module, {"x": images})
    return Made(module, {"input" if "lraspp" in kind else "x": images})


@dataclass(frozen=True)
class Vision:
    """A model of `transformers` that reads images."""

    kind: str
    small: dict[str, Any] = field(default_factory=dict)
    real: dict[str, Any] = field(default_factory=dict)
    pixels: int = 32

    def make(self, size: Size) -> Made:
        """The model with random weights, and random images."""
        changes = (
            {"image_size": self.pixels, "patch_size": 8} if size == "small" else {}
        )
        config = configuration(self.kind, size, changes | getattr(self, size))
        module = library("transformers").AutoModel.from_config(config)
        given = getattr(config, "image_size", None) or (64 if size == "small" else 224)
        pixels = given if isinstance(given, int) else given[0]
        return Made(module, {"pixel_values": _images(size, pixels)})


STAGES = {
    "image_size": 64,
    "embed_dim": 24,
    "depths": [1, 1],
    "num_heads": [2, 4],
    "window_size": 4,
    "patch_size": 4,
}
TRANSFORMERS = (
    *(Vision(kind) for kind in ("vit", "deit", "beit", "dinov2", "vit_msn", "ijepa")),
    *(
        Vision(kind)
        for kind in ("dinov2_with_registers", "data2vec-vision", "siglip_vision_model")
    ),
    *(
        Vision(kind)
        for kind in ("clip_vision_model", "dinov3_vit", "aimv2_vision_model")
    ),
    Vision("swin", STAGES),
    Vision("swinv2", STAGES),
    Vision("segformer", {"image_size": 64}),
    Vision("mobilevit", {"image_size": 64, "patch_size": 2}),
    Vision("mobilenet_v1", {"image_size": 64}),
    Vision("mobilenet_v2", {"image_size": 64}),
    Vision(
        "resnet",
        {
            "embedding_size": 16,
            "hidden_sizes": [16, 24, 32, 48],
            "depths": [1, 1, 1, 1],
        },
    ),
    Vision(
        "regnet",
        {
            "embedding_size": 16,
            "hidden_sizes": [16, 24, 32, 48],
            "depths": [1, 1, 1, 1],
            "groups_width": 8,
        },
    ),
    Vision(
        "poolformer",
        {
            "hidden_sizes": [8, 16, 24, 32],
            "depths": [1, 1, 1, 1],
            "patch_size": 7,
            "image_size": 64,
        },
    ),
    Vision("pvt", {"image_size": 64, "patch_size": 4}),
    Vision("levit", {"image_size": 64, "patch_size": 16}),
    Vision("efficientnet", {"image_size": 64}),
    Vision(
        "focalnet",
        {"image_size": 64, "patch_size": 4, "embed_dim": 16, "depths": [1, 1, 1, 1]},
    ),
    Vision("bit", {"embedding_size": 64, "depths": [1, 1, 1, 1]}),
    Vision("swiftformer", {"image_size": 64}),
)


def entries() -> Iterator[Entry]:
    """Every model of this file."""
    for one in TIMM:
        yield Entry(one.kind, "vision", "timm", one.make)
    for kind in VISION:
        yield Entry(
            kind,
            "vision",
            "torchvision",
            lambda size, kind=kind: _torchvision(kind, size),
        )
    for other in TRANSFORMERS:
        yield Entry(other.kind, "vision", "transformers", other.make)
