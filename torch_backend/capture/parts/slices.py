"""Slices of tensors in a graph: which indices of which tensor a node has."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import shape_of
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten

_SPLITS = (
    aten.unbind.int,
    aten.split.Tensor,
    aten.split_with_sizes.default,
)


@dataclass(frozen=True)
class Part:
    """The elements of a tensor at a range of indices along one dimension."""

    base: Node
    dim: int
    indices: range
    drops_dim: bool = False
    """Whether there is one index, and its dimension is gone."""

    @property
    def start(self) -> int:
        """The first index."""
        return self.indices.start

    @property
    def size(self) -> int:
        """The number of indices."""
        return len(self.indices)


def part_of(node: Node) -> Part | None:
    """The part of a tensor that a node is; None if it is not one part of one tensor."""
    if node.target is operator.getitem:
        return _of_pieces(node)
    shape = shape_of(node.args[0]) if node.args else None
    if shape is None or not isinstance(node.args[0], Node):
        return None
    base: Node = node.args[0]
    rest: Any = node.args[1:]
    if node.target is aten.select.int:
        dim, index = rest
        dim %= len(shape)
        if not isinstance(index, int):
            return None
        return Part(base, dim, range(shape[dim])[index:][:1], drops_dim=True)
    if node.target is aten.slice.Tensor and (found := sliced(shape, rest, node.kwargs)):
        return Part(base, *found)
    return None


def sliced(
    shape: Sequence[int], rest: Sequence[Any], kwargs: Any
) -> tuple[int, range] | None:
    """The dimension and the indices that the arguments of a slice name, if any."""
    if kwargs:
        return None
    dim: Any
    dim, *limits = (*rest, *(0, None, None, 1)[len(rest) :])
    if any(not isinstance(limit, int | None) for limit in limits):
        return None
    dim %= len(shape)
    indices = range(shape[dim])[slice(*limits)]
    return (dim, indices) if indices else None


def _of_pieces(node: Node) -> Part | None:
    """The part of an item of a split."""
    split, index = node.args
    if not isinstance(split, Node) or split.target not in _SPLITS:
        return None
    base: Any = split.args[0]
    shape = shape_of(base)
    if shape is None or not isinstance(index, int):
        return None
    rest: Any = split.args[1:]
    if split.target is aten.unbind.int:
        dim = (rest[0] if rest else 0) % len(shape)
        return Part(base, dim, range(shape[dim])[index:][:1], drops_dim=True)
    sizes, dim = rest if len(rest) > 1 else (rest[0], 0)
    dim %= len(shape)
    if isinstance(sizes, int):
        sizes = [min(sizes, shape[dim] - at) for at in range(0, shape[dim], sizes or 1)]
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        return None
    start = sum(sizes[:index])
    return Part(base, dim, range(start, start + sizes[index]))


def take(graph: Graph, like: Node, tensor: Node, part: Part, dim: int) -> Node:
    """The same indices of another tensor, along a dimension of it."""
    if part.drops_dim:
        return add_call(graph, like, aten.select.int, tensor, dim, part.start)
    ends = part.start, part.indices[-1] + 1
    step = () if part.indices.step == 1 else (part.indices.step,)
    return add_call(graph, like, aten.slice.Tensor, tensor, dim, *ends, *step)
