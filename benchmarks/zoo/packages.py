"""The libraries that the zoo takes its architectures from: the extra `zoo`."""

from __future__ import annotations

import importlib
import os
from functools import cache
from types import ModuleType

import torch

LIBRARIES = ("transformers", "timm", "torchvision", "diffusers")


class MissingLibraryError(Exception):
    """A library of the zoo is not installed."""


@cache
def library(name: str) -> ModuleType:
    """A library, imported; it never asks the network for anything."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    _declare_torchvision_ops()
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingLibraryError(
            f"the zoo needs {name}, which does not import ({error}); "
            "install it with: pip install 'tilewright[zoo]'"
        ) from error


@cache
def _declare_torchvision_ops() -> torch.library.Library | None:
    """Let a torchvision that was built for CUDA be imported beside a torch for CPUs.

    Its compiled ops do not load there, and its Python files describe them anyway. No
    model of the zoo calls them. The declarations last as long as what is returned.
    """
    if torch.version.cuda is not None:
        return None
    own = torch.library.Library("torchvision", "FRAGMENT")  # noqa: TOR901
    for name in ("nms", "qnms"):
        own.define(f"{name}(Tensor dets, Tensor scores, float threshold) -> Tensor")
    return own
