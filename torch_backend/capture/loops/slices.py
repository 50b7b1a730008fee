"""Slices of tensors in a graph: which part of which tensor a node is."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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

MOST_PARTS = 8
"""More parts would be many more ops to compile."""


@dataclass(frozen=True)
class Part:
    """A run of places along one dimension of a tensor."""

    base: Node
    dim: int
    start: int
    size: int
    drops_dim: bool
    """Whether the part has one place, and its dimension is gone."""


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
        if not isinstance(index, int):
            return None
        dim %= len(shape)
        return Part(base, dim, index % shape[dim], 1, True)
    if node.target is aten.slice.Tensor:
        dim: Any
        dim, start, end, step = (*rest, *(0, None, None, 1)[len(rest) :])
        limits = (start, end, step)
        if any(not isinstance(each, int | None) for each in limits):
            return None
        dim %= len(shape)
        places = range(shape[dim])[slice(start, end, step)]
        if places.step != 1 or not places:
            return None
        return Part(base, dim, places.start, len(places), False)
    return None


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
        return Part(base, dim, index % shape[dim], 1, True)
    sizes, dim = rest if len(rest) > 1 else (rest[0], 0)
    dim %= len(shape)
    if isinstance(sizes, int):
        sizes = [min(sizes, shape[dim] - at) for at in range(0, shape[dim], sizes or 1)]
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        return None
    return Part(base, dim, sum(sizes[:index]), sizes[index], False)


def take(graph: Graph, like: Node, tensor: Node, part: Part, dim: int) -> Node:
    """The same places of another tensor, along a dimension of it."""
    if part.drops_dim:
        return add_call(graph, like, aten.select.int, tensor, dim, part.start)
    end = part.start + part.size
    return add_call(graph, like, aten.slice.Tensor, tensor, dim, part.start, end)


def mapped(node: Node, of: Callable[[Node], Node]) -> tuple[Sequence[Any], Any]:
    """The arguments of a call with its tensors replaced."""
    return torch.fx.map_arg((node.args, dict(node.kwargs)), of)  # pyright: ignore[reportReturnType]


def taken(graph: Graph, like: Node, operand: Node, part: Part, rank: int) -> Node:
    """A part of an operand; it stays whole if it is the same at all places."""
    shape = shape_of(operand) or ()
    dim = part.dim - (rank - len(shape))
    if dim < 0:
        return operand
    if shape[dim] == 1:
        if part.drops_dim:
            return add_call(graph, like, aten.select.int, operand, dim, 0)
        return operand
    outer = part_of(operand)
    if outer is not None and outer.dim == dim and not outer.drops_dim:
        operand, part = outer.base, replace(part, start=outer.start + part.start)
    return take(graph, like, operand, part, dim)
