"""Slices come before element-wise ops, where their results are only read in slices.

    gates = a + b                        # the gates of an LSTM, side by side
    enter, forget = gates.chunk(2, 1)
    enter.sigmoid() * forget.tanh()

becomes

    a0, a1 = a.chunk(2, 1)
    b0, b1 = b.chunk(2, 1)
    (a0 + b0).sigmoid() * (a1 + b1).tanh()

One kernel then reads `a` and `b` at several places; before, `gates` had to be stored.
Parts that overlap stay: whether to compute an element twice is up to the planner.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable

from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    is_elementwise,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.slices import (
    MOST_PARTS,
    Part,
    mapped,
    part_of,
    taken,
)


def slice_first(graph: Graph) -> None:
    """Move slices in front of the element-wise ops whose results they cut up."""
    for node in reversed(list(graph.nodes)):
        if not is_elementwise(node):
            continue
        parts = _parts(node)
        if parts and all(_can_take(node, part) for part in parts.values()):
            _move(graph, node, parts)


def _parts(node: Node) -> dict[Node, Part] | None:
    """The slices of a node to compute for themselves; None if it is better stored."""
    slices: list[Node] = []
    for user in node.users:
        if user.target is operator.getitem:
            return None
        pieces = [one for one in user.users if one.target is operator.getitem]
        is_split = bool(pieces) and len(pieces) == len(user.users)
        slices += pieces if is_split else [user]
    found: dict[Node, Part] = {}
    for one in slices:
        part = part_of(one)
        is_read = all(is_elementwise(user) for user in one.users)
        if part is None or part.indices.step != 1 or not is_read:
            return None
        found[one] = part
    if len(set(found.values())) > MOST_PARTS or _overlap(found.values()):
        return None
    return found


def _overlap(parts: Iterable[Part]) -> bool:
    """Whether an element is in two different parts."""
    if len({part.dim for part in parts}) > 1:
        return True
    ordered = sorted({(part.start, part.start + part.size) for part in parts})
    return any(b[0] < a[1] for a, b in itertools.pairwise(ordered))


def _can_take(node: Node, part: Part) -> bool:
    """Whether all operands have the part; a scalar would change what types promote."""
    rank = len(shape_of(node) or ())
    for operand in node.all_input_nodes:
        shape = shape_of(operand)
        if shape is None:
            return False
        dim = part.dim - (rank - len(shape))
        if part.drops_dim and dim >= 0 and len(shape) == 1:
            return False
    return not part.drops_dim or rank > 1


def _move(graph: Graph, node: Node, parts: dict[Node, Part]) -> None:
    rank = len(shape_of(node) or ())
    splits: set[Node] = set()
    made: dict[Part, Node] = {}
    for old, part in parts.items():
        splits |= set(old.all_input_nodes)

        def of(operand: Node, part: Part = part) -> Node:
            return taken(graph, node, operand, part, rank)

        if part not in made:
            with graph.inserting_before(node):
                args, kwargs = mapped(node, of)
                made[part] = add_call(graph, node, node.target, *args, **kwargs)
        replace_node(graph, old, made[part])
    erase_unread(graph, {*splits, node})
