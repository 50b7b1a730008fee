"""Slices come before element-wise ops, where their results are only read in slices.

    gates = a + b                        # the gates of an LSTM, side by side
    enter, forget = gates.chunk(2, 1)
    enter.sigmoid() * forget.tanh()

becomes

    a0, a1 = a.chunk(2, 1)
    b0, b1 = b.chunk(2, 1)
    (a0 + b0).sigmoid() * (a1 + b1).tanh()

One kernel then reads `a` and `b` at several places; before, `gates` had to be stored.
Parts that overlap, such as `d[1:] - d[:-1]`, are computed twice: cheap ops alone, and
only where that reads no more bytes. An op that reductions read whole is computed again
for a slice of few elements.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable
from typing import Any

import torch
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

aten = torch.ops.aten

_CHEAP = {
    *(aten.add, aten.sub, aten.rsub, aten.mul, aten.neg, aten.abs, aten.square),
    *(aten.maximum, aten.minimum, aten.clamp, aten.clamp_min, aten.clamp_max),
    *(aten.relu, aten.where, aten.addcmul, aten._to_copy),
}
"""Ops of an instruction or two, which may be computed twice."""
_FEW = 1 / 8
"""The share of a dimension whose elements may be computed again."""


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
    others: list[Node] = []
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
            others.append(one)
        else:
            found[one] = part
    if not found or len(set(found.values())) > MOST_PARTS:
        return None
    overlap = _overlap(found.values())
    if (overlap or others) and not _is_cheap(node):
        return None
    if others:
        is_few = sum(_share(node, part) for part in found.values()) <= _FEW
        return found if is_few and all(map(_reduces, others)) else None
    return found if not overlap or _reads_less(node, found) else None


def _overlap(parts: Iterable[Part]) -> bool:
    """Whether an element is in two different parts."""
    if len({part.dim for part in parts}) > 1:
        return True
    ordered = sorted({(part.start, part.start + part.size) for part in parts})
    return any(b[0] < a[1] for a, b in itertools.pairwise(ordered))


def _share(node: Node, part: Part) -> float:
    """The share of a node's elements that a part has."""
    return part.size / (shape_of(node) or ())[part.dim]


def _is_cheap(node: Node) -> bool:
    target: Any = node.target
    is_square = target is aten.pow.Tensor_Scalar and node.args[1] in (2, 2.0)
    return is_square or target.overloadpacket in _CHEAP


def _reduces(node: Node) -> bool:
    return torch.Tag.reduction in getattr(node.target, "tags", ())


def _reads_less(node: Node, parts: dict[Node, Part]) -> bool:
    """Whether to read the operands for each reader of parts is less than to store.

    Parts that one op reads are mostly the same bytes.
    """
    shape = shape_of(node)
    whole = sum(shape_of(operand) == shape for operand in node.all_input_nodes)
    shares: dict[Node, float] = {}
    for one, part in parts.items():
        for reader in list(one.users)[:1]:
            shares[reader] = max(shares.get(reader, 0.0), _share(node, part))
    reads = sum(shares.values())
    return whole * reads <= whole + 1 + reads


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
