"""Gives each attention a mask of its own, computed from what is smaller than it.

All layers of a model read one mask, which compares indices. A kernel that streams
attention computes such a mask on the way. What several layers read would be stored, and
the planner streams no chain of ops that others read as well.

    seen = arange(n) <= arange(n)[:, None]     -> one for each attention,
    attention(..., seen), attention(..., seen)    of indices of its own
"""

from __future__ import annotations

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import COUNTS, erase_unread
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.indexing.shapes import VIEWS

aten = torch.ops.aten
_COMPARISONS = {
    *(aten.eq.Tensor, aten.eq.Scalar, aten.ne.Tensor, aten.ne.Scalar),
    *(aten.le.Tensor, aten.le.Scalar, aten.lt.Tensor, aten.lt.Scalar),
    *(aten.ge.Tensor, aten.ge.Scalar, aten.gt.Tensor, aten.gt.Scalar),
    *(aten.logical_and.default, aten.logical_or.default, aten.logical_not.default),
    *(aten.bitwise_and.Tensor, aten.bitwise_or.Tensor, aten.bitwise_not.default),
}
"""Ops of a few instructions, which read less than they give."""
_INDICES = {*COUNTS, aten.add.Tensor, aten.sub.Tensor, aten.mul.Tensor}
"""Ops that make indices of nothing, and of other indices."""


def separate_masks(graph: Graph) -> None:
    """Copy the comparisons behind the mask of each attention."""
    attention = aten.scaled_dot_product_attention.default
    for node in graph.find_nodes(op="call_function", target=attention):
        mask = node.args[3] if len(node.args) > 3 else node.kwargs.get("attn_mask")
        if not isinstance(mask, Node):
            continue
        made = _Copies(graph, node).of(mask)
        if made is not mask:
            node.replace_input_with(mask, made)
            erase_unread(graph, [mask])


class _Copies:
    """Copies of the nodes behind one attention's mask, before the attention."""

    def __init__(self, graph: Graph, reader: Node) -> None:
        """Copy nodes for a reader."""
        self.graph, self.reader = graph, reader
        self.known: dict[Node, Node] = {}

    def of(self, node: Node) -> Node:
        """A node to read instead: a copy, or itself if it is not to be copied.

        Each reader of indices has its own, since a kernel counts rows and columns.
        """
        if node in self.known:
            return self.known[node]
        if not (_is_index(node) or _compares(node)):
            return node
        given = {one: self.of(one) for one in node.all_input_nodes}
        with self.graph.inserting_before(self.reader):
            made = self.graph.node_copy(node, given.__getitem__)
        if not _is_index(node):
            self.known[node] = made
        return made


def _compares(node: Node) -> bool:
    """Whether a node compares, or is a view of one that does."""
    if op_name(node) in VIEWS:
        return bool(node.all_input_nodes) and _compares(node.all_input_nodes[0])
    return node.target in _COMPARISONS


def _is_index(node: Node) -> bool:
    """Whether a node depends on the sizes alone."""
    if node.op != "call_function":
        return False
    is_made = node.target in _INDICES or op_name(node) in VIEWS
    return is_made and all(map(_is_index, node.all_input_nodes))
