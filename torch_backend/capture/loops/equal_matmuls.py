"""Matmuls of different rows with one weight become one matmul, as in a loop.

    for step in range(steps):
        hidden = cell(x[:, step] @ weight + hidden @ recurrent)

becomes

    projected = x @ weight
    for step in range(steps):
        hidden = cell(projected[:, step] + hidden @ recurrent)

One matmul reads the weight once and fills the GPU. Between a slice and its matmul there
may be an embedding or element-wise ops of one tensor, such as a conversion: those are
applied to the whole tensor too.
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

_ROWS: dict[Any, int] = {aten.mm.default: 0, aten.addmm.default: 1}
"""The operand whose rows a matmul multiplies, by op."""
_VIEWS = (
    aten.view.default,
    aten._unsafe_view.default,
    aten.unsqueeze.default,
    aten.squeeze.dim,
    aten.squeeze.dims,
)
_HOLE = "the tensor itself"


def merge_matmuls(graph: Graph) -> None:
    """Replace equal matmuls of slices of one tensor by slices of one matmul."""
    groups: dict[Any, dict[Node, _Rows]] = {}
    for node in graph.nodes:
        rows = _rows_of(node.args[_ROWS[node.target]]) if _is_matmul(node) else None
        if rows is not None and not leaves(node):
            key = (_matmul_key(node), rows.base_key)
            groups.setdefault(key, {})[node] = rows
    for members in groups.values():
        if len(members) > 1:
            _join_sliced(graph, members)


def _is_matmul(node: Node) -> bool:
    """Whether each row of a result depends on one row of an operand."""
    if node.target not in _ROWS or shape_of(node) is None:
        return False
    bias = shape_of(node.args[0]) if node.target is aten.addmm.default else ()
    return bias is not None and math.prod(bias[:-1]) == 1


def _matmul_key(node: Node) -> Any:
    at = _ROWS[node.target]
    others = tuple(arg for i, arg in enumerate(node.args) if i != at)
    return node.target, others, tuple(sorted(node.kwargs.items()))


def _multiplied(graph: Graph, like: Node, matmul: Node, rows: Node) -> Node:
    """The matmul of other rows, of any number of dimensions, in their shape."""
    *shape, length = rows.meta["val"].shape
    if not rows.meta["val"].is_contiguous():
        contiguous = {"memory_format": torch.contiguous_format}
        rows = add_call(graph, like, aten.clone.default, rows, **contiguous)
    rows = add_call(graph, like, aten.view.default, rows, [math.prod(shape), length])
    at = _ROWS[matmul.target]
    args = [rows if i == at else arg for i, arg in enumerate(matmul.args)]
    made = add_call(graph, like, matmul.target, *args, **matmul.kwargs)
    columns = made.meta["val"].shape[-1]
    return add_call(graph, like, aten.view.default, made, [*shape, columns])


@dataclass(frozen=True)
class _Rows:
    """Rows of a matmul: a part of a tensor, and ops that were applied to it."""

    part: Part
    steps: tuple[Node, ...] = ()

    @property
    def base_key(self) -> Any:
        """What the rows of one tensor share, after equal ops."""
        part = self.part
        steps = tuple(map(_step_key, self.steps))
        return part.base, part.dim, part.size, part.drops_dim, steps


def _step_key(step: Node) -> Any:
    at = _tensor_position(step)
    args = tuple(_HOLE if i == at else arg for i, arg in enumerate(step.args))
    return step.target, args, tuple(sorted(step.kwargs.items()))


def _rows_of(node: Any, steps: tuple[Node, ...] = ()) -> _Rows | None:
    """The part of a tensor that rows are, and the ops in between; None if not one."""
    shape = shape_of(node)
    if shape is None:
        return None
    # The columns of the rows must be whole: an embedding makes them.
    is_made = any(step.target is aten.embedding.default for step in steps)
    part = part_of(node)
    if part is not None and part.indices.step == 1:
        whole = shape_of(part.base) or ()
        if part.size == whole[part.dim] and not part.drops_dim:
            return _rows_of(part.base, steps)
        cuts_columns = part.dim == len(whole) - 1 and not is_made
        return None if cuts_columns else _Rows(part, steps)
    at = _tensor_position(node)
    if at is not None:
        return _rows_of(node.args[at], (node, *steps))
    if node.target in _VIEWS:
        before = shape_of(node.args[0])
        if before and shape and (is_made or before[-1] == shape[-1]):
            return _rows_of(node.args[0], steps)
    return None


def _tensor_position(node: Node) -> int | None:
    """Which argument an op of one tensor is applied to, element by element."""
    if node.target is aten.embedding.default:
        return 1
    if is_elementwise(node) and len(node.all_input_nodes) == 1:
        given = node.all_input_nodes[0]
        if shape_of(given) == shape_of(node) and node.args[0] is given:
            return 0 if node.args.count(given) == 1 else None
    return None


def _join_sliced(graph: Graph, members: dict[Node, _Rows]) -> None:
    """Replace matmuls of slices that lie side by side by slices of one matmul."""
    first, any_rows = next(iter(members.items()))
    part = any_rows.part
    starts = {rows.part.start for rows in members.values()}
    low, high = min(starts), max(starts) + part.size
    if starts != set(range(low, high, part.size)):
        return
    with graph.inserting_before(first):
        base = part.base
        if high - low != (shape_of(base) or ())[part.dim]:
            base = add_call(graph, first, aten.slice.Tensor, base, part.dim, low, high)
        for step in any_rows.steps:
            at = _tensor_position(step)
            args = [base if i == at else arg for i, arg in enumerate(step.args)]
            base = add_call(graph, step, step.target, *args, **step.kwargs)
        whole = _multiplied(graph, first, first, base)
        taken: dict[int, Node] = {}
        for start in starts:
            indices = range(start - low, start - low + part.size)
            moved = replace(part, indices=indices)
            taken[start] = take(graph, first, whole, moved, part.dim)
    for node, rows in members.items():
        new = taken[rows.part.start]
        if shape_of(new) != shape_of(node):
            with graph.inserting_after(new):
                new = add_call(graph, node, aten.view.default, new, shape_of(node))
        read = set(node.all_input_nodes)
        replace_node(graph, node, new)
        erase_unread(graph, read)
