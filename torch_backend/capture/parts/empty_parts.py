"""Concats without their empty parts: a cache of keys begins with no elements.

    cat([empty, keys], 2)    ->    clone(keys)

Payloads have no empty tensors, so the concat would stay in torch, between payloads.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import erase_unread, shape_of
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten


def drop_empty_parts(graph: Graph) -> None:
    """Leave empty tensors out of concats, whose result is the same without them."""
    for node in graph.find_nodes(op="call_function", target=aten.cat.default):
        parts: Any = node.args[0]
        kept = [part for part in parts if 0 not in (shape_of(part) or ())]
        if not kept or len(kept) == len(parts):
            continue
        with graph.inserting_before(node):
            made = (
                add_call(graph, node, aten.cat.default, kept, *node.args[1:])
                if len(kept) > 1
                else _copy(graph, node, kept[0])
            )
        if not _is_alike(made, node):
            graph.erase_node(made)
            continue
        node.replace_all_uses_with(made)
        dropped = [part for part in parts if part not in kept]
        erase_unread(graph, [node, *dropped])


def _copy(graph: Graph, node: Node, part: Node) -> Node:
    contiguous = torch.contiguous_format
    return add_call(graph, node, aten.clone.default, part, memory_format=contiguous)


def _is_alike(one: Node, other: Node) -> bool:
    """Whether two results have the same shape, element type and strides."""
    a, b = one.meta["val"], other.meta["val"]
    return (a.shape, a.dtype, a.stride()) == (b.shape, b.dtype, b.stride())
