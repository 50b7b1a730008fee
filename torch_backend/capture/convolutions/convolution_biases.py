"""The bias of a convolution that stays in torch, as an addition of its own.

torch adds it in a kernel of its own after cuDNN's. As an addition it belongs to the
payload that reads the result, and is fused there.

Before:

    y = aten.convolution(x, weight, bias, ...)

After:

    sums = aten.convolution(x, weight, None, ...)
    y = aten.add(sums, aten.view(bias, [channels, 1, 1]))
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_BIAS = 2
"""The position of the bias among the arguments of a convolution."""


def split_biases(graph: Graph) -> None:
    """Take the biases out of all convolutions."""
    for node in list(graph.nodes):
        if node.target is not aten.convolution.default:
            continue
        bias = node.args[_BIAS]
        if not isinstance(bias, Node) or _is_fused(node):
            continue
        args = (*node.args[:_BIAS], None, *node.args[_BIAS + 1 :])
        places = node.meta["val"].dim() - 2
        with graph.inserting_before(node):
            sums = add_call(graph, node, node.target, *args)
            shape = [bias.meta["val"].shape[0], *[1] * places]
            column = add_call(graph, node, aten.view.default, bias, shape)
        # The node keeps its name, which an output of the graph may have.
        node.target, node.args = aten.add.Tensor, (sums, column)


def _is_fused(node: Node) -> bool:
    """Whether torch's kernel for filters of one channel adds the bias, for nobody else.

    Where another op reads the result, the addition is fused with that one.
    """
    weight: Any = node.args[1]
    is_depthwise = node.args[-1] != 1 and weight.meta["val"].shape[1] == 1
    return bool(is_depthwise) and all(user.op == "output" for user in node.users)
