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
_LARGE_ALONE = 4.0
"""The same for large filters of one channel each, which cuDNN has no quick kernel for
(9 x 9 on an H200)."""
_LARGE = 8
"""The height of such a filter."""
_FEW_CHANNELS = 64
_MOST_NODES = 300
"""Graphs of more nodes for each convolution are left as they are."""


def run_channels_last(
    convolutions: Sequence[Node], nodes: int, *, training: bool
) -> bool:
    """Whether the convolutions of a graph of as many nodes are quicker so."""
    if not convolutions or nodes >= _MOST_NODES * len(convolutions):
        return False
    values = [value_at(node, place) for node in convolutions for place in (0, 1)]
    if not all(isinstance(size, int) for value in values for size in value.shape):
        return False
    if training:
        unfit = any(_is_grouped(one) or _is_narrowing(one) for one in convolutions)
        return not unfit and not all(map(_is_small, convolutions))
    before = sum(map(_operations, convolutions))
    after = sum(_operations(one) * _factor(one) for one in convolutions)
    return after <= before


def lines_stay(convolutions: Sequence[Node]) -> bool:
    """Whether convolutions of lines are as quick without a layout of images.

    In f32, with this many channels, cuDNN reads lines as they are given and writes its
    result so: it converts the operand alone, as we would have to.
    """
    if not all(isinstance(s, int) for c in convolutions for s in c.meta["val"].shape):
        return False
    quick = sum(map(_operations, filter(_is_wide, convolutions)))
    return 2 * quick > sum(map(_operations, convolutions))


def _is_wide(node: Node) -> bool:
    x, is_transposed = value_at(node, 0), node.args[6]
    if is_transposed or _is_grouped(node) or x.dtype != torch.float32:
        return False
    return x.shape[1] >= _FEW_CHANNELS


def value_at(node: Node, place: int) -> torch.Tensor:
    """What torch has inferred for an operand of a node."""
    given: Any = node.args[place]
    return given.meta["val"]


def _factor(node: Node) -> float:
    if _is_grouped(node):
        return _GROUPED
    if _is_large_alone(node):
        return _LARGE_ALONE
    if _is_small(node):
        return _SMALL
    return _NARROWING if _is_narrowing(node) else _OTHERS


def _is_grouped(node: Node) -> bool:
    groups: Any = node.args[-1]
    return groups > 1 and value_at(node, 1).shape[1] > 1


def _is_large_alone(node: Node) -> bool:
    groups: Any = node.args[-1]
    return groups > 1 and value_at(node, 1).shape[2] >= _LARGE


def _is_small(node: Node) -> bool:
    return all(size <= _FEW_CHANNELS for size in value_at(node, 1).shape[:2])


def _is_narrowing(node: Node) -> bool:
    """Whether it has half as many filters as channels, of more than one place."""
    filters, channels, height = value_at(node, 1).shape[:3]
    return filters * 2 <= channels and height > 1


def _operations(node: Node) -> float:
    """Multiplications: each element meets a filter's part for every other channel."""
    is_transposed = node.args[6]
    image = value_at(node, 0) if is_transposed else node.meta["val"]
    return float(image.numel() * math.prod(value_at(node, 1).shape[1:]))
