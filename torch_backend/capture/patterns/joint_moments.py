"""A mean and a variance of the same elements are one op, which reads them once.

Before:

    middle = aten.mean.dim(x, [1], True)
    spread = aten.std.correction(x, [1], keepdim=True)

After:

    variance, middle = aten.var_mean.correction(x, [1], keepdim=True)
    spread = aten.sqrt(variance)
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import replace_node, shape_of
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_MEANS = (aten.mean.default, aten.mean.dim)
_SPREADS = (aten.var.correction, aten.std.correction)
_TYPES = (torch.float32, torch.float64)
"""A shorter type would round the variance before its square root."""


def join_moments(graph: Graph) -> None:
    """Join means to the variances and deviations of the same elements."""
    nodes = list(graph.nodes)
    order = {node: number for number, node in enumerate(nodes)}
    means = {key: n for n in nodes if n.target in _MEANS and (key := _elements(n))}
    for spread in nodes:
        key = _elements(spread) if spread.target in _SPREADS else None
        mean = means.pop(key, None) if key is not None else None
        if mean is not None:
            with graph.inserting_before(min(mean, spread, key=order.__getitem__)):
                _join(graph, mean, spread)


def _elements(node: Node) -> tuple[Node, frozenset[int]] | None:
    """The tensor that a call reads and the dimensions that it reduces."""
    x, *rest = node.args
    shape = shape_of(x)
    if not isinstance(x, Node) or not shape or x.meta["val"].dtype not in _TYPES:
        return None
    if node.kwargs.get("dtype") is not None:
        return None
    dims: Any = rest[0] if rest else node.kwargs.get("dim")
    if isinstance(dims, int):
        dims = [dims]
    return x, frozenset(dim % len(shape) for dim in dims or range(len(shape)))


def _join(graph: Graph, mean: Node, spread: Node) -> None:
    """Replace a mean and a variance, or a deviation, by one call."""

    def call(op: Any, *args: Any, **kwargs: Any) -> Node:
        return add_call(graph, spread, op, *args, **kwargs)

    both = call(aten.var_mean.correction, *spread.args, **spread.kwargs)
    made, middle = (call(operator.getitem, both, place) for place in (0, 1))
    if spread.target is aten.std.correction:
        made = call(aten.sqrt.default, made)
    if shape_of(middle) != shape_of(mean):
        middle = call(aten.view.default, middle, list(mean.meta["val"].shape))
    replace_node(graph, mean, middle)
    replace_node(graph, spread, made)
