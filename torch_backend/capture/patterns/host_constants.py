"""Constants that a model makes on the CPU for a GPU, made on the GPU.

`x[:, torch.arange(8)]` and `torch.tensor([1.0, 2.0], device=x.device)` begin on the
CPU, and each call would wait for a copy of them.

Before, with x on a GPU:

    places = aten.arange(8, device=cpu)
    y = aten.index(x, [None, places])

After:

    places = aten.arange(8, device=cuda)
    y = aten.index(x, [None, places])
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree

_NAMESPACES = ("aten", "prims")


def move_constants(graph: GraphModule) -> None:
    """Make constants on the graph's GPU that only ops on the GPU read in the end."""
    device = _only_gpu(graph)
    moved = _movable(graph) if device is not None else []
    mode = detect_fake_mode([node.meta.get("val") for node in moved])
    if device is None or mode is None:
        return
    for node in moved:
        if node.op == "get_attr":
            _copy_tensor(graph, node, device)
        elif _takes_device(node):
            given = {k: v for k, v in node.kwargs.items() if k != "pin_memory"}
            node.kwargs = {**given, "device": device}
        _infer(node, mode, device)


def _only_gpu(graph: GraphModule) -> torch.device | None:
    """The one device besides the CPU that tensors of a graph are on."""
    values = [node.meta.get("val") for node in graph.graph.nodes]
    found = {one.device for one in pytree.tree_leaves(values) if _is_tensor(one)}
    others = [device for device in found if device.type != "cpu"]
    return others[0] if len(others) == 1 and len(found) > 1 else None


def _movable(graph: GraphModule) -> list[Node]:
    """Nodes of constants on the CPU that nothing needs there, in their order."""
    found: dict[Node, None] = {}
    for node in graph.graph.nodes:
        if _is_constant(graph, node) and all(n in found for n in node.all_input_nodes):
            found[node] = None
    while kept := [node for node in found if not _can_move(node, found)]:
        for node in kept:
            del found[node]
    return list(found)


def _can_move(node: Node, moved: dict[Node, None]) -> bool:
    """Whether a node's operands move, and its readers move or are on the GPU."""
    return all(one in moved for one in node.all_input_nodes) and all(
        user in moved or (_is_call(user) and not _is_on_cpu(user))
        for user in node.users
    )


def _is_constant(graph: GraphModule, node: Node) -> bool:
    """Whether a node gives tensors on the CPU, the same at each call."""
    if not _is_on_cpu(node):
        return False
    if node.op == "get_attr":
        return type(getattr(graph, str(node.target), None)) is torch.Tensor
    tags = getattr(node.target, "tags", ())
    return _is_call(node) and torch.Tag.nondeterministic_seeded not in tags


def _is_call(node: Node) -> bool:
    """Whether a node calls an op of torch that writes nothing."""
    target = node.target
    if node.op != "call_function" or not isinstance(target, torch._ops.OpOverload):
        return target is operator.getitem
    return target.namespace in _NAMESPACES and not target._schema.is_mutable


def _is_on_cpu(node: Node) -> bool:
    """Whether something that a node gives is no tensor on a GPU."""
    values = pytree.tree_leaves(node.meta.get("val"))
    return not values or any(
        not _is_tensor(one) or one.device.type == "cpu" for one in values
    )


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def _takes_device(node: Node) -> bool:
    """Whether an op makes its result on a device that it is told."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return False
    names = {each.name for each in node.target._schema.arguments}
    return "device" in names and (
        node.kwargs.get("device") is not None or not node.all_input_nodes
    )


def _copy_tensor(graph: GraphModule, node: Node, device: torch.device) -> None:
    """Let a node read a copy of its tensor on a device."""
    name = f"{node.target}_on_{device.type}"
    with unset_fake_temporarily():
        setattr(graph, name, getattr(graph, str(node.target)).to(device))
    node.target = name


def _infer(node: Node, mode: FakeTensorMode, device: torch.device) -> None:
    """Infer what a node gives once more, on a device."""
    old = node.meta["val"]
    with mode, torch.no_grad():
        if node.op == "get_attr":
            node.meta["val"] = torch.empty_strided(
                old.shape, old.stride(), dtype=old.dtype, device=device
            )
            return
        given: Any = torch.fx.map_arg(
            (node.args, dict(node.kwargs)), lambda one: one.meta["val"]
        )
        node.meta["val"] = node.target(*given[0], **given[1])  # pyright: ignore[reportCallIssue]
