"""What the zoo knows of an architecture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import nn

Size = Literal["small", "real"]
"""`small` is for a CPU and for tests. `real` has the widths that people run, and few
layers."""


@dataclass(frozen=True)
class Made:
    """A model with the keyword arguments of a call."""

    module: nn.Module
    inputs: dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """An architecture in both sizes, in f32 on torch's default device."""

    name: str
    family: str
    library: str
    make: Callable[[Size], Made]
    trains: bool = True
    decodes: bool = False
    """Whether it takes one token after another, with a cache."""

    def placed(self, size: Size, device: str, dtype: torch.dtype) -> Made:
        """The model and its inputs on a device, their floats in an element type."""
        torch.manual_seed(0)
        with torch.device(device):
            made = self.make(size)
        _fill_zeros(made.module)
        return Made(
            made.module.to(dtype).eval(),
            {name: as_type(value, dtype) for name, value in made.inputs.items()},
        )


def _fill_zeros(module: nn.Module) -> None:
    """Give small numbers to weights that begin with zeros.

    Libraries do that to layers before a residual, or to the last one: what the layers
    compute would not show in the results.
    """
    with torch.no_grad():
        for weight in module.parameters():
            if weight.is_floating_point() and not weight.any():
                weight.normal_(std=0.02)


def as_type(value: Any, dtype: torch.dtype) -> Any:
    """An argument with its floats in another element type."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(dtype)
    if isinstance(value, dict):
        return {name: as_type(one, dtype) for name, one in value.items()}
    return value
