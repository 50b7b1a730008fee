"""Other strides of dimensions of size 1, which move no element.

torch gives the mean over a channels-last image the strides of such an image.

Before, with x of size (2, 8, 1, 1):

    y = aten.as_strided(x, [2, 8, 1, 1], [8, 1, 8, 8])
    z = aten.view(y, [2, 8])

After:

    z = aten.view(x, [2, 8])
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    leaves,
    replace_node,
    shape_of,
)

aten = torch.ops.aten


def drop_unit_strides(graph: Graph) -> None:
    """Read tensors themselves in place of `as_strided` that moves nothing.

    Results of the graph keep the strides that the user sees.
    """
    for node in list(graph.nodes):
        is_strided = node.target is aten.as_strided.default
        if is_strided and not leaves(node) and _moves_nothing(node):
            replace_node(graph, node, node.args[0])


def _moves_nothing(node: Node) -> bool:
    """Whether elements are those of the operand, in their order."""
    operand: Any = node.args[0]
    sizes = shape_of(node)
    if sizes is None or sizes != shape_of(operand):
        return False
    value, given = node.meta["val"], operand.meta["val"]
    strides = zip(sizes, value.stride(), given.stride(), strict=True)
    return value.storage_offset() == given.storage_offset() and all(
        size == 1 or one == other for size, one, other in strides
    )
