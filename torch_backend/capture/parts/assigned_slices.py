"""Reads of assigned slices are reads of what was assigned; what is covered is dropped.

    y[:, ::2, ::2] = a        # a slice of y, written and put back into y
    y[:, ::2, 1::2] = b

torch reads the rows `y[:, ::2]` again for the second assignment, out of the new y:

    rows = slice(slice_scatter(y, first, 1, ::2), 1, ::2)    # is `first`
    slice_scatter(slice_scatter(y, first, 1, ::2), second, 1, ::2)    # without `first`

Slices that take turns and fill y are a stack, `stack([even, odd], -1).flatten(-2)`, if
no element-wise op reads y: such an op would compute what was assigned. Then one kernel
computes all parts of y; before, y was stored after each assignment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    leaving,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.loops.sliced_elements import is_elementwise
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_MOST_TURNS = 4
"""Neighbours in memory that one kernel stores as whole lines."""
_READERS = (aten.slice.Tensor, aten.slice_scatter.default, aten.copy.default)


@dataclass(frozen=True)
class Places:
    """The places along a dimension that a slice has."""

    dim: int
    places: range

    def lie_apart(self, other: Places) -> bool:
        """Whether no place of the same dimension is in both."""
        a, b = self.places, other.places
        in_turn = (a.start - b.start) % math.gcd(a.step, b.step) != 0
        return self.dim == other.dim and (in_turn or a[-1] < b[0] or b[-1] < a[0])

    def has(self, other: Places) -> bool:
        """Whether the places of another slice are all in this one."""
        a, b = self.places, other.places
        return (
            self.dim == other.dim and b[0] in a and b[-1] in a and b.step % a.step == 0
        )


def read_assigned(graph: Graph) -> None:
    """Let slices and assignments skip the assignments that they do not depend on."""
    kept = leaving(graph)
    for node in list(graph.nodes):
        places = _places(node)
        if places is None:
            continue
        if node.target is not aten.slice.Tensor:
            new = _written(graph, node, places)
        elif node not in kept:
            new = _read(graph, node, places)
        else:
            new = None
        if new is None:
            continue
        unread = [new]
        if node not in kept or _lie_alike(node, new):
            unread = node.all_input_nodes
            replace_node(graph, node, new)
        erase_unread(graph, unread)
    kept = leaving(graph)
    for node in list(graph.nodes):
        if (turns := _turns(node)) is not None and not _is_fused(node):
            _stack(graph, node, *turns, is_result=node in kept)


def _places(node: Node) -> Places | None:
    """The places that a slice reads or an assignment writes."""
    first = {aten.slice.Tensor: 1, aten.slice_scatter.default: 2}.get(node.target)  # pyright: ignore[reportArgumentType]
    shape = shape_of(node.args[0]) if first is not None else None
    if first is None or shape is None:
        return None
    rest: Any = node.args[first:]
    dim: Any
    dim, *limits = (*rest, *(0, None, None, 1)[len(rest) :])
    if node.kwargs or any(not isinstance(limit, int | None) for limit in limits):
        return None
    dim %= len(shape)
    places = range(shape[dim])[slice(*limits)]
    return Places(dim, places) if places else None


def _read(graph: Graph, node: Node, places: Places) -> Node | None:
    """What a slice has of the last assignment that it depends on."""
    if not all(u.target in _READERS or is_elementwise(u) for u in node.users):
        return None
    base: Any = node.args[0]
    while (written := _assigned(base)) is not None:
        if written == places:
            return base.args[1] if _kind(base.args[1]) == _kind(node) else None
        if not written.lie_apart(places):
            break
        base = base.args[0]
    return _on(graph, node, base)


def _written(graph: Graph, node: Node, places: Places) -> Node | None:
    """An assignment without those before it whose places it writes again."""
    base: Any = node.args[0]
    while (written := _assigned(base)) is not None and places.has(written):
        base = base.args[0]
    return _on(graph, node, base)


def _assigned(node: Node) -> Places | None:
    return _places(node) if node.target is aten.slice_scatter.default else None


def _on(graph: Graph, node: Node, base: Node) -> Node | None:
    """The same call on an earlier tensor; None if it is the same one."""
    if base is node.args[0]:
        return None
    with graph.inserting_before(node):
        return add_call(graph, node, node.target, base, *node.args[1:])


def _is_fused(node: Node) -> bool:
    """Whether an element-wise op reads an assignment, or the next one goes on."""
    return any(
        is_elementwise(user) or (user.target is node.target and user.args[0] is node)
        for user in node.users
    )


def _turns(node: Node) -> tuple[int, list[Node]] | None:
    """The dimension and the tensors of assignments that take turns along it."""
    last = _assigned(node)
    count = last.places.step if last is not None else 0
    if last is None or not 2 <= count <= _MOST_TURNS:
        return None
    found: dict[int, Node] = {}
    base: Any = node
    while len(found) < count and (written := _assigned(base)) is not None:
        is_alike = written.dim == last.dim and written.places.step == count
        if not is_alike or len(written.places) != len(last.places):
            return None
        found.setdefault(written.places.start, base.args[1])
        base = base.args[0]
    extent = (shape_of(node) or ())[last.dim]
    if sorted(found) != list(range(count)) or len(last.places) * count != extent:
        return None
    kinds = {_kind(one) for one in (node, *found.values())}
    return (
        (last.dim, [found[start] for start in range(count)])
        if len(kinds) == 1
        else None
    )


def _stack(
    graph: Graph, node: Node, dim: int, parts: Sequence[Node], *, is_result: bool
) -> None:
    """Stack tensors that take turns along a dimension; a result keeps its strides."""
    with graph.inserting_before(node):
        rows = [
            add_call(graph, node, aten.unsqueeze.default, part, dim + 1)
            for part in parts
        ]
        joined = add_call(graph, node, aten.cat.default, rows, dim + 1)
        shape = list(shape_of(node) or ())
        made = add_call(graph, node, aten.view.default, joined, shape)
    if is_result and not _lie_alike(node, made):
        erase_unread(graph, [made])
        return
    before = node.all_input_nodes
    replace_node(graph, node, made)
    erase_unread(graph, before)


def _kind(node: Node) -> torch.dtype:
    return node.meta["val"].dtype


def _lie_alike(one: Node, two: Node) -> bool:
    """Whether two tensors have the same strides."""
    return one.meta["val"].stride() == two.meta["val"].stride()
