"""Calls that write to a tensor in its place, where nothing else reads or writes it.

Such a call has a mark. In a payload it is the op that makes a new tensor, of an
argument whose memory is given up; what is stored there is a result of the payload.
"""

from __future__ import annotations

from collections.abc import Iterable

from torch.fx import Node

OWNED = "tilewright_owned_write"
"""In the meta of a write: nothing else in the graph reads or writes this memory."""


def written_inputs(nodes: Iterable[Node]) -> dict[Node, Node]:
    """The tensors from outside that nodes write to, each with the last write."""
    found: dict[Node, Node] = {}
    written_by: dict[Node, Node] = {}
    for node in nodes:
        if OWNED not in node.meta:
            continue
        (given, *_) = node.all_input_nodes
        source = written_by.get(given, given)
        found[source], written_by[node] = node, source
    return found


def writes_unowned(node: Node) -> bool:
    """Whether a call writes to an operand that others may read."""
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable and OWNED not in node.meta
