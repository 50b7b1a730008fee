"""Marks batched matmuls that follow each other, as those of attention.

torch multiplies matrices of two batch dimensions (batches, heads) by joining them to
one, while the softmax and the masks between two matmuls have both. One kernel can
compute the whole chain if the matmuls have them too: these are marked, and
`ops/matrices/batches.py` sees their batches apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import shape_of
from tilewright.torch_backend.ops.result import BATCHES_APART

_PRODUCT = torch.ops.aten.bmm.default
_MOST_NODES = 48
"""The nodes between two matmuls."""


def mark_chained(graph: Graph) -> None:
    """Mark the matmuls whose elements another matmul reads, and their readers."""
    for node in graph.nodes:
        if node.target is _PRODUCT:
            for first in _matmuls_behind(node):
                first.meta[BATCHES_APART] = node.meta[BATCHES_APART] = True


def _matmuls_behind(last: Node) -> Iterator[Node]:
    """The matmuls that a matmul reads through nodes of as many elements."""
    for operand in last.all_input_nodes:
        elements = _elements(operand)
        pending, seen = [operand], {operand}
        while pending and elements is not None and len(seen) <= _MOST_NODES:
            node = pending.pop()
            if node.target is _PRODUCT:
                yield node
                continue
            for one in node.all_input_nodes:
                if one not in seen and _elements(one) == elements:
                    seen.add(one)
                    pending.append(one)


def _elements(node: Node) -> int | None:
    """How many elements a node has; None where a size is symbolic."""
    shape = shape_of(node)
    return None if shape is None else math.prod(shape)
