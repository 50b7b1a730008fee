"""Moves nodes to the payload that reads them, so that they are fused there.

The turns of a graph run nodes as soon as they can. So the first payload would have what
every layer computes of its weights alone, such as the factors of all batch norms: a
small kernel for each. Beside their readers these nodes cost no kernel. A view of a
tensor that an earlier payload or torch has made is read in the payload by its indices;
made outside, a slice would be copied.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch.fx import Node

from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.indexing.shapes import VIEWS
from tilewright.torch_backend.partition.support import is_item


def sink(turns: Sequence[list[Node]], waiting: Mapping[Node, set[Node]]) -> None:
    """Move nodes of payload turns, every other one, to the turns that read them.

    `waiting` has what each node waits for. Connected nodes that one turn alone reads
    move together, if no more bytes are kept between the turns than before and each has
    at least as many elements as what it reads: a reduction stays near its operand. A
    view keeps what it is a view of anyway. A backward graph computes the derivative of
    an activation by several nodes, from a saved tensor.
    """
    ordered = [node for turn in turns for node in turn]
    turn_of = {node: at for at, turn in enumerate(turns) for node in turn}
    followers: dict[Node, list[Node]] = {node: [] for node in ordered}
    for node in ordered:
        for one in waiting[node] & followers.keys():
            followers[one].append(node)
    for turn in range(2, len(turns), 2):
        for cone in _cones(ordered, turn, turn_of, followers):
            if _keeps_no_more(cone, turn, turn_of, followers):
                turn_of |= dict.fromkeys(cone, turn)
    for turn in turns:
        turn.clear()
    for node in ordered:
        turns[turn_of[node]].append(node)


def _cones(
    ordered: Sequence[Node],
    turn: int,
    turn_of: Mapping[Node, int],
    followers: Mapping[Node, list[Node]],
) -> list[list[Node]]:
    """Connected nodes of earlier payloads that only a turn, or they, are read by."""
    found: dict[Node, list[Node]] = {}
    for node in reversed(ordered):
        if turn_of[node] % 2 or turn_of[node] >= turn or not _may_move(node, followers):
            continue
        readers = followers[node]
        if not all(one in found or turn_of[one] == turn for one in readers):
            continue
        if op_name(node) not in VIEWS and _shrinks(node):
            continue
        cone = [node]
        for one in readers:
            if one in found and found[one] is not cone:
                cone += found[one]
                found |= dict.fromkeys(found[one], cone)
        found[node] = cone
    return list({id(cone): cone for cone in found.values()}.values())


def _shrinks(node: Node) -> bool:
    """Whether a node reads more elements of a tensor than it has."""
    return any(_elements(one) > _elements(node) for one in node.all_input_nodes)


def _keeps_no_more(
    cone: Sequence[Node],
    turn: int,
    turn_of: Mapping[Node, int],
    followers: Mapping[Node, list[Node]],
) -> bool:
    """Whether what nodes read together is no larger than what is read of them."""
    inside = set(cone)
    results = [node for node in cone if not inside.issuperset(followers[node])]
    read = {one for node in cone for one in node.all_input_nodes} - inside
    kept = sum(_newly_kept(one, turn, turn_of) for one in read)
    return kept <= sum(_bytes(node) for node in results)


def _may_move(node: Node, followers: Mapping[Node, list[Node]]) -> bool:
    """Whether all that read a node are in turns; results of one op stay together."""
    if is_item(node) or not isinstance(node.meta.get("val"), torch.Tensor):
        return False
    return bool(followers[node]) and all(user in followers for user in node.users)


def _newly_kept(node: Node, turn: int, turn_of: Mapping[Node, int]) -> float:
    """The bytes of a tensor if a turn that reads it is the first to keep it so long."""
    if any(turn_of.get(user, turn) >= turn for user in node.users):
        return 0.0
    return _bytes(node) if _viewed(node) in turn_of else 0.0


def _viewed(node: Node) -> Node:
    """The node that a view is a view of, through other views."""
    while op_name(node) in VIEWS and node.all_input_nodes:
        node = node.all_input_nodes[0]
    return node


def _elements(node: Node) -> float:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return 0.0
    sizes = [float(size) if isinstance(size, int) else math.inf for size in value.shape]
    return math.prod(sizes)


def _bytes(node: Node) -> float:
    value = node.meta.get("val")
    width = value.element_size() if isinstance(value, torch.Tensor) else 0
    return _elements(node) * width
