"""Products of joined rows in a loop are taken apart: one part is there for all steps.

    for step in range(steps):
        gates = torch.cat([x[:, step], hidden], 1) @ weight

becomes

    for step in range(steps):
        gates = x[:, step] @ weight[:n] + hidden @ weight[n:]

`join_products` then multiplies x of all steps at once: a step has a shorter sum, and
joins nothing. Narrow floats would be rounded once more, so they stay as they are.
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
from tilewright.torch_backend.capture.loops.sliced_products import Rows, rows_of
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten

_TYPES = (torch.float32, torch.float64)
_PARTS = 2


@dataclass(frozen=True)
class _Joined:
    """A product whose rows are joined from two tensors."""

    rows: Node
    weight: Node
    bias: Node | None
    parts: tuple[Node, ...]
    widths: tuple[int, ...]
    """The columns of each part."""


def separate_rows(graph: Graph) -> None:
    """Take products of joined rows apart where a part is a slice in every step."""
    groups: dict[Any, dict[Node, _Joined]] = {}
    for node in graph.nodes:
        found = _joined(node)
        if found is not None:
            key = (found.weight, found.bias, found.widths)
            groups.setdefault(key, {})[node] = found
    for members in groups.values():
        at = _sliced_part(list(members.values()))
        if at is not None:
            _separate(graph, members, at)


def _joined(node: Node) -> _Joined | None:
    """What a product of joined rows multiplies; None for other calls."""
    if node.kwargs or node.target not in (aten.mm.default, aten.addmm.default):
        return None
    *added, rows, weight = node.args
    value = node.meta.get("val")
    if not isinstance(rows, Node) or not isinstance(weight, Node):
        return None
    if value is None or value.dtype not in _TYPES or shape_of(weight) is None:
        return None
    bias = added[0] if added else None
    if bias is not None and len(shape_of(bias) or ()) != 1:
        return None
    if rows.target is not aten.cat.default or len(rows.args) != _PARTS:
        return None
    parts: Any
    parts, dim = rows.args
    shapes = [shape_of(part) for part in parts]
    if dim not in (1, -1) or len(parts) != _PARTS:
        return None
    if any(shape is None or len(shape) != _PARTS for shape in shapes):
        return None
    widths = tuple(shape[1] for shape in shapes if shape is not None)
    assert bias is None or isinstance(bias, Node)
    return _Joined(rows, weight, bias, tuple(parts), widths)


def _sliced_part(members: list[_Joined]) -> int | None:
    """The part that is another slice of one tensor in every product."""
    if len(members) < 2:
        return None
    for at in range(_PARTS):
        found = [rows_of(each.parts[at]) for each in members]
        sliced = [rows for rows in found if isinstance(rows, Rows)]
        if len(sliced) < len(found) or len({r.base_key for r in sliced}) > 1:
            continue
        if len({rows.part.start for rows in sliced}) > 1:
            return at
    return None


def _separate(graph: Graph, members: dict[Node, _Joined], at: int) -> None:
    """The sum of two products for each; the bias is added to the one for all steps."""
    first, any_joined = next(iter(members.items()))
    width, weight = any_joined.widths[0], any_joined.weight
    end = sum(any_joined.widths)
    with graph.inserting_before(first):
        weights = [
            add_call(graph, first, aten.slice.Tensor, weight, 0, *ends)
            for ends in ((0, width), (width, end))
        ]
    for node, joined in members.items():
        given, rest = joined.parts[at], joined.parts[1 - at]
        added = () if joined.bias is None else (joined.bias,)
        with graph.inserting_before(node):
            of_all = add_call(graph, node, node.target, *added, given, weights[at])
            own = add_call(graph, node, aten.mm.default, rest, weights[1 - at])
            total = add_call(graph, node, aten.add.Tensor, own, of_all)
        replace_node(graph, node, total)
        erase_unread(graph, [joined.rows])
