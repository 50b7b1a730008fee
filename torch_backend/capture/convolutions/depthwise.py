"""Convolutions with a filter for each channel, which kernels of ours compute.

They are marked, and read as windows (`ops/images/depthwise.py`); all others stay in
torch. cuDNN has quick kernels for square filters of odd size that are not dilated, one
for each channel of an image that lies channels last. On an H200, a filter of 7x1 takes
it five times as long as torch's own kernel, and two filters for each channel six times.
Where no other convolution asks for channels last, the two copies of an image cost more
than its convolution: 3x3 on 32x64x256x256 of f32 takes 940 us so, 410 us of it in
cuDNN, and 474 us by windows. Large filters stay in torch too: a kernel of ours reads
every place of a window from the cache again.
"""

from __future__ import annotations

import math

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.convolutions.layout_choice import (
    has_quick_height,
    value_at,
)
from tilewright.torch_backend.ops.result import BY_WINDOWS

_MOST_PLACES = 27
"""The places of a filter: 3x3x3."""


def mark_depthwise(graph: Graph) -> None:
    """Mark the convolutions that are windows."""
    op = torch.ops.aten.convolution.default
    convolutions = graph.find_nodes(op="call_function", target=op)
    suited = [node for node in convolutions if _suits(node)]
    are_all = len(suited) == len(convolutions)
    for node in suited:
        if not _is_quick(node) or (are_all and _lies_plain(node)):
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
    return math.prod(weight.shape[2:]) <= _MOST_PLACES


def _lies_plain(node: Node) -> bool:
    """Whether the image would be copied for cuDNN, in the type that was measured."""
    x = value_at(node, 0)
    return x.dtype == torch.float32 and x.is_contiguous()


def _is_quick(node: Node) -> bool:
    """Whether cuDNN has a kernel for such filters."""
    weight, dilation, groups = value_at(node, 1), node.args[5], node.args[8]
    sizes = set(weight.shape[2:])
    is_square = weight.dim() == 4 and len(sizes) == 1
    if not (is_square and has_quick_height(node)):
        return False
    return set(dilation) == {1} and weight.shape[0] == groups  # pyright: ignore[reportArgumentType]
