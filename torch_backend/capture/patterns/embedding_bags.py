"""Bags of equal length, as `nn.EmbeddingBag` has for indices of two dimensions.

torch flattens the indices and gives the bags' starts as an `arange`. Where only the
bags are read, and not what the gradient needs, this is an embedding and a reduction.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_BAGS = (aten._embedding_bag.default, aten._embedding_bag_forward_only.default)
_REDUCTIONS: Sequence[Callable[..., Any]] = (
    aten.sum.dim_IntList,
    aten.mean.dim,
    aten.amax.default,
)
"""By the number of the mode."""
_OPTIONS = (False, 0, False, None, False, -1)
"""The arguments after the tensors, unless they are given."""


def reduce_embeddings(graph: Graph) -> None:
    """Replace bags of equal length by embeddings and reductions."""
    bags: list[Any] = [node for node in graph.nodes if node.target in _BAGS]
    for node in bags:
        length = _bag_length(node)
        items = list(node.users)
        if length is None or any(
            one.target is not operator.getitem or one.args[1] != 0 for one in items
        ):
            continue
        weight, indices, starts = node.args[:3]
        mode = node.args[4] if len(node.args) > 4 else 0
        with graph.inserting_before(node):
            each = add_call(graph, node, aten.view.default, indices, [-1, length])
            rows = add_call(graph, node, aten.embedding.default, weight, each)
        for item in items:
            # The node keeps its name, which an exported program's signature has.
            item.target, item.args = _REDUCTIONS[mode], (rows, [1])
        graph.erase_node(node)
        if not starts.users:
            graph.erase_node(starts)


def _bag_length(node: Any) -> int | None:
    """The number of indices in each bag; None if it is not known or differs."""
    options = (*node.args[3:], *_OPTIONS[len(node.args) - 3 :])
    _, _, _, per_sample_weights, include_last_offset, padding_idx = options
    starts = node.args[2]
    if per_sample_weights is not None or include_last_offset or padding_idx != -1:
        return None
    if not isinstance(starts, Node) or starts.target is not aten.arange.start_step:
        return None
    first, last, length = (*starts.args, 1)[:3]
    (count,) = node.args[1].meta["val"].shape
    if not isinstance(length, int) or not isinstance(count, int):
        return None
    is_even = first == 0 and last == count and count % length == 0
    return length if is_even and length > 0 else None
