"""The logarithm of one plus an exponential is a softplus, as losses have it.

    torch.log1p(torch.exp(x))

becomes

    torch.where(x > limit, inf, F.softplus(x))

A softplus takes a polynomial instead of a logarithm. Above the limit the exponential is
infinite in f32, and so is the logarithm in torch.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import Graph

from tilewright.torch_backend.capture.graph_edits import erase_unread, replace_node
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_LIMIT = 88.72283905206835
"""The logarithm of the largest f32."""


def join_log_exponentials(graph: Graph) -> None:
    """Replace logarithms of one plus an exponential."""
    for node in list(graph.nodes):
        if node.target is not aten.log1p.default:
            continue
        power: Any = node.args[0]
        if power.target is not aten.exp.default:
            continue
        x: Any = power.args[0]
        if x.meta["val"].dtype != torch.float32:
            continue
        with graph.inserting_before(node):
            made = add_call(graph, node, aten.softplus.default, x)
            if not _is_negative(x):
                above = add_call(graph, node, aten.gt.Scalar, x, _LIMIT)
                made = add_call(
                    graph, node, aten.masked_fill.Scalar, made, above, math.inf
                )
        replace_node(graph, node, made)
        erase_unread(graph, [power])


def _is_negative(x: Any) -> bool:
    """Whether a node is the negative of an absolute value."""
    return x.target is aten.neg.default and x.args[0].target is aten.abs.default
