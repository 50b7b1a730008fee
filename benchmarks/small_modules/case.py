"""The form of a small module: a function of tensors, and the shapes of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Ints:
    """An input of integers below a bound."""

    shape: Shape
    bound: int


Given = Shape | Ints


@dataclass(frozen=True)
class Case:
    """A function of torch, and its inputs in a small and in a large size."""

    name: str
    function: Callable[..., Any]
    small: tuple[Given, ...]
    large: tuple[Given, ...]

    def modules(self) -> Iterator[Module]:
        """The modules of the case: small and large in bf16, large in f32."""
        yield Module(f"{self.name}, small bf16", self.function, self.small)
        yield Module(f"{self.name}, large bf16", self.function, self.large)
        f32 = torch.float32
        yield Module(f"{self.name}, large f32", self.function, self.large, f32)


@dataclass(frozen=True)
class Module:
    """A function with its inputs in one size and one element type."""

    name: str
    function: Callable[..., Any]
    given: tuple[Given, ...]
    dtype: torch.dtype = torch.bfloat16

    def inputs(self, device: str = "cpu") -> tuple[torch.Tensor, ...]:
        """Random inputs, the same each time."""
        generator = torch.Generator(device).manual_seed(0)
        return tuple(_made(one, self.dtype, generator, device) for one in self.given)

    def blank_inputs(self) -> tuple[torch.Tensor, ...]:
        """Zeros, for a run that looks at shapes alone."""
        return tuple(
            torch.zeros(one.shape, dtype=torch.int64)
            if isinstance(one, Ints)
            else torch.zeros(one, dtype=self.dtype)
            for one in self.given
        )


def _made(
    given: Given, dtype: torch.dtype, generator: torch.Generator, device: str
) -> torch.Tensor:
    options: dict[str, Any] = {"generator": generator, "device": device}
    if isinstance(given, Ints):
        return torch.randint(0, given.bound, given.shape, **options)
    return torch.randn(given, **options).to(dtype)
