"""Tensor descriptors that were made before, found by all that they say.

A descriptor says where a row-major tensor lies, its shape and type, and which block is
moved at once. Two tensors that agree in all of that are the same to the hardware,
whichever of them is alive: what was made for a tensor that was freed is either right
for the one that has its memory now, or is not found. No tensor is kept alive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_MOST = 1024
"""Descriptors that are kept."""


@dataclass(frozen=True)
class _Memory:
    """What a launch asks of the tensor behind a descriptor."""

    address: int
    dtype: torch.dtype

    def data_ptr(self) -> int:
        """Where it lies."""
        return self.address


class DescriptorCache:
    """Stands for the function of a generated file that makes descriptors."""

    def __init__(self, make: Callable[[Any, tuple[int, ...]], Any]):
        self._make = make
        self._made: dict[tuple[Any, ...], Any] = {}

    def __call__(self, tensor: torch.Tensor, block: tuple[int, ...]) -> Any:
        """The descriptor of a tensor."""
        address, dtype = tensor.data_ptr(), tensor.dtype
        key = (address, tensor.shape, dtype, block)
        found = self._made.get(key)
        if found is None:
            found = self._make(tensor, block)
            found.base = _Memory(address, dtype)
            if len(self._made) >= _MOST:
                self._made.clear()
            self._made[key] = found
        return found
