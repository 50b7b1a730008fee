"""Cuts a graph into segments of payload and calls of torch, with few cuts.

Nodes run as soon as they can, all that become payload, then all that stay in torch, in
turns. The turn that begins is the one that gives fewer payloads. Nodes that only later
turns read then move there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from torch.fx import Node

from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.lowering.owned_writes import (
    OWNED,
    writes_unowned,
    written_inputs,
)
from tilewright.torch_backend.ops.indexing.shapes import VIEWS
from tilewright.torch_backend.partition.sinking import sink
from tilewright.torch_backend.partition.support import Support, is_item, is_number
from tilewright.torch_backend.partition.told_sizes import tensors_with_sizes

MOST_NODES = 2000
"""The nodes of one payload: planning takes about 10 ms for each, and more for many."""

_log = logging.getLogger("tilewright.torch")


@dataclass(frozen=True)
class Segment:
    """Nodes that become one payload."""

    nodes: tuple[Node, ...]
    inputs: tuple[Node, ...]
    """Nodes outside that they read: tensors, sizes, and tensors that tell sizes."""
    outputs: tuple[Node, ...]
    """Nodes inside that others read, and writes to tensors from outside."""
    views: tuple[Node, ...] = ()
    """Views of inputs and outputs that others read; torch makes them."""


def cut(
    nodes: Sequence[Node],
    support: Callable[[Node], Support],
    beginnings: Set[Node] = frozenset(),
) -> list[list[Node]]:
    """The nodes in an order in which they can run, in turns: payload, torch, payload.

    Every other list holds nodes that become payload, the first of them; lists may be
    empty. A new payload starts at each of the `beginnings`.
    """
    chosen = {node: _is_payload(node, support) for node in nodes}
    waiting = {node: _needed(node, chosen) for node in nodes}
    _keep_order_of_effects(nodes, waiting)
    early = _early_numbers(nodes, waiting)
    rest = [node for node in nodes if node not in set(early)]
    found = [
        _turns(rest, set(early), chosen, waiting, payload_first=first)
        for first in (True, False)
    ]
    payload_first, torch_first = found
    for turns in found:
        sink(turns, waiting)
    if _payloads(torch_first) < _payloads(payload_first):
        turns = [torch_first[0], early + torch_first[1], *torch_first[2:]]
    else:
        turns = [[], early, *payload_first] if early else payload_first
    return _bounded(turns, beginnings)


def _bounded(turns: list[list[Node]], beginnings: Set[Node]) -> list[list[Node]]:
    """Turns whose payloads are not too large, with empty turns of torch between."""
    found: list[list[Node]] = []
    for number, turn in enumerate(turns):
        parts = [turn] if number % 2 else list(_in_parts(turn, beginnings))
        if len(parts) == 1:
            found.append(turn)
            continue
        _log.info("%d nodes become %d payloads", len(turn), len(parts))
        for part in parts:
            found += [part, []]
        found.pop()
    return found


def _in_parts(turn: list[Node], beginnings: Set[Node]) -> Iterator[list[Node]]:
    """Parts of a turn, in order; no part ends between a node and its items."""
    places = {node: at for at, node in enumerate(turn)}
    begin, needed = 0, 0
    for at, node in enumerate(turn, start=1):
        items = [places[one] for one in node.users if is_item(one) and one in places]
        needed = max([needed, *items])
        if at == len(turn) or needed >= at:
            continue
        if at - begin >= MOST_NODES or turn[at] in beginnings:
            yield turn[begin:at]
            begin = at
    yield turn[begin:]


def _turns(
    rest: list[Node],
    done: set[Node],
    chosen: dict[Node, bool],
    waiting: dict[Node, set[Node]],
    *,
    payload_first: bool,
) -> list[list[Node]]:
    """The nodes in turns; the first turn, of payload, is empty if torch begins."""
    turns: list[list[Node]] = [] if payload_first else [[]]
    is_first, is_payload = True, payload_first
    while rest:
        turn: list[Node] = []
        left: list[Node] = []
        for node in rest:
            if chosen[node] == is_payload and waiting[node] <= done:
                done.add(node)
                turn.append(node)
            else:
                left.append(node)
        assert turn or is_first, "a cycle among the nodes"
        turns.append(turn)
        rest, is_payload, is_first = left, not is_payload, False
    return turns


def _payloads(turns: list[list[Node]]) -> int:
    """How many payloads the turns have."""
    return sum(bool(turn) and not moves_no_data(turn) for turn in turns[::2])


def _early_numbers(nodes: Sequence[Node], waiting: dict[Node, set[Node]]) -> list[Node]:
    """Sizes that the host computes of sizes of inputs, before everything else."""
    found: dict[Node, None] = {}
    for node in nodes:
        if is_number(node) and waiting[node] <= found.keys():
            found[node] = None
    return list(found)


def _is_payload(node: Node, support: Callable[[Node], Support]) -> bool:
    """A result of an op belongs to its op."""
    while is_item(node):
        node = node.args[0]  # pyright: ignore[reportAssignmentType]
    return node.op == "call_function" and support(node).is_payload


def _needed(node: Node, among: dict[Node, bool]) -> set[Node]:
    return {one for one in node.all_input_nodes if one in among}


def _keep_order_of_effects(
    nodes: Sequence[Node], waiting: dict[Node, set[Node]]
) -> None:
    """Ops with effects, such as random numbers and mutation, keep their order.

    A mutation runs after everything before it, and before everything after it, unless
    nobody else reads what it writes.
    """
    previous: Node | None = None
    before: set[Node] = set()
    barrier: Node | None = None
    for node in nodes:
        if barrier is not None:
            waiting[node].add(barrier)
        if writes_unowned(node):
            waiting[node] |= before
            barrier = node
        elif OWNED not in node.meta and (node.is_impure() or _is_random(node)):
            if previous is not None:
                waiting[node].add(previous)
            previous = node
        before.add(node)


def _is_random(node: Node) -> bool:
    import torch

    tags = getattr(node.target, "tags", ())
    return torch.Tag.nondeterministic_seeded in tags


def segment_of(nodes: Sequence[Node]) -> Segment:
    """A segment, with what it reads and what others read of it.

    Where others read a view, the segment gives what it is a view of, and torch makes
    the view: results then alias each other and have the strides that they have in
    torch.
    """
    inside = set(nodes)
    inputs = dict.fromkeys(
        one for node in nodes for one in node.all_input_nodes if one not in inside
    )
    inputs |= dict.fromkeys(tensors_with_sizes(nodes, inputs))
    outputs = set(written_inputs(nodes).values())
    views: set[Node] = set()
    for node in nodes:
        is_read = any(user not in inside for user in node.users)
        if not is_read or isinstance(node.meta["val"], tuple | list):
            continue
        while node in inside and _is_view(node):
            views.add(node)
            node = node.all_input_nodes[0]
        if node in inside:
            outputs.add(node)
    return Segment(
        tuple(nodes),
        tuple(inputs),
        tuple(node for node in nodes if node in outputs),
        tuple(node for node in nodes if node in views),
    )


def _is_view(node: Node) -> bool:
    """Whether a node is a view of the first node that it reads, made by torch."""
    if is_item(node):
        return _is_view(node.all_input_nodes[0])
    return op_name(node) in VIEWS


def moves_no_data(nodes: Sequence[Node]) -> bool:
    """Whether all nodes are views, which torch makes without a kernel."""
    return all(is_item(node) or op_name(node) in VIEWS for node in nodes)
