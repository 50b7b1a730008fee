"""The order of a tensor's dimensions in memory.

Kernels read and write contiguous tensors. A tensor whose dimensions lie in another
order (a transpose, channels last) is contiguous after a permutation, which is free.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

Order = tuple[int, ...]


def memory_order(shape: Sequence[int], strides: Sequence[int]) -> Order | None:
    """The dimensions from the slowest to the fastest; None if there are gaps."""
    order = sorted(range(len(shape)), key=lambda dim: (-strides[dim], -shape[dim], dim))
    expected = 1
    for dim in reversed(order):
        if shape[dim] != 1 and strides[dim] != expected:
            return None
        expected *= shape[dim]
    return tuple(order)


def is_plain(order: Order) -> bool:
    """Whether the dimensions lie in their own order."""
    return order == tuple(range(len(order)))


def inverse(order: Order) -> Order:
    """The permutation that undoes another."""
    return tuple(order.index(dim) for dim in range(len(order)))


def order_of(tensor: torch.Tensor) -> Order:
    """The memory order of a tensor of known sizes; its own if there are gaps."""
    plain = tuple(range(tensor.dim()))
    sizes = [*tensor.shape, *tensor.stride()]
    if not all(isinstance(size, int) for size in sizes) or tensor.is_contiguous():
        return plain
    return memory_order(tensor.shape, tensor.stride()) or plain
