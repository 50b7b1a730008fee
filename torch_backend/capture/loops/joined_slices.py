"""Slices of a join that element-wise ops read are slices of the joined tensors.

    low, high = torch.cat([a + b, a - b], 1).chunk(2, 1)
    low * high

becomes

    (a + b) * (a - b)

One kernel computes the parts where they are read; the join is not stored for them.
"""

from __future__ import annotations

from dataclasses import replace

from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.loops.joined_elements import joined_parts
from tilewright.torch_backend.capture.loops.sliced_elements import is_elementwise
from tilewright.torch_backend.capture.loops.slices import Part, part_of, take


def read_joined_tensors(graph: Graph) -> None:
    """Let readers of a part of a join read the joined tensor that has it."""
    for node in list(graph.nodes):
        part = part_of(node)
        if part is None or not all(map(is_elementwise, node.users)):
            continue
        source = _source(part)
        if source is None:
            continue
        before = node.all_input_nodes
        with graph.inserting_before(node):
            replace_node(graph, node, _taken(graph, node, *source))
        erase_unread(graph, before)


def _source(part: Part) -> tuple[Node, Part] | None:
    """The joined tensor that a part of a join is in, and its place there."""
    for tensor, place in (joined_parts(part.base) or {}).items():
        start = part.start - place.start
        if part.dim == place.dim and 0 <= start <= place.size - part.size:
            return tensor, replace(part, base=tensor, start=start)
    return None


def _taken(graph: Graph, like: Node, tensor: Node, part: Part) -> Node:
    shape = shape_of(tensor) or ()
    if not part.drops_dim and part.size == shape[part.dim]:
        return tensor
    return take(graph, like, tensor, part, part.dim)
