"""Sums of tensors that are zero outside of one part: a join of the parts.

The gradient of a tensor that was cut into parts, such as queries, keys and values of
one product, is such a sum.

Before:

    a = aten.select_scatter(zeros, query, 0, 0)
    b = aten.select_scatter(zeros, key, 0, 1)
    y = aten.permute(aten.add(a, b), [1, 0, 2])

After:

    parts = [aten.unsqueeze(query, 0), aten.unsqueeze(key, 0)]
    y = aten.cat([aten.permute(part, [1, 0, 2]) for part in parts], 1)

Permutations that alone read the sum are done to the parts, so that each is stored once,
in its place. Parts that overlap, or leave a gap, stay a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    leaves,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.frames import constant_of

aten = torch.ops.aten
_SCATTERS = (aten.select_scatter.default, aten.slice_scatter.default)
_SUM = aten.add.Tensor


@dataclass(frozen=True)
class _Part:
    """A tensor that lies in a larger one, along one dimension."""

    dim: int
    start: int
    size: int
    source: Node
    is_selected: bool
    """Whether the tensor lacks the dimension."""


def join_scattered(graph: Graph) -> None:
    """Replace sums of scattered parts by joins."""
    for node in reversed(list(graph.nodes)):
        if node._erased or node.target is not _SUM:
            continue
        terms = _terms(node)
        parts = [_part_of(term) for term in terms or ()]
        known = sorted((p for p in parts if p is not None), key=lambda p: p.start)
        if len(known) < 2 or len(known) < len(parts) or not _fill(node, known):
            continue
        with graph.inserting_before(node):
            pieces = [
                add_call(graph, node, aten.unsqueeze.default, part.source, part.dim)
                if part.is_selected
                else part.source
                for part in known
            ]
            join = add_call(graph, node, aten.cat.default, pieces, known[0].dim)
        read = node.all_input_nodes
        replace_node(graph, node, join)
        erase_unread(graph, read)
        while (turned := _turned(graph, join)) is not None:
            join = turned


def _terms(node: Any) -> list[Node] | None:
    """The tensors that a tree of sums adds; None if one is no tensor of their type."""
    shape = shape_of(node)
    if shape is None or len(node.args) != 2 or node.kwargs:
        return None
    found: list[Node] = []
    for one in node.args:
        if shape_of(one) != shape or (
            one.meta["val"].dtype is not node.meta["val"].dtype
        ):
            return None
        if len(one.users) > 1 or leaves(one):
            return None
        inner = _terms(one) if one.target is _SUM else [one]
        if inner is None:
            return None
        found += inner
    return found


def _part_of(node: Node) -> _Part | None:
    """What a call scatters into zeros."""
    shape = shape_of(node)
    given: Any = node.args
    if node.target not in _SCATTERS or shape is None or node.kwargs or len(given) < 4:
        return None
    base, source, dim, at, *rest = given
    if not isinstance(base, Node) or constant_of(base) != 0:
        return None
    if source.meta["val"].dtype is not node.meta["val"].dtype or not all(
        one is None or type(one) is int for one in (at, *rest)
    ):
        return None
    dim %= len(shape)
    if node.target is aten.select_scatter.default:
        return _Part(dim, at % shape[dim], 1, source, is_selected=True)
    end, step = [*rest, *(None, 1)[len(rest) :]]
    first, last, by = slice(at, end, step).indices(shape[dim])
    if by != 1 or last <= first:
        return None
    return _Part(dim, first, last - first, source, is_selected=False)


def _fill(node: Node, parts: Sequence[_Part]) -> bool:
    """Whether parts in order fill a tensor, without a gap or an overlap."""
    shape = shape_of(node)
    if shape is None or len({part.dim for part in parts}) > 1:
        return False
    end = 0
    for part in parts:
        if part.start != end:
            return False
        end += part.size
    return end == shape[parts[0].dim]


def _turned(graph: Graph, join: Node) -> Node | None:
    """A join of permuted parts for the permutation that alone reads a join."""
    if len(join.users) != 1 or leaves(join):
        return None
    (reader,) = join.users
    given: Any = join.args
    parts, dim = given
    if reader.target is aten.clone.default:
        same = reader.meta["val"].stride() == join.meta["val"].stride()
        made = join if same and not leaves(reader) else None
    else:
        after = _dim_after(reader, dim, join.meta["val"].dim())
        if after is None:
            return None
        with graph.inserting_before(reader):
            pieces = [
                add_call(graph, reader, reader.target, part, *reader.args[1:])
                for part in parts
            ]
            made = add_call(graph, reader, aten.cat.default, pieces, after)
    if made is None:
        return None
    replace_node(graph, reader, made)
    erase_unread(graph, [join])
    return made


def _dim_after(reader: Node, dim: int, rank: int) -> int | None:
    """Where a permutation puts a dimension; None if a call is no permutation."""
    given: Any = reader.args[1:]
    if reader.kwargs:
        return None
    match reader.target:
        case aten.permute.default:
            return [axis % rank for axis in given[0]].index(dim)
        case aten.transpose.int:
            one, two = (axis % rank for axis in given)
            return {one: two, two: one}.get(dim, dim)
        case aten.unsqueeze.default:
            return dim + (given[0] % (rank + 1) <= dim)
        case aten.squeeze.dim:
            at = given[0] % rank
            return None if at == dim else dim - (at < dim)
        case _:
            return None
