"""A sum over everything sums rows first, where rows are reduced for its elements.

    loss = (p * (p.log() - torch.log_softmax(x, 1))).sum()

becomes

    loss = (p * (p.log() - torch.log_softmax(x, 1))).sum(1).sum()

A kernel that holds a row reduces it, computes its elements and sums them. The sum over
everything at once would read the rows again, in a kernel of its own.

Sums of slices, such as `(x[:, 1:] - x[:, :-1]).abs().sum()`, sum the last dimensions
first too, if x has few rows: the rows of a slice lie apart in memory, and a kernel that
sums everything has one program for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    is_elementwise,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.slices import part_of

aten = torch.ops.aten
_SUMS = {
    aten.sum.default: aten.sum.dim_IntList,
    aten.sum.dim_IntList: aten.sum.dim_IntList,
    aten.mean.default: aten.mean.dim,
    aten.mean.dim: aten.mean.dim,
}
"""Sums, and the calls that give their parts."""
_OF_ROWS = (aten._softmax.default, aten._log_softmax.default)
_MOST_NODES = 64
"""The nodes behind a sum that are searched."""
_FEW_ROWS = 264
"""Fewer rows leave a GPU idle: programs share each row instead."""
_SHORT_ROW = 128
"""The elements of a row that a warp reads by one access of each thread."""
_LARGE = 2**22
"""The elements whose time is more than that of a second launch."""
_MANY = 1024
"""As many programs fill a GPU."""


def sum_rows_first(graph: Graph) -> None:
    """Split sums over rows and more whose elements depend on reduced rows."""
    for node in list(graph.nodes):
        parts: Any = _SUMS.get(node.target)
        if parts is None or node.kwargs or len(node.args) > 2:
            continue
        x: Any = node.args[0]
        shape = shape_of(x)
        if shape is None or len(shape) < 2 or not x.meta["val"].is_floating_point():
            continue
        rank = len(shape)
        given: Any = node.args[1] if len(node.args) > 1 else range(rank)
        dims = sorted(dim % rank for dim in given or range(rank))
        if len(dims) < 2 or dims[-1] != rank - 1 or shape[-1] <= 1:
            continue
        first = _summed_first(x, shape)
        if first is None or not set(first) < set(dims):
            continue
        with graph.inserting_before(node):
            rows = add_call(graph, node, parts, x, first)
            rest = [dim for dim in dims if dim not in first]
            total = add_call(graph, node, parts, rows, rest)
        replace_node(graph, node, total)


def _summed_first(x: Node, shape: Sequence[int]) -> list[int] | None:
    """The last dimensions that are better summed before the others."""
    row = len(shape) - 1
    has_rows = math.prod(shape[:-1]) >= _FEW_ROWS
    if has_rows and _reduces_rows(x):
        return [row]
    cut = _cut(x)
    if cut is None or math.prod(shape[:cut]) >= _MANY or math.prod(shape) < _LARGE:
        return None
    if x.meta["val"].dtype not in (torch.float32, torch.float64):
        return None  # a sum of halves would be rounded twice
    if has_rows and cut < row and shape[-1] >= _SHORT_ROW:
        return [row]
    return list(range(cut, row + 1))


def _reduces_rows(x: Node) -> bool:
    """Whether elements are computed from reductions along their own rows."""
    last = (len(shape_of(x) or ()) - 1, -1)
    return any(
        node.target in _OF_ROWS and node.args[1] in last for node in _computed_from(x)
    )


def _cut(x: Node) -> int | None:
    """The first dimension that elements are slices along; None if there is none."""
    parts = [part_of(node) for node in _computed_from(x)]
    cuts = [part.dim for part in parts if part is not None and not part.drops_dim]
    return min(cuts, default=0) or None


def _computed_from(x: Node) -> Iterator[Node]:
    """The nodes of the same shape that elements are computed from, one by one."""
    shape = shape_of(x)
    pending, seen = [x], {x}
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        yield node
        if is_elementwise(node):
            new = [each for each in node.all_input_nodes if each not in seen]
            seen.update(new)
            pending += [each for each in new if shape_of(each) == shape]
