"""Element-wise ops come before a join that only they read.

    y = torch.cat([a, b], 1)             # the features of a DenseNet so far
    (y * scale + shift).relu()

becomes

    u = (a * scale[:n] + shift[:n]).relu()
    v = (b * scale[n:] + shift[n:]).relu()
    torch.cat([u, v], 1)

Parts of a join are computed in their places; before, the joined tensor was stored and
read again.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.loops.sliced_elements import is_elementwise
from tilewright.torch_backend.capture.loops.slices import (
    MOST_PARTS,
    Part,
    mapped,
    taken,
)
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten


def join_last(graph: Graph) -> None:
    """Move joins behind the element-wise ops that read them."""
    for node in list(graph.nodes):
        join = node
        while (parts := joined_parts(join)) and (reader := _reader(join)):
            moved = _move(graph, join, reader, parts)
            if moved is None:
                break
            join = moved


def joined_parts(join: Node) -> dict[Node, Part] | None:
    """The tensors that a join puts side by side, and their places in it."""
    if join.target is not aten.cat.default:
        return None
    given: Any = join.args[0]
    shape = shape_of(join)
    if shape is None or not 2 <= len(set(given)) == len(given) <= MOST_PARTS:
        return None
    dim: Any = join.args[1] if len(join.args) > 1 else 0
    dim %= len(shape)
    found: dict[Node, Part] = {}
    start = 0
    for one in given:
        sizes = shape_of(one)
        if sizes is None or len(sizes) != len(shape) or _type(one) != _type(join):
            return None
        found[one] = Part(join, dim, start, sizes[dim], drops_dim=False)
        start += sizes[dim]
    return found


def _type(node: Node) -> torch.dtype:
    return node.meta["val"].dtype


def _reader(join: Node) -> Node | None:
    """The only reader of a join, if it is element-wise and has the same shape."""
    readers = list(join.users)
    if len(readers) != 1 or not is_elementwise(readers[0]):
        return None
    return readers[0] if shape_of(readers[0]) == shape_of(join) else None


def _move(
    graph: Graph, join: Node, reader: Node, parts: dict[Node, Part]
) -> Node | None:
    """The join of what the reader computes, with the strides that the reader had."""
    rank = len(shape_of(join) or ())
    if any(shape_of(operand) is None for operand in reader.all_input_nodes):
        return None
    with graph.inserting_before(reader):
        computed: list[Node] = []
        for one, part in parts.items():

            def of(operand: Node, one: Node = one, part: Part = part) -> Node:
                if operand is join:
                    return one
                return taken(graph, reader, operand, part, rank)

            args, kwargs = mapped(reader, of)
            computed.append(add_call(graph, reader, reader.target, *args, **kwargs))
        dim = next(iter(parts.values())).dim
        made = add_call(graph, reader, aten.cat.default, computed, dim)
        laid = _laid_as(graph, reader, made)
    before, after = reader.meta["val"], laid.meta["val"]
    if (before.dtype, before.stride()) != (after.dtype, after.stride()):
        erase_unread(graph, [laid])
        return None
    replace_node(graph, reader, laid)
    erase_unread(graph, [join])
    return made


def _laid_as(graph: Graph, like: Node, made: Node) -> Node:
    """A tensor with its dimensions in another's order in memory, if they differ.

    In a payload this computes nothing: it is a permutation and its inverse.
    """
    strides = like.meta["val"].stride()
    if strides == made.meta["val"].stride():
        return made
    order = sorted(range(len(strides)), key=lambda dim: -strides[dim])
    turned = add_call(graph, like, aten.permute.default, made, order)
    stored = add_call(
        *(graph, like, aten.clone.default, turned),
        memory_format=torch.contiguous_format,
    )
    back = [order.index(dim) for dim in range(len(order))]
    return add_call(graph, like, aten.permute.default, stored, back)
