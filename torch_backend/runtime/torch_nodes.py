"""Calls of torch in a graph, with operands as torch's own kernels want them.

Images lie channels last where our kernels read them so. An op that falls back to torch
may refuse that: group norm on a GPU takes contiguous images only.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

_CONTIGUOUS: dict[Any, tuple[int, ...]] = {
    torch.ops.aten.native_group_norm.default: (0,)
}
"""The operands that have to be contiguous."""


def add_torch_node(graph: Graph, node: Node, copies: dict[Node, Node]) -> None:
    """Copy a node into a graph; `copies` has its operands, and gets the node."""
    made = graph.node_copy(node, copies.__getitem__)
    for place in _CONTIGUOUS.get(node.target, ()):
        given = made.args[place]
        with graph.inserting_before(made):
            made.update_arg(place, graph.call_method("contiguous", (given,)))
    copies[node] = made
