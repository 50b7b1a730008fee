"""Equal products of slices of one tensor become one product of the tensor.

    for step in range(steps):
        gates = x[:, step] @ weight + hidden @ recurrent

becomes

    projected = x @ weight
    for step in range(steps):
        gates = projected[:, step] + hidden @ recurrent

A product of all steps reads the weight once and fills the card. What lies between the
slice and the product may be an embedding or element-wise ops of one tensor, such as a
conversion: those are then applied to the whole tensor too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    is_elementwise,
    leaves,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.slices import Part, part_of, take

aten = torch.ops.aten

_ROWS = {aten.mm.default: 0, aten.addmm.default: 1}
"""The operand whose rows a product multiplies, by op."""
_VIEWS = (
    aten.view.default,
    aten._unsafe_view.default,
    aten.unsqueeze.default,
    aten.squeeze.dim,
    aten.squeeze.dims,
)
_HOLE = "the tensor itself"


@dataclass(frozen=True)
class Rows:
    """Rows of a product: a part of a tensor, and ops that were applied to it."""

    part: Part
    steps: tuple[Node, ...] = ()

    @property
    def base_key(self) -> Any:
        """What the rows of one tensor share, after equal ops."""
        part = self.part
        steps = tuple(_step_key(step) for step in self.steps)
        return part.base, part.dim, part.size, part.drops_dim, steps


def join_products(graph: Graph) -> None:
    """Replace products of slices of one tensor by slices of one product."""
    groups: dict[Any, dict[Node, Rows]] = {}
    for node in graph.nodes:
        rows = _rows_of_product(node)
        if rows is not None:
            key = (_product_key(node), rows.base_key)
            groups.setdefault(key, {})[node] = rows
    for members in groups.values():
        if len(members) > 1:
            _join(graph, members)


def _product_key(node: Node) -> Any:
    at = _ROWS[node.target]  # pyright: ignore[reportArgumentType]
    others = tuple(arg for i, arg in enumerate(node.args) if i != at)
    return node.target, others, tuple(sorted(node.kwargs.items()))


def _step_key(step: Node) -> Any:
    at = _tensor_position(step)
    args = tuple(_HOLE if i == at else arg for i, arg in enumerate(step.args))
    return step.target, args, tuple(sorted(step.kwargs.items()))


def _rows_of_product(node: Node) -> Rows | None:
    """The rows of a product whose result differs from row to row only in them."""
    at = _ROWS.get(node.target) if node.op == "call_function" else None  # pyright: ignore[reportArgumentType]
    if at is None or shape_of(node) is None or leaves(node):
        return None
    if node.target is aten.addmm.default:
        bias = shape_of(node.args[0])
        if bias is None or math.prod(bias[:-1]) != 1:
            return None
    rows = node.args[at]
    return rows_of(rows) if isinstance(rows, Node) else None


def rows_of(node: Node, steps: tuple[Node, ...] = ()) -> Rows | None:
    """The part of a tensor that rows are, and the ops in between; None if not one."""
    shape = shape_of(node)
    if shape is None:
        return None
    part = part_of(node)
    if part is not None and part.indices.step == 1:
        whole = shape_of(part.base)
        if whole is not None and part.size == whole[part.dim] and not part.drops_dim:
            return rows_of(part.base, steps)
        # The columns of the rows must be whole: an embedding makes them.
        is_made = any(step.target is aten.embedding.default for step in steps)
        if whole is None or (part.dim == len(whole) - 1 and not is_made):
            return None
        return Rows(part, steps)
    at = _tensor_position(node)
    if at is not None:
        return rows_of(node.args[at], (node, *steps))  # pyright: ignore[reportArgumentType]
    if node.target in _VIEWS:
        given: Any = node.args[0]
        before = shape_of(given)
        is_made = any(step.target is aten.embedding.default for step in steps)
        if before and shape and (is_made or before[-1] == shape[-1]):
            return rows_of(given, steps)
    return None


def _tensor_position(node: Node) -> int | None:
    """Which argument an op of one tensor is applied to, place by place."""
    if node.target is aten.embedding.default:
        return 1
    if is_elementwise(node) and len(node.all_input_nodes) == 1:
        given = node.all_input_nodes[0]
        if shape_of(given) == shape_of(node) and node.args[0] is given:
            return 0 if node.args.count(given) == 1 else None
    return None


def _join(graph: Graph, members: dict[Node, Rows]) -> None:
    first, any_rows = next(iter(members.items()))
    part = any_rows.part
    starts = {rows.part.start for rows in members.values()}
    low, high = min(starts), max(starts) + part.size
    if starts != set(range(low, high, part.size)):
        return
    with graph.inserting_before(first):
        whole = _whole_product(graph, first, any_rows, low, high)
        taken: dict[int, Node] = {}
        for start in starts:
            moved = replace(part, indices=range(start - low, start - low + part.size))
            taken[start] = take(graph, first, whole, moved, part.dim)
    for node, rows in members.items():
        new = taken[rows.part.start]
        if shape_of(new) != shape_of(node):
            with graph.inserting_after(new):
                new = add_call(graph, node, aten.view.default, new, shape_of(node))
        rows_node = set(node.all_input_nodes)
        replace_node(graph, node, new)
        erase_unread(graph, rows_node)


def _whole_product(graph: Graph, first: Node, rows: Rows, low: int, high: int) -> Node:
    """The product of all rows, in the shape of the tensor that they are parts of."""
    part, base = rows.part, rows.part.base
    if high - low != (shape_of(base) or ())[part.dim]:
        base = add_call(graph, first, aten.slice.Tensor, base, part.dim, low, high)
    for step in rows.steps:
        at = _tensor_position(step)
        args = [base if i == at else arg for i, arg in enumerate(step.args)]
        base = add_call(graph, step, step.target, *args, **step.kwargs)
    shape: list[int] = list(base.meta["val"].shape)
    if not base.meta["val"].is_contiguous():
        contiguous = {"memory_format": torch.contiguous_format}
        base = add_call(graph, first, aten.clone.default, base, **contiguous)
    flat = [math.prod(shape[:-1]), shape[-1]]
    base = add_call(graph, first, aten.view.default, base, flat)
    at = _ROWS[first.target]  # pyright: ignore[reportArgumentType]
    args = [base if i == at else arg for i, arg in enumerate(first.args)]
    product = add_call(graph, first, first.target, *args, **first.kwargs)
    columns = product.meta["val"].shape[-1]
    return add_call(graph, first, aten.view.default, product, [*shape[:-1], columns])
