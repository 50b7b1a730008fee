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

from tilewright.torch_backend.capture.new_nodes import value_of

aten = torch.ops.aten
_CAST = aten._to_copy.default


def remove_casts(graph: Graph) -> None:
    """Read narrow images as they are, where nobody reads the wide elements."""
    for node in list(graph.nodes):
        if node.target is not aten.index.Tensor:
            continue
        cast: Any = node.args[0]
        copies = [user for user in node.users if user.target is aten.clone.default]
        ends = [user for one in (node, *copies) for user in one.users]
        ends = [user for user in ends if user not in copies]
        if not _widens(cast) or not all(_undoes(user, cast) for user in ends):
            continue
        node.replace_input_with(cast, cast.args[0])
        for one in (node, *copies):
            one.meta["val"] = value_of(one.target, one.args, one.kwargs)
        for user in ends:
            user.replace_all_uses_with(user.args[0])
            graph.erase_node(user)
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
