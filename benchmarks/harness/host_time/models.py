"""The models that `host_time.py` takes, by name.

A name is one of `torch_models`, or `torchvision:NAME`, `timm:NAME`, `zoo:NAME`. Without
a prefix, torchvision is asked first and the zoo last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from torch_models.table import MODELS, placed
from zoo.entry import as_type
from zoo.packages import MissingLibraryError, library
from zoo.table import zoo

DEFAULT = ("resnet18", "googlenet", "densenet121", "efficientnet_b0", "ResNet")
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}


class UnknownModelError(Exception):
    """No library has a model of this name."""


@dataclass(frozen=True)
class Size:
    """How large a model's call is."""

    device: str
    dtype: torch.dtype
    batch: int
    pixels: int
    is_small: bool


@dataclass(frozen=True)
class Made:
    """A model with the arguments of a call."""

    module: nn.Module
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def call(self, run: Callable[..., Any]) -> Callable[[], Any]:
        """A call of `run` on these arguments."""
        args, kwargs = self.args, self.kwargs
        return lambda: run(*args, **kwargs)


def made(name: str, size: Size) -> Made:
    """A model of this name with random weights, in inference."""
    prefix, _, own = name.rpartition(":")
    if prefix in ("", "torch_models") and own in MODELS:
        sized = MODELS[own].small if size.is_small else MODELS[own].usual
        module, args = placed(sized, size.device, size.dtype)
        return Made(module.eval(), args, {})
    for source in [prefix] if prefix else ["torchvision", "timm", "zoo"]:
        found = _from(source, own, size)
        if found is not None:
            return found
    raise UnknownModelError(
        f"no model '{name}': write torchvision:NAME, timm:NAME, zoo:NAME, or one of "
        f"{', '.join(MODELS)}"
    )


def _from(source: str, name: str, size: Size) -> Made | None:
    """The model of a library; None if it has no such model, or does not import."""
    if source == "zoo":
        entry = zoo().get(name)
        if entry is None:
            return None
        whole = entry.placed(
            "small" if size.is_small else "real", size.device, size.dtype
        )
        return Made(whole.module, (), whole.inputs)
    try:
        package = library(source)
    except MissingLibraryError as error:
        print(f"{name}: {error}")
        return None
    torch.manual_seed(0)
    with torch.device(size.device):
        module = _module(package, source, name)
        if module is None:
            return None
        images = torch.randn(size.batch, 3, size.pixels, size.pixels)
    return Made(module.to(size.dtype).eval(), (as_type(images, size.dtype),), {})


def _module(package: Any, source: str, name: str) -> nn.Module | None:
    if source == "timm":
        is_known = package.is_model(name)
        return package.create_model(name, pretrained=False) if is_known else None
    if not callable(getattr(package.models, name, None)):
        return None
    options: dict[str, Any] = {"weights": None}
    if name in ("googlenet", "inception_v3"):
        options |= {"init_weights": False, "aux_logits": False}
    return getattr(package.models, name)(**options)
