"""The works of `models.py`: a model in an element type, in inference or in training."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

from torch_models.table import MODELS, Inputs, placed

DTYPES = {"bf16": torch.bfloat16, "f32": torch.float32}
TOLERANCE = {"bf16": 2e-2, "f32": 1e-4}
"""The relative error that any contender may have."""
TF32 = 1e-3
"""The same for convolutions of f32: cuDNN takes TF32 where torch allows it, as it does
by default, and which engine it takes depends on the layout."""
OF_EAGER = 3.0
"""A contender may also be this many times as wrong as eager torch."""


@dataclass(frozen=True)
class Work:
    """What is timed: a model's results, or the gradients of its weights."""

    model: str
    dtype: str
    training: bool = False

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"{self.model} {self.dtype}" + " training" * self.training

    def made(self, device: str, small: bool) -> Made:
        """The model and its inputs on a device."""
        sizes = MODELS[self.model]
        sized = sizes.small if small else sizes.usual
        module, inputs = placed(sized, device, DTYPES[self.dtype])
        return Made(module.train(self.training), inputs, self.training)


def works(dtypes: list[str], *, training: bool) -> dict[str, Work]:
    """Every model in the given types; of those that train, also the gradients."""
    found = [Work(name, dtype) for dtype in dtypes for name in MODELS]
    if training:
        found += [
            Work(name, dtype, True)
            for dtype in dtypes
            for name, model in MODELS.items()
            if model.trains
        ]
    return {work.name: work for work in found}


class Made:
    """A model with its inputs, and what a contender has to compute."""

    def __init__(self, module: nn.Module, inputs: Inputs, training: bool) -> None:
        """Take the model and its inputs."""
        self.module = module
        self.inputs = inputs
        self.training = training
        self._seeds: list[torch.Tensor] = []

    def function(self) -> types.FunctionType:
        """A function of the model's inputs, for torch.compile."""
        module = self.module

        def model(*given: Any) -> Any:
            return module(*given)

        assert isinstance(model, types.FunctionType)
        return model

    def call(self, run: Callable[..., Any]) -> Callable[[], tuple[torch.Tensor, ...]]:
        """The results of `run` on the inputs, or the gradients of the weights."""
        inputs = self.inputs
        if not self.training:
            return lambda: tuple(pytree.tree_leaves(run(*inputs)))
        weights = list(self.module.parameters())

        def gradients() -> tuple[torch.Tensor, ...]:
            with torch.enable_grad():
                leaves = [x for x in pytree.tree_leaves(run(*inputs)) if x.grad_fn]
                found = torch.autograd.grad(
                    leaves, weights, self._seeds_of(leaves), allow_unused=True
                )
            return tuple(one for one in found if one is not None)

        return gradients

    def _seeds_of(self, leaves: list[torch.Tensor]) -> list[torch.Tensor]:
        """The gradients of the results, made once."""
        if not self._seeds:
            torch.manual_seed(1)
            self._seeds = [torch.randn_like(leaf) for leaf in leaves]
        return self._seeds

    def exact(self) -> tuple[torch.Tensor, ...]:
        """What should come out: the same weights and inputs in float64, by torch."""
        wide = tuple(x.double() if x.is_floating_point() else x for x in self.inputs)
        module = copy.deepcopy(self.module).double()
        other = Made(module, wide, self.training)
        other._seeds = [seed.double() for seed in self._seeds]
        return tuple(x.detach() for x in other.call(module)())

    def tolerance(self, dtype: str, eager_error: float) -> float:
        """The relative error that a contender may have."""
        least = TOLERANCE[dtype]
        if torch.backends.cudnn.allow_tf32 and any(
            isinstance(module, torch.nn.modules.conv._ConvNd)
            for module in self.module.modules()
        ):
            least = max(least, TF32)
        return max(least, OF_EAGER * eager_error)
