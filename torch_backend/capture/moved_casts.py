"""Reads at computed places between two casts: the casts undo each other.

torch resamples images of narrow floats by way of f32, also where it only moves them.

Before:

    wide = aten._to_copy(x, dtype=float32)
    read = aten.index(wide, places)
    y = aten._to_copy(read, dtype=bfloat16)

After:

    y = aten.index(x, places)
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_CAST = aten._to_copy.default


def remove_casts(graph: Graph) -> None:
    """Read narrow images as they are, where nobody reads the wide elements."""
    for node in list(graph.nodes):
        if node.target is not aten.index.Tensor:
            continue
        cast: Any = node.args[0]
        if not _widens(cast) or not all(_undoes(user, cast) for user in node.users):
            continue
        with graph.inserting_before(node):
            read = add_call(graph, node, node.target, cast.args[0], *node.args[1:])
        for user in list(node.users):
            user.replace_all_uses_with(read)
            graph.erase_node(user)
        graph.erase_node(node)
        if not cast.users:
            graph.erase_node(cast)


def _widens(node: Node) -> bool:
    """Whether a node converts floats to a type that holds them all."""
    if node.target is not _CAST or list(node.kwargs) != ["dtype"]:
        return False
    narrow = node.all_input_nodes[0].meta["val"].dtype
    return narrow in (torch.float16, torch.bfloat16) and (
        node.kwargs["dtype"] is torch.float32
    )


def _undoes(user: Node, cast: Node) -> bool:
    """Whether a node converts back to the type before a cast."""
    before = cast.all_input_nodes[0].meta["val"].dtype
    is_cast = user.target is _CAST and list(user.kwargs) == ["dtype"]
    return is_cast and user.kwargs["dtype"] is before
