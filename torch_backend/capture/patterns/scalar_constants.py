"""Constants of one number: `torch.min(x, torch.tensor(0.5))`.

torch keeps such a tensor outside of the graph, on the CPU unless the model says
otherwise. As an `aten.full` on the device of the op that reads it, it is payload.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import GraphModule, Node

aten = torch.ops.aten


def fill_constants(graph: GraphModule) -> None:
    """Replace constants of rank 0 by `aten.full`."""
    for node in list(graph.graph.nodes):
        if node.op != "get_attr":
            continue
        value = getattr(graph, str(node.target), None)
        if isinstance(value, torch.Tensor) and value.dim() == 0:
            copies = [u for u in node.users if u.target is aten.lift_fresh_copy.default]
            for one in (*copies, node):
                _fill(graph, one, value)


def _fill(graph: GraphModule, node: Node, value: torch.Tensor) -> None:
    device = _device_of_users(node)
    mode = detect_fake_mode(node.meta.get("val"))
    if device is None or mode is None or value.is_complex():
        return
    with unset_fake_temporarily():
        number = value.item()
    kwargs: dict[str, Any] = {"dtype": value.dtype, "device": device}
    with graph.graph.inserting_before(node):
        made = graph.graph.call_function(aten.full.default, ([], number), kwargs)
    with mode:
        made.meta = {**node.meta, "val": aten.full.default([], number, **kwargs)}
    node.replace_all_uses_with(made)
    graph.graph.erase_node(node)


def _device_of_users(node: Node) -> torch.device | None:
    """The device of the ops that read a node; None if something needs its own."""
    found = {_device(user) for user in node.users}
    return found.pop() if len(found) == 1 else None


def _device(node: Node) -> torch.device | None:
    value = node.meta.get("val")
    if node.op != "call_function" or not isinstance(value, torch.Tensor):
        return None
    return value.device
