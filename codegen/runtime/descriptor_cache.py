"""A cache of tensor descriptors.

A descriptor holds the address, shape and type of a row-major tensor, and the block that
is moved at once. The hardware cannot tell two tensors apart that agree in all of these,
so a descriptor stays valid for another tensor in the same memory. No tensor is kept
alive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_MOST = 1024
"""Descriptors that are cached."""


@dataclass(frozen=True)
class _Memory:
    """The properties of a descriptor's tensor that a launch reads."""

    address: int
    dtype: torch.dtype

    def data_ptr(self) -> int:
        """The address of the tensor."""
        return self.address


class DescriptorCache:
    """Replaces the function that makes descriptors in a generated file."""

    def __init__(self, make: Callable[..., Any]):
        self._make = make
        self._made: dict[tuple[Any, ...], Any] = {}

    def __call__(
        self, tensor: torch.Tensor, block: tuple[int, ...], *extents: tuple[int, ...]
    ) -> Any:
        """The descriptor of a tensor, or of its first rows and columns."""
        address, dtype = tensor.data_ptr(), tensor.dtype
        key = (address, tensor.shape, dtype, block, *extents)
        found = self._made.get(key)
        if found is None:
            found = self._make(tensor, block, *extents)
            found.base = _Memory(address, dtype)
            if len(self._made) >= _MOST:
                self._made.clear()
            self._made[key] = found
        return found
