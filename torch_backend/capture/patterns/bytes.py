"""Bytes are computed as 16-bit numbers: payloads have no unsigned types.

    (packed >> 4).float()              packed: uint8

becomes

    wide = packed.view(torch.int8).to(torch.int16) & 255
    (wide >> 4).float()

The view moves nothing, and the rest is part of the kernel that reads the bytes. Ops
that keep numbers between 0 and 255 give wide numbers again; ops that convert them, or
compute floats of them, give what they gave before. Other ops read the bytes, in torch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    is_pure,
    replace_node,
)
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_LARGEST = 255
"""The largest number of a byte."""
_BITS = (
    aten.bitwise_and.Scalar,
    aten.bitwise_and.Tensor,
    aten.bitwise_or.Scalar,
    aten.bitwise_or.Tensor,
    aten.bitwise_xor.Scalar,
    aten.bitwise_xor.Tensor,
    aten.__rshift__.Scalar,
    aten.bitwise_right_shift.Tensor_Scalar,
)
"""Ops whose results have no bits above those of their operands."""
_MOVES = (
    aten.cat.default,
    aten.clone.default,
    aten.expand.default,
    aten.permute.default,
    aten.select.int,
    aten.slice.Tensor,
    aten.squeeze.dim,
    aten.squeeze.dims,
    aten.stack.default,
    aten.t.default,
    aten.transpose.int,
    aten.unsqueeze.default,
    aten.view.default,
)


def widen_bytes(graph: Graph) -> None:
    """Let ops that payloads have read bytes as wider numbers."""
    wide: dict[Node, Node] = {}
    bytes_read = [node for node in graph.nodes if _is_bytes(node)]
    if not bytes_read:
        return
    for node in list(graph.nodes):
        if not any(map(_is_bytes, node.all_input_nodes)) or not _may_widen(node):
            continue
        with graph.inserting_before(node):

            def widened(given: Node, like: Node = node) -> Node:
                if _is_bytes(given) and given not in wide:
                    wide[given] = _wide(graph, like, given)
                return wide.get(given, given)

            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), widened)
            made = add_call(graph, node, node.target, *args, **kwargs)
        if _is_bytes(node):
            wide[node] = made
        else:
            replace_node(graph, node, made)
    erase_unread(graph, reversed([*bytes_read, *wide.values()]))


def _wide(graph: Graph, like: Node, given: Node) -> Node:
    """Bytes as numbers between 0 and 255, before the first op that reads them."""
    signed = add_call(graph, like, aten.view.dtype, given, torch.int8)
    wider = add_call(graph, like, aten._to_copy.default, signed, dtype=torch.int16)
    return add_call(graph, like, aten.bitwise_and.Scalar, wider, _LARGEST)


def _may_widen(node: Node) -> bool:
    """Whether an op gives the same numbers for wide operands."""
    value = node.meta.get("val")
    if not is_pure(node) or not isinstance(value, torch.Tensor):
        return False
    tensors = [one.meta.get("val") for one in node.all_input_nodes]
    if value.dtype == torch.uint8:
        numbers = [one for one in pytree.tree_leaves(node.args[1:]) if type(one) is int]
        are_bytes = all(0 <= number <= _LARGEST for number in numbers)
        is_known = node.target in _MOVES or (node.target in _BITS and are_bytes)
        return is_known and all(_is_byte_tensor(one) for one in tensors)
    if node.target is aten._to_copy.default:
        return value.dtype != torch.bool
    is_pointwise = torch.Tag.pointwise in node.target.tags  # pyright: ignore
    return is_pointwise and value.is_floating_point() and node.target is not _CHOICE


_CHOICE: Any = aten.where.self
"""Its condition may be bytes."""


def _is_bytes(node: Node) -> bool:
    return _is_byte_tensor(node.meta.get("val"))


def _is_byte_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.uint8
