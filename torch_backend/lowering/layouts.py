"""The order of a tensor's dimensions in memory.

Kernels read and write contiguous tensors. A tensor whose dimensions lie in another
order (a transpose, channels last) is contiguous after a permutation, which is free.
"""

from __future__ import annotations

import itertools
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


def plain_order(tensor: torch.Tensor) -> Order:
    """The dimensions in their own order."""
    return tuple(range(tensor.dim()))


def order_of(tensor: torch.Tensor) -> Order:
    """The memory order of a tensor; its own if there are gaps.

    A part of a channels-last image is copied channels last. The order of a tensor with
    symbolic sizes is that at the sizes of the trace.
    """
    plain = plain_order(tensor)
    shape, strides = traced_numbers(tensor.shape), traced_numbers(tensor.stride())
    if shape is None or strides is None:
        return plain
    if _is_contiguous(shape, strides):
        return plain
    return memory_order(shape, strides) or _image_order(strides) or plain


def _image_order(strides: Sequence[int]) -> Order | None:
    """Channels last, if a tensor with gaps lies in this order."""
    last = (0, *range(2, len(strides)), 1)
    turned = [strides[dim] for dim in last] if len(strides) > 2 else []
    falls = all(one > other for one, other in itertools.pairwise(turned))
    return last if turned and falls and turned[-1] > 0 else None


def _is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    expected = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def traced_numbers(sizes: Sequence[int | torch.SymInt]) -> list[int] | None:
    """Sizes as numbers, symbolic ones as in the trace; None if that is not known."""
    found = [size if isinstance(size, int) else size.node.hint for size in sizes]
    return None if any(size is None for size in found) else list(map(int, found))
