"""Edits of a graph of ATen ops: equal calls are made once, unread ones go."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree

aten = torch.ops.aten


def shape_of(node: Any) -> tuple[int, ...] | None:
    """The sizes of a node's tensor; None if it has none, or if one is symbolic."""
    value = node.meta.get("val") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor):
        return None
    sizes = tuple(value.shape)
    return sizes if all(isinstance(size, int) for size in sizes) else None


def is_pure(node: Node) -> bool:
    """Whether a node is a call of ATen whose results depend on its operands alone."""
    target = node.target
    return (
        node.op == "call_function"
        and isinstance(target, torch._ops.OpOverload)
        and target.namespace == "aten"
        and not target._schema.is_mutable
        and torch.Tag.nondeterministic_seeded not in target.tags
    )


def is_elementwise(node: Node) -> bool:
    """Whether each element of a result depends on one element of each operand."""
    if not is_pure(node) or shape_of(node) is None:
        return False
    target: Any = node.target
    if target is aten._to_copy.default:
        return set(node.kwargs) <= {"dtype"}
    return torch.Tag.pointwise in target.tags


def mutates(node: Node) -> bool:
    """Whether a call may write to its operands: calls keep their order around it."""
    target = node.target
    if node.op != "call_function" or target is operator.getitem:
        return node.op not in ("call_function", "placeholder", "get_attr", "output")
    return isinstance(target, torch._ops.OpOverload) and target._schema.is_mutable


def may_be_view(node: Node) -> bool:
    """Whether a call's results may be views of its operands."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload):
        return node.op == "call_function"
    return any(each.alias_info is not None for each in target._schema.returns)


def leaves(node: Node) -> bool:
    """Whether a node is a result of its graph."""
    return any(user.op == "output" for user in node.users)


def merge_equal(graph: Graph) -> None:
    """Make equal calls once: a step of an unrolled loop repeats those of its weights.

    What leaves the graph keeps a tensor of its own, as in eager torch.
    """
    kept = leaving(graph)
    known: dict[Any, Node] = {}
    for node in list(graph.nodes):
        if not is_pure(node) or node in kept:
            continue
        key = _key(node)
        first = known.setdefault(key, node) if key is not None else node
        if first is not node:
            node.replace_all_uses_with(first)
            graph.erase_node(node)


def drop_copies(graph: Graph) -> None:
    """Drop copies in the layout of their source, where neither is seen outside.

    Dropout of evaluation is one, and an addition of 0 to indices. Nothing writes to a
    tensor inside of the graph. Views whose strides differ along dimensions of size 1
    alone are dropped too: torch gives the mean of a channels-last image the strides of
    such an image.
    """
    seen = leaving(graph)
    for node in list(graph.nodes):
        is_copy = node.target is aten.clone.default or _adds_nothing(node)
        if node in seen or not (is_copy or node.target is aten.as_strided.default):
            continue
        source: Any = node.args[0]
        if _lie_alike(source, node) and not (is_copy and _is_outside(source, seen)):
            replace_node(graph, node, source)


def _adds_nothing(node: Node) -> bool:
    """Whether 0 is added to integers, as the length of an empty cache to indices."""
    if node.target not in (aten.add.Tensor, aten.sub.Tensor):
        return False
    source, added = node.args[:2]
    if not isinstance(source, Node) or type(added) is not int or added != 0:
        return False
    own, new = source.meta["val"], node.meta["val"]
    is_integer = not (own.is_floating_point() or own.is_complex())
    return is_integer and own.dtype == new.dtype and own.shape == new.shape


def _lie_alike(one: Node, two: Node) -> bool:
    """Whether a copy or a view has its source's elements at the same strides."""
    own, new = one.meta["val"], two.meta["val"]
    if own.shape != new.shape or own.storage_offset() != new.storage_offset():
        is_view = two.target is aten.as_strided.default
        return not is_view and own.stride() == new.stride()
    strides = zip(own.shape, own.stride(), new.stride(), strict=True)
    return all(size == 1 or left == right for size, left, right in strides)


def _is_outside(node: Node, seen: set[Node]) -> bool:
    """Whether the user may write to a tensor: it shares memory with his own."""
    while node not in seen and may_be_view(node) and node.all_input_nodes:
        node = node.all_input_nodes[0]
    return node in seen or node.op != "call_function"


COUNTS = (
    aten.arange.default,
    aten.arange.start,
    aten.arange.start_step,
    torch.ops.prims.iota.default,
)
_MOST_READERS = 8
"""From this many further readers on, one `arange` is there for all."""


def separate_counts(graph: Graph) -> None:
    """Give each reader of `arange` one of its own, unless there are many.

    The rows and the columns of a square image are counted by equal calls. One kernel
    counts along both, where one tensor would have to be stored for it.
    """
    kept = leaving(graph)
    for node in list(graph.nodes):
        if node.target not in COUNTS or node in kept:
            continue
        others = list(node.users)[1:]
        for user in others if len(others) < _MOST_READERS else ():
            with graph.inserting_after(node):
                user.replace_input_with(node, graph.node_copy(node))


def leaving(graph: Graph) -> set[Node]:
    """The results of a graph, and the tensors that they may be views of."""
    (output,) = (node for node in graph.nodes if node.op == "output")
    found: set[Node] = set()
    pending = list(output.all_input_nodes)
    while pending:
        node = pending.pop()
        if node in found:
            continue
        found.add(node)
        if may_be_view(node):
            pending += node.all_input_nodes
    return found


def _key(node: Node) -> Any:
    """What equal calls share; None if an argument has no hash."""
    leaves, spec = pytree.tree_flatten((node.args, dict(node.kwargs)))
    # 1, 1.0 and True are equal in Python.
    key = (node.target, tuple((type(leaf), leaf) for leaf in leaves), str(spec))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def replace_node(graph: Graph, old: Node, new: Node) -> None:
    """Let the readers of one node read another."""
    old.replace_all_uses_with(new)
    graph.erase_node(old)


def erase_unread(graph: Graph, nodes: Iterable[Node]) -> None:
    """Erase nodes that nobody reads any longer, and those that only they read."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node.op == "call_function" and not node.users and not node._erased:
            pending += node.all_input_nodes
            graph.erase_node(node)
