"""Equal products whose results are joined become one product of joined rows.

    for step in range(steps):
        hidden = cell(x[:, step], hidden)
        outputs.append(hidden @ weight)
    return torch.stack(outputs, 1)

becomes

    for step in range(steps):
        hidden = cell(x[:, step], hidden)
        states.append(hidden)
    return torch.stack(states, 1) @ weight

The product of one step is a call that leaves most of the card idle.
"""

from __future__ import annotations

import math
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

aten = torch.ops.aten

_ROWS = {aten.mm.default: 0, aten.addmm.default: 1}
"""The operand whose rows a product multiplies, by op."""
_VIEWS = (aten.view.default, aten.unsqueeze.default)
_MANY_ROWS = 1024
"""Products of more rows fill a card by themselves."""


@dataclass(frozen=True)
class _Part:
    """A joined tensor: a product, seen in some shape."""

    product: Node
    shape: tuple[int, ...]

    @property
    def rows(self) -> Any:
        """The rows that are multiplied."""
        return self.product.args[_ROWS[self.product.target]]  # pyright: ignore[reportArgumentType]

    @property
    def key(self) -> Any:
        """What equal products share."""
        at = _ROWS[self.product.target]  # pyright: ignore[reportArgumentType]
        others = tuple(arg for i, arg in enumerate(self.product.args) if i != at)
        return self.product.target, others, tuple(self.product.kwargs.items())


def join_stacked(graph: Graph) -> None:
    """Replace joined products of one weight by a product of joined rows."""
    for node in list(graph.nodes):
        if node.target is aten.cat.default:
            parts = _parts(node)
            joined = None if parts is None else _stacked(node, len(parts))
            if parts is not None and joined is not None:
                _join(graph, node, joined, parts)


def _stacked(cat: Node, count: int) -> Node | None:
    """The node whose rows are those of the parts: a join along rows, or a view of it.

    torch stacks [rows, n] along dimension 1 as a join along the columns, which it sees
    as [rows, parts, n].
    """
    shape: Any = shape_of(cat)
    dim: Any = cat.args[1] if len(cat.args) > 1 else 0
    if dim % len(shape) != len(shape) - 1:
        return cat
    (view,) = cat.users if len(cat.users) == 1 else (cat,)
    stacked = [*shape[:-1], count, shape[-1] // count]
    is_stacked = view.target is aten.view.default and view.args[1] == stacked
    return view if is_stacked else None


def _parts(cat: Node) -> list[_Part] | None:
    """The equal products that a node joins; None if it joins anything else."""
    tensors: Any = cat.args[0]
    if shape_of(cat) is None or len(tensors) < 2:
        return None
    parts = [_part(one) for one in tensors]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts) or len({part.key for part in found}) > 1:
        return None
    return found if len({part.product for part in found}) == len(found) else None


def _part(node: Node) -> _Part | None:
    """The product that only the join reads, through views that keep its columns."""
    shape = shape_of(node)
    if shape is None:
        return None
    while node.target in _VIEWS and len(node.users) == 1:
        node = node.args[0]  # pyright: ignore[reportAssignmentType]
    made = shape_of(node)
    if node.target not in _ROWS or made is None or len(node.users) != 1:
        return None
    if made[-1] != shape[-1] or made[0] > _MANY_ROWS:
        return None
    if node.target is aten.addmm.default:
        bias = shape_of(node.args[0])
        if bias is None or math.prod(bias[:-1]) != 1:
            return None
    return _Part(node, shape)


def _join(graph: Graph, cat: Node, old: Node, parts: list[_Part]) -> None:
    first, shape = parts[0], shape_of(old)
    length = (shape_of(first.rows) or (0,))[-1]
    assert shape is not None
    with graph.inserting_before(cat):
        rows = [
            add_call(
                graph, cat, aten.view.default, part.rows, [*part.shape[:-1], length]
            )
            if part.shape != shape_of(part.product)
            else part.rows
            for part in parts
        ]
        joined = add_call(graph, cat, aten.cat.default, rows, *cat.args[1:])
        flat = [math.prod(shape[:-1]), length]
        whole = add_call(graph, cat, aten.view.default, joined, flat)
        at = _ROWS[first.product.target]  # pyright: ignore[reportArgumentType]
        args = [whole if i == at else arg for i, arg in enumerate(first.product.args)]
        made = add_call(graph, cat, first.product.target, *args, **first.product.kwargs)
        new = add_call(graph, cat, aten.view.default, made, list(shape))
    before = set(old.all_input_nodes)
    replace_node(graph, old, new)
    erase_unread(graph, before)
