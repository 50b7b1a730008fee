"""Convolutions of lines as convolutions of images of height 1.

torch has a channels-last layout for images only. Without it, cuDNN converts most lines
before and after each call.

Before:

    y = aten.convolution(x, weight, None, [2], [1], [1], False, [0], 1)

After:

    image, filters = aten.unsqueeze(x, 2), aten.unsqueeze(weight, 2)
    made = aten.convolution(image, filters, None, [1, 2], [0, 1], [1, 1], ...)
    y = aten.squeeze(made, 2)
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.convolutions.layout_choice import (
    NARROW,
    lines_stay,
    value_at,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.ops.result import BY_MATMUL, is_own

aten = torch.ops.aten
_LINE = 3
"""The rank of a batch of lines."""
_HEIGHT = 2
"""The dimension that an image has before those of a line."""


def mark_line_products(graph: Graph) -> None:
    """Mark the convolutions of lines whose filters have one place: they are matmuls.

    cuDNN copies lines to images whose channels lie last, and back.
    """
    op = aten.convolution.default
    for node in graph.find_nodes(op="call_function", target=op):
        if _is_product(node):
            node.meta[BY_MATMUL] = True


def _is_product(node: Node) -> bool:
    weight = value_at(node, 1)
    _, _, _, stride, padding, _, is_transposed, _, groups = node.args
    if weight.dim() != _LINE or weight.dtype not in NARROW or is_transposed:
        return False
    if list(stride) != [1] or list(padding) != [0]:  # pyright: ignore
        return False
    _, each, places = weight.shape
    return places == 1 and (each > 1 or bool(groups == 1))


def widen_lines(graph: Graph) -> None:
    """Make images of the operands of all convolutions of lines, where that pays."""
    lines = [node for node in graph.nodes if _is_line(node)]
    if lines_stay(lines):
        return
    for node in lines:
        x, weight, _, stride, padding, dilation, transposed, more, groups = node.args
        operands: list[Any] = [x, weight]
        with graph.inserting_before(node):
            image, filters = (
                add_call(graph, node, aten.unsqueeze.default, one, _HEIGHT)
                for one in operands
            )
            moves = ([1, *stride], [0, *padding], [1, *dilation], transposed)
            made = add_call(
                *(graph, node, node.target, image, filters, None),
                *(*moves, [0, *more], groups),
            )
        # The node keeps its name, which an output of the graph may have.
        node.target, node.args = aten.squeeze.dim, (made, _HEIGHT)
        node.meta["val"] = made.meta["val"].squeeze(_HEIGHT)


def _is_line(node: Node) -> bool:
    """Whether a node is a convolution of lines without a bias."""
    if node.target is not aten.convolution.default or node.args[2] is not None:
        return False
    if is_own(node):
        return False
    operands: list[Any] = list(node.args[:2])
    return all(one.meta["val"].dim() == _LINE for one in operands)
