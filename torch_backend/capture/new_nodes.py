"""Calls that are added to a captured graph, with the values that torch infers."""

from __future__ import annotations

from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree


def value_of(target: Any, args: Any, kwargs: Any, like: Node | None = None) -> Any:
    """What torch infers for a call of nodes: its shape, type and strides.

    A call without tensors is in the trace of the node that it is `like`.
    """
    given = torch.fx.map_arg((args, kwargs), lambda one: one.meta["val"])
    known = [] if like is None else [like.meta.get("val")]
    mode = detect_fake_mode(pytree.tree_leaves([given, known]))
    assert mode is not None
    with mode, torch.no_grad():
        return target(*given[0], **given[1])


def add_call(graph: Graph, like: Node, op: Any, *args: Any, **kwargs: Any) -> Node:
    """A call at the graph's point of insertion, at the place in the model of a node."""
    made = graph.call_function(op, args, kwargs)
    made.meta = {**like.meta, "val": value_of(op, args, kwargs, like)}
    return made
