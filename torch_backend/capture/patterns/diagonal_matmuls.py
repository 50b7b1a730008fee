"""Matmuls with a diagonal matrix scale the rows or columns of the other factor.

Before:

    matrix = aten.diag_embed(v)
    y = aten.mm(matrix, x)

After, for finite elements:

    y = aten.mul(aten.unsqueeze(v, -1), x)

A zero times an infinite element or a NaN is NaN, and the matmul adds it to all
elements that meet it. So columns (rows, if the matrix comes second) are searched for
such elements. This reads `x` once more, and is still linear in its size.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_PRODUCTS = (aten.mm.default, aten.bmm.default)
_SAME_SHAPE = (aten.expand.default, aten.view.default, aten.clone.default)


def scale_by_diagonals(graph: Graph) -> None:
    """Replace matmuls with diagonal matrices."""
    for node in list(graph.nodes):
        if node.target not in _PRODUCTS:
            continue
        for place in (0, 1):
            diagonal = _diagonal(node.args[place])
            if diagonal is None:
                continue
            with graph.inserting_before(node):
                scaled = _scaled(graph, node, diagonal, place)
            factors = node.all_input_nodes
            replace_node(graph, node, scaled)
            erase_unread(graph, factors)
            break


def _diagonal(matrix: Any) -> Node | None:
    """The elements on the diagonal of a matrix with zeros beside it."""
    while matrix.target in _SAME_SHAPE:
        if shape_of(matrix) != shape_of(matrix.args[0]):
            return None
        matrix = matrix.args[0]
    # Offsets and dimensions follow, if they are not the usual ones.
    if matrix.target is not aten.diag_embed.default or len(matrix.args) > 1:
        return None
    is_plain = not matrix.kwargs and matrix.meta["val"].is_floating_point()
    return matrix.args[0] if is_plain and shape_of(matrix) else None


def _scaled(graph: Graph, matmul: Node, diagonal: Node, place: int) -> Node:
    """The other factor times the diagonal, NaN where zeros meet what is not finite."""

    def call(op: Any, *args: Any, **kwargs: Any) -> Node:
        return add_call(graph, matmul, op, *args, **kwargs)

    other = matmul.args[1 - place]
    along = -2 if place == 0 else -1
    factors = call(aten.unsqueeze.default, diagonal, -1 if place == 0 else -2)
    scaled = call(aten.mul.Tensor, factors, other)
    # x - x is NaN where x is not finite.
    unusual = call(aten.ne.Scalar, call(aten.sub.Tensor, other, other), 0)
    own = call(aten._to_copy.default, unusual, dtype=torch.float32)
    total = call(aten.sum.dim_IntList, own, [along], True)
    spoiled = call(aten.gt.Tensor, total, own)
    return call(aten.masked_fill.Scalar, scaled, spoiled, math.nan)
