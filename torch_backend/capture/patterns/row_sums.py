"""A sum over everything sums rows first, where rows are reduced for its elements.

    loss = (p * (p.log() - torch.log_softmax(x, 1))).sum()

becomes

    loss = (p * (p.log() - torch.log_softmax(x, 1))).sum(1).sum()

A kernel that holds a row reduces it, computes its elements and sums them. The sum over
everything at once would read the rows again, in a kernel of its own.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import replace_node, shape_of
from tilewright.torch_backend.capture.loops.sliced_elements import is_elementwise
from tilewright.torch_backend.capture.new_nodes import add_call

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
"""Fewer rows leave a card idle: programs share each row instead."""


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
        is_plain = len(dims) > 1 and dims[-1] == rank - 1 and shape[-1] > 1
        if not is_plain or math.prod(shape[:-1]) < _FEW_ROWS or not _reduces_rows(x):
            continue
        with graph.inserting_before(node):
            rows = add_call(graph, node, parts, x, [rank - 1])
            total = add_call(graph, node, parts, rows, dims[:-1])
        replace_node(graph, node, total)


def _reduces_rows(x: Node) -> bool:
    """Whether elements are computed from reductions along their own rows."""
    shape = shape_of(x)
    pending, seen = [x], {x}
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        if node.target in _OF_ROWS and shape_of(node) == shape:
            rank = len(shape or ())
            return node.args[1] in (rank - 1, -1)
        if not is_elementwise(node):
            continue
        new = [each for each in node.all_input_nodes if each not in seen]
        seen.update(new)
        pending += [each for each in new if shape_of(each) == shape]
    return False
