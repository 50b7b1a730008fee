"""Hand-written contenders: launches that are bound to their tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from triton.tools.tensor_descriptor import TensorDescriptor


@dataclass(frozen=True)
class Launch:
    """One kernel with everything its launch needs, made once."""

    kernel: Any
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    options: dict[str, Any]

    def __call__(self) -> None:
        """Launch it."""
        self.kernel[self.grid](*self.arguments, **self.options)

    def compile(self) -> Any:
        """Compile it without launching; safe to call from many threads."""
        return self.kernel.warmup(*self.arguments, grid=self.grid, **self.options)

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for launches that Triton compiles to the same binary."""
        return (
            self.kernel.__name__,
            tuple(_kind(argument) for argument in self.arguments),
            tuple(sorted(self.options.items())),
        )


def _kind(argument: Any) -> Any:
    if isinstance(argument, torch.Tensor):
        return argument.dtype
    if isinstance(argument, TensorDescriptor):
        return argument.base.dtype, tuple(argument.block_shape)
    if isinstance(argument, int):  # what Triton specializes integers on
        return "one" if argument == 1 else argument % 16 == 0
    return argument


@dataclass(frozen=True)
class Candidate:
    """A structure in one configuration, bound to its tensors; a call launches it.

    `scratch` are tensors the kernels write before they read them; those that must keep
    their values between calls are not among them.
    """

    structure: str
    name: str
    launches: tuple[Launch, ...]
    out: torch.Tensor
    scratch: tuple[torch.Tensor, ...] = ()

    def __call__(self) -> torch.Tensor:
        """Launch on the bound tensors and return the output."""
        for launch in self.launches:
            launch()
        return self.out

    def compile(self) -> list[Any]:
        """Compile every kernel of this candidate."""
        return [launch.compile() for launch in self.launches]
