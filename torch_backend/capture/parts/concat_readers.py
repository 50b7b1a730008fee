"""Element-wise ops and permutations come before a concat that only they read.

    y = torch.cat([a, b], 1)             # the features of a DenseNet so far
    (y * scale + shift).relu()

becomes

    u = (a * scale[:n] + shift[:n]).relu()
    v = (b * scale[n:] + shift[n:]).relu()
    torch.cat([u, v], 1)

Parts of a concat are computed in their places; before, the whole tensor was stored and
read again. So are permutations whose result is stored.
"""

from __future__ import annotations

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
from tilewright.torch_backend.capture.parts.slices import (
    MOST_PARTS,
    Part,
    mapped,
    taken,
)

aten = torch.ops.aten


def concat_last(graph: Graph) -> None:
    """Move concats behind the element-wise ops that read them."""
    for node in list(graph.nodes):
        concat: Node | None = node
        while concat is not None and (parts := concat_parts(concat)):
            reader = _reader(concat, next(iter(parts.values())).dim)
            concat = None if reader is None else _move(graph, concat, reader, parts)


def concat_parts(concat: Node) -> dict[Node, Part] | None:
    """The tensors that a concat puts side by side, and their places in it."""
    if concat.target is not aten.cat.default:
        return None
    given: Any = concat.args[0]
    shape = shape_of(concat)
    if shape is None or not 2 <= len(set(given)) == len(given) <= MOST_PARTS:
        return None
    dim: Any = concat.args[1] if len(concat.args) > 1 else 0
    dim %= len(shape)
    found: dict[Node, Part] = {}
    start = 0
    for one in given:
        sizes = shape_of(one)
        if sizes is None or len(sizes) != len(shape) or _type(one) != _type(concat):
            return None
        if not sizes[dim]:
            return None
        found[one] = Part(concat, dim, range(start, start + sizes[dim]))
        start += sizes[dim]
    return found


def _type(node: Node) -> torch.dtype:
    return node.meta["val"].dtype


def _reader(concat: Node, dim: int) -> Node | None:
    """The only reader of a concat, if it is element-wise or permutes it for a copy."""
    (reader, *others) = (*concat.users, concat)
    if len(others) != 1 or leaves(concat):
        return None
    is_alike = is_elementwise(reader) and shape_of(reader) == shape_of(concat)
    return reader if is_alike or _is_stored(reader, dim) else None


def _permuted(graph: Graph, concat: Node, reader: Node, dim: int) -> Node:
    """A concat of permuted parts for a permutation."""
    parts: Any = concat.args[0]
    after = _dim_after(reader, dim)
    with graph.inserting_before(reader):
        pieces = [
            add_call(graph, reader, reader.target, part, *reader.args[1:])
            for part in parts
        ]
        made = add_call(graph, reader, aten.cat.default, pieces, after)
    replace_node(graph, reader, made)
    erase_unread(graph, [concat])
    for user in list(made.users):
        is_copy = user.target is aten.clone.default and not leaves(user)
        if is_copy and user.meta["val"].stride() == made.meta["val"].stride():
            replace_node(graph, user, made)
    return made


def _dim_after(reader: Node, dim: int) -> int | None:
    """Where a permutation puts a dimension; None if a call is no permutation."""
    given: Any = reader.args
    rank = len(shape_of(given[0]) or ()) if given else 0
    match reader.target:
        case aten.permute.default:
            return [axis % rank for axis in given[1]].index(dim)
        case aten.transpose.int:
            one, two = (axis % rank for axis in given[1:])
            return {one: two, two: one}.get(dim, dim)
        case aten.unsqueeze.default:
            return dim + (given[1] % (rank + 1) <= dim)
        case aten.squeeze.dim if given[1] % rank != dim:
            return dim - (given[1] % rank < dim)
        case _:
            return None


def _is_stored(reader: Node, dim: int) -> bool:
    """Whether a call is a permutation, or several, and a copy stores its result."""
    while (after := _dim_after(reader, dim)) is not None and len(reader.users) == 1:
        (reader,), dim = reader.users, after
        if reader.target is aten.clone.default:
            return True
    return False


def _move(
    graph: Graph, concat: Node, reader: Node, parts: dict[Node, Part]
) -> Node | None:
    """The concat of what the reader computes, with the strides that the reader had."""
    dim = next(iter(parts.values())).dim
    if not is_elementwise(reader):
        return _permuted(graph, concat, reader, dim)
    rank = len(shape_of(concat) or ())
    if any(shape_of(operand) is None for operand in reader.all_input_nodes):
        return None
    with graph.inserting_before(reader):
        computed: list[Node] = []
        for one, part in parts.items():

            def of(operand: Node, one: Node = one, part: Part = part) -> Node:
                if operand is concat:
                    return one
                return taken(graph, reader, operand, part, rank)

            args, kwargs = mapped(reader, of)
            computed.append(add_call(graph, reader, reader.target, *args, **kwargs))
        made = add_call(graph, reader, aten.cat.default, computed, dim)
        laid = _laid_as(graph, reader, made)
    before, after = reader.meta["val"], laid.meta["val"]
    if (before.dtype, before.stride()) != (after.dtype, after.stride()):
        erase_unread(graph, [laid])
        return None
    replace_node(graph, reader, laid)
    erase_unread(graph, [concat])
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
