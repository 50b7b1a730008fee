"""Convolutions with a filter for each channel, which kernels of ours compute.

They are marked, and read as windows (`ops/images/depthwise.py`); all others stay in
torch. cuDNN has quick kernels for square filters that are not dilated, one for each
channel of an image. On an H200, a filter of 7x1 takes it five times as long as torch's
own kernel, and two filters for each channel six times. Large filters stay in torch too:
a kernel of ours reads every place of a window from the cache again.
"""

from __future__ import annotations

import math

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.convolutions.layout_choice import value_at
from tilewright.torch_backend.ops.result import BY_WINDOWS

_MOST_PLACES = 27
"""The places of a filter: 3x3x3."""


def mark_depthwise(graph: Graph) -> None:
    """Mark the convolutions that are windows."""
    for node in graph.nodes:
        if node.target is torch.ops.aten.convolution.default and _suits(node):
            node.meta[BY_WINDOWS] = True


def _suits(node: Node) -> bool:
    x, weight = (value_at(node, place) for place in (0, 1))
    is_transposed, groups = node.args[6], node.args[8]
    sizes = (*x.shape[1:], *weight.shape)
    if is_transposed or not all(isinstance(size, int) for size in sizes):
        return False
    if x.dim() != weight.dim() or x.dtype != weight.dtype:
        return False
    if groups == 1 or groups != x.shape[1] or weight.shape[1] != 1:
        return False
    if math.prod(weight.shape[2:]) > _MOST_PLACES:
        return False
    return not _is_quick(node, weight)


def _is_quick(node: Node, weight: torch.Tensor) -> bool:
    """Whether cuDNN has a kernel for such filters."""
    dilation, groups = node.args[5], node.args[8]
    sizes = set(weight.shape[2:])
    is_square = weight.dim() == 4 and len(sizes) == 1
    return is_square and set(dilation) == {1} and weight.shape[0] == groups  # pyright: ignore[reportArgumentType]
