"""Whether the convolutions of a graph run channels last.

cuDNN's quick kernels read images and filters channels last. Given other layouts, it
converts them before and after each call. Convolutions in groups of several channels
are slower channels last. The rules and the factors are Inductor's
(`GraphLowering.decide_layout_opt`), which were measured over torch's benchmarks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Node

_GROUPED, _SMALL, _NARROWING, _OTHERS = 1.358, 0.783, 0.725, 0.823
"""The time of a convolution channels last, as a part of its time otherwise."""
_UNUSUAL_ALONE = 4.0
"""The same for filters of one channel each that cuDNN has no quick kernel for (9 x 9
on an H200; 6 x 6 takes 5 times as long)."""
_QUICK_HEIGHTS = {1, 3, 5, 7}
"""Heights of filters of one channel each that cuDNN has quick kernels for."""
_FEW_CHANNELS = 64
"""The most channels and filters of a small convolution."""
_LEAST_SUMMED = 32
"""Channels of a convolution of one filter that cuDNN has no quick kernel for."""
_IS_TRANSPOSED = 6
"""Its place among the arguments of a convolution."""
_MOST_NODES = 300
"""Graphs of more nodes for each convolution are left as they are."""
NARROW = (torch.float16, torch.bfloat16)
"""The types whose convolutions may be matmuls: cuDNN computes f32 in TF32 by default,
and matmuls do not."""


def run_channels_last(
    convolutions: Sequence[Node], nodes: int, *, training: bool
) -> bool:
    """Whether the convolutions of a graph of as many nodes are quicker so."""
    if not convolutions or nodes >= _MOST_NODES * len(convolutions):
        return False
    values = [value_at(node, place) for node in convolutions for place in (0, 1)]
    if not all(isinstance(size, int) for value in values for size in value.shape):
        return False
    if all(map(_is_product, convolutions)):
        return False
    if training:
        unfit = any(_is_grouped(one) or _is_narrowing(one) for one in convolutions)
        return not unfit and not all(map(_is_small, convolutions))
    before = sum(map(_operations, convolutions))
    after = sum(_operations(one) * _factor(one) for one in convolutions)
    return after <= before


def stays_plain(node: Node) -> bool:
    """Whether a convolution is quicker in the layout that torch has by default.

    An H200 takes 0.45 ms for one filter of 64x3x3 on 16 images of 256x256 in f32, and
    3.7 ms channels last.
    """
    x, filters = value_at(node, 0), value_at(node, 1)
    if node.args[_IS_TRANSPOSED] or x.dtype != torch.float32:
        return False
    return filters.shape[0] == 1 and filters.shape[1] >= _LEAST_SUMMED


def lines_stay(convolutions: Sequence[Node]) -> bool:
    """Whether convolutions of lines are as quick without a layout of images.

    In f32, cuDNN reads lines as they are given and writes its result so: it converts
    the operand alone, as we would have to. An H200 takes 61 us for 64 filters of 3x7 on
    16 lines of 16384, and 275 us channels last; with 64 channels both take 85 us.
    """
    if not all(isinstance(s, int) for c in convolutions for s in c.meta["val"].shape):
        return False
    quick = sum(map(_operations, filter(_is_quick_line, convolutions)))
    return 2 * quick > sum(map(_operations, convolutions))


def _is_quick_line(node: Node) -> bool:
    if node.args[_IS_TRANSPOSED] or _is_grouped(node):
        return False
    return value_at(node, 0).dtype == torch.float32


def _is_product(node: Node) -> bool:
    """Whether filters of one place are a matmul, which cuDNN computes in any layout.

    For 64 channels to 128 on 16 images of 256x256 an H200 takes 228 us, and 271 us
    channels last.
    """
    stride: Any = node.args[3]
    groups: Any = node.args[-1]
    if groups != 1 or node.args[_IS_TRANSPOSED] or set(stride) != {1}:
        return False
    places = value_at(node, 1).shape[2:]
    return set(places) == {1} and value_at(node, 0).dtype == torch.float32


def value_at(node: Node, place: int) -> torch.Tensor:
    """What torch has inferred for an operand of a node."""
    given: Any = node.args[place]
    return given.meta["val"]


def _factor(node: Node) -> float:
    if _is_grouped(node):
        return _GROUPED
    if _is_alone(node) and not has_quick_height(node):
        return _UNUSUAL_ALONE
    if _is_small(node):
        return _SMALL
    return _NARROWING if _is_narrowing(node) else _OTHERS


def _is_grouped(node: Node) -> bool:
    groups: Any = node.args[-1]
    return groups > 1 and value_at(node, 1).shape[1] > 1


def _is_alone(node: Node) -> bool:
    """Whether its filters have one channel each, given that it is not `_is_grouped`."""
    groups: Any = node.args[-1]
    return groups > 1


def has_quick_height(node: Node) -> bool:
    """Whether cuDNN has quick kernels for filters as high, if they have one channel."""
    return value_at(node, 1).shape[2] in _QUICK_HEIGHTS


def _is_small(node: Node) -> bool:
    return all(size <= _FEW_CHANNELS for size in value_at(node, 1).shape[:2])


def _is_narrowing(node: Node) -> bool:
    """Whether it has half as many filters as channels, of more than one place."""
    filters, channels, height = value_at(node, 1).shape[:3]
    return filters * 2 <= channels and height > 1


def _operations(node: Node) -> float:
    """Multiplications: each element meets a filter's part for every other channel."""
    is_transposed = node.args[_IS_TRANSPOSED]
    image = value_at(node, 0) if is_transposed else node.meta["val"]
    return float(image.numel() * math.prod(value_at(node, 1).shape[1:]))
