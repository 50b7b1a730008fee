"""Cuts a joint graph of training into a forward and a backward graph.

torch's partitioner chooses what the forward graph saves by a minimum cut: few bytes,
with element-wise ops computed again where they are read. Before that,

- copies that nobody can tell from their source go: dropout of probability 0 is one, and
  both tensors would be saved;
- a log-softmax is marked to be computed again. A kernel that holds a row computes it on
  the way, and the loss reads one element of each row: the forward graph then stores
  nothing of the size of the logits.
"""

from __future__ import annotations

from typing import Any

import torch
from functorch.compile import min_cut_rematerialization_partition
from torch.fx import Graph, GraphModule

from tilewright.torch_backend.capture.graph_edits import (
    drop_copies,
    leaving,
    mutates,
)
from tilewright.torch_backend.capture.recomputed_weights import (
    must_recompute,
    recompute_weights,
)

aten = torch.ops.aten


def partition(
    joint: GraphModule, inputs: Any, **options: Any
) -> tuple[GraphModule, GraphModule]:
    """The forward and the backward graph, as AOTAutograd asks for them."""
    graph = joint.graph
    if not any(mutates(node) for node in graph.nodes):
        drop_copies(graph)
    _mark_recomputed(graph)
    recompute_weights(graph)
    return min_cut_rematerialization_partition(joint, inputs, **options)


def _mark_recomputed(graph: Graph) -> None:
    """Let the backward graph compute each log-softmax that is no result again."""
    seen = leaving(graph)
    must_recompute(
        node
        for node in graph.nodes
        if node.target is aten._log_softmax.default and node not in seen
    )
