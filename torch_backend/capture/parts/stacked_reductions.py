"""Reductions along a stack of a few tensors combine the tensors.

    torch.stack([a, b, c]).mean(0)

becomes

    ((a + b) + c) / 3

The stack is not stored for it, and what computes the tensors is in the same kernel.
Sums of narrow floats stay: torch rounds them once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.slices import MOST_PARTS

aten = torch.ops.aten
_COMBINED: dict[Any, Any] = {
    aten.sum.dim_IntList: aten.add.Tensor,
    aten.mean.dim: aten.add.Tensor,
    aten.amax.default: aten.maximum.default,
    aten.amin.default: aten.minimum.default,
}
_WIDE = (torch.float32, torch.float64)


def combine_stacks(graph: Graph) -> None:
    """Replace the reductions of stacks that nothing else reads."""
    for node in list(graph.nodes):
        stack = _stack(node)
        if stack and all(_reduces(reader, stack) for reader in node.users):
            for reader in list(node.users):
                _replace(graph, reader, stack)
            erase_unread(graph, [node])


@dataclass(frozen=True)
class _Stack:
    node: Node
    parts: list[Node]
    dim: int


def _stack(node: Node) -> _Stack | None:
    """A stack: torch joins its tensors, and then splits the dimension of the join."""
    join: Any = node.args[0] if node.target is aten.view.default else None
    if not isinstance(join, Node) or join.target is not aten.cat.default:
        return None
    parts: Any = join.args[0]
    shapes = [shape_of(one) for one in parts]
    kinds = {one.meta["val"].dtype for one in (*parts, join)}
    if not 2 <= len(parts) <= MOST_PARTS or len({*shapes, None}) != 2:
        return None
    if len(kinds) != 1 or kinds.isdisjoint(_WIDE) or len(join.users) != 1:
        return None
    shape = shapes[0] or ()
    dim: Any = join.args[1] if len(join.args) > 1 else 0
    dim %= len(shape)
    wanted = (*shape[:dim], len(parts), *shape[dim:])
    return _Stack(node, list(parts), dim) if shape_of(node) == wanted else None


def _reduces(reader: Node, stack: _Stack) -> bool:
    """Whether an op reduces along a stack alone, in the type of its elements."""
    dims: Any = reader.args[1] if len(reader.args) > 1 else None
    if reader.target not in _COMBINED or reader.kwargs or not isinstance(dims, list):
        return False
    rank = len(shape_of(stack.node) or ())
    return [dim % rank for dim in dims] == [stack.dim]


def _replace(graph: Graph, reader: Node, stack: _Stack) -> None:
    is_kept = len(reader.args) > 2 and bool(reader.args[2])
    with graph.inserting_before(reader):
        made, *others = stack.parts
        for one in others:
            made = add_call(graph, reader, _COMBINED[reader.target], made, one)
        if reader.target is aten.mean.dim:
            made = add_call(graph, reader, aten.div.Tensor, made, len(stack.parts))
        if is_kept:
            made = add_call(graph, reader, aten.unsqueeze.default, made, stack.dim)
    if made.meta["val"].stride() == reader.meta["val"].stride():
        replace_node(graph, reader, made)
    else:
        erase_unread(graph, [made])
