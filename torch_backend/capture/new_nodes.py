"""Calls that are added to a captured graph, with the values that torch infers."""

from __future__ import annotations

from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree


def value_of(target: Any, args: Any, kwargs: Any) -> Any:
    """What torch infers for a call of nodes: its shape, type and strides."""
    given = torch.fx.map_arg((args, kwargs), lambda one: one.meta["val"])
    mode = detect_fake_mode(pytree.tree_leaves(given))
    assert mode is not None
    with mode, torch.no_grad():
        return target(*given[0], **given[1])


def add_call(graph: Graph, like: Node, op: Any, *args: Any, **kwargs: Any) -> Node:
    """A call at the graph's point of insertion, at the place in the model of a node."""
    made = graph.call_function(op, args, kwargs)
    made.meta = {**like.meta, "val": value_of(op, args, kwargs)}
    return made
