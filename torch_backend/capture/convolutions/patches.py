"""Convolutions of patches that do not overlap, as matmuls.

A vision transformer cuts an image of three channels into patches this way. cuDNN's
kernels for matrix units read groups of eight channels, and are slow for fewer. The
patches are a permutation of the image, so they are one copy and a matmul.

Before, with filters of 16x16 places:

    y = aten.convolution(x, weight, None, [16, 16], [0, 0], [1, 1], False, [0, 0], 1)

After:

    parts = aten.view(x, [batch, channels, rows, 16, columns, 16])
    patches = aten.clone(aten.permute(parts, [0, 2, 4, 1, 3, 5]))
    made = aten.mm(aten.view(patches, [places, -1]), aten.t(aten.view(weight, ...)))
    y = aten.permute(aten.view(made, [batch, rows, columns, filters]), [0, 3, 1, 2])
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.convolutions.layout_choice import NARROW
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_GROUP = 8
"""The channels that cuDNN's kernels read at once."""


def multiply_patches(graph: Graph) -> None:
    """Replace convolutions of patches by matmuls, where cuDNN is slow."""
    for node in list(graph.nodes):
        if node.target is aten.convolution.default and _cuts_patches(node):
            _replace(graph, node)


def _cuts_patches(node: Node) -> bool:
    x: Any
    weight: Any
    x, weight, bias, stride, padding, dilation, transposed, _, groups = node.args
    image, filters = x.meta["val"], weight.meta["val"]
    if bias is not None or transposed or groups != 1 or image.dtype not in NARROW:
        return False
    if any(padding) or any(one != 1 for one in dilation):  # pyright: ignore
        return False
    if not all(isinstance(size, int) for size in image.shape):
        return False
    kernel = list(filters.shape[2:])
    whole = all(
        size % part == 0 for size, part in zip(image.shape[2:], kernel, strict=True)
    )
    return (
        list(stride) == kernel  # pyright: ignore
        and whole
        and image.shape[1] % _GROUP != 0
        and math.prod(filters.shape[1:]) % _GROUP == 0
        and filters.shape[0] % _GROUP == 0
    )


def _replace(graph: Graph, node: Node) -> None:
    x: Any = node.args[0]
    weight: Any = node.args[1]
    batch, channels, *sizes = x.meta["val"].shape
    filters, _, *kernel = weight.meta["val"].shape
    counts = [size // part for size, part in zip(sizes, kernel, strict=True)]
    rank, row = len(kernel), channels * math.prod(kernel)
    split = [n for pair in zip(counts, kernel, strict=True) for n in pair]
    outer = [2 + 2 * place for place in range(rank)]
    order = [0, *outer, 1, *[at + 1 for at in outer]]
    with graph.inserting_before(node):
        source = _plain(graph, node, x)
        parts = add_call(
            graph, node, aten.view.default, source, [batch, channels, *split]
        )
        turned = add_call(graph, node, aten.permute.default, parts, order)
        patches = _plain(graph, node, turned)
        rows = add_call(
            *(graph, node, aten.view.default, patches),
            [batch * math.prod(counts), row],
        )
        flat = _plain(graph, node, weight)
        columns = add_call(graph, node, aten.view.default, flat, [filters, row])
        columns = add_call(graph, node, aten.t.default, columns)
        made = add_call(graph, node, aten.mm.default, rows, columns)
        image = add_call(
            graph, node, aten.view.default, made, [batch, *counts, filters]
        )
    # The node keeps its name, which an output of the graph may have.
    node.target = aten.permute.default
    node.args = (image, [0, rank + 1, *range(1, rank + 1)])
    before = node.meta["val"]
    node.meta["val"] = image.meta["val"].permute(node.args[1])
    if before.is_contiguous():
        with graph.inserting_after(node):
            copy = add_call(
                *(graph, node, aten.clone.default, node),
                memory_format=torch.contiguous_format,
            )
        node.replace_all_uses_with(copy, lambda user: user is not copy)


def _plain(graph: Graph, like: Node, node: Node) -> Node:
    """A contiguous tensor: the node itself, or a copy."""
    if node.meta["val"].is_contiguous():
        return node
    plain = torch.contiguous_format
    return add_call(graph, like, aten.clone.default, node, memory_format=plain)
