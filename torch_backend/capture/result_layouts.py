"""The results of a graph keep the strides that they have in its trace.

Rewrites replace nodes by others that compute the same numbers, and may lay them out
otherwise. The strides are read before the rewrites, and restored after them.

Before, where the trace has (4, 1) and a rewrite gives (1, 6):

    return y: (1, 6)

After:

    return aten.clone(y, memory_format=contiguous_format): (4, 1)

In a payload the copy is no op of its own: the kernel writes the order of the copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.torch_backend.capture.eager_layouts import same_strides
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.lowering.layouts import is_plain, memory_order

Strides = tuple[int, ...]
aten = torch.ops.aten


def traced_strides(graph: Graph, seen: int | None = None) -> list[Strides | None]:
    """The strides of the first `seen` results, all by default.

    None stands for a result that is no tensor, or has symbolic sizes.
    """
    return [_strides(one) for one in _results(graph)[:seen]]


def keep_strides(graph: Graph, strides: Sequence[Strides | None]) -> None:
    """Copy the results whose strides are not the given ones.

    Strides with gaps are left to `runtime/segment_nodes.py`.
    """
    output = _output(graph)
    results = _results(graph)
    for place, wanted in enumerate(strides):
        node = results[place]
        own = _strides(node)
        if wanted is None or own is None or node.op == "placeholder":
            continue
        shape = node.meta["val"].shape
        order = memory_order(shape, wanted)
        if order is None or same_strides(shape, own, wanted):
            continue
        with graph.inserting_before(output):
            turned = node
            if not is_plain(order):
                turned = add_call(graph, node, aten.permute.default, node, list(order))
            made = add_call(
                graph,
                node,
                aten.clone.default,
                turned,
                memory_format=torch.contiguous_format,
            )
            if not is_plain(order):
                back = list(inverse(order))
                made = add_call(graph, node, aten.permute.default, made, back)
        results[place] = made
    output.args = (tuple(results),)


def _output(graph: Graph) -> Node:
    (output,) = (node for node in graph.nodes if node.op == "output")
    return output


def _results(graph: Graph) -> list[Any]:
    return list(_output(graph).args[0])  # pyright: ignore[reportArgumentType]


def _strides(node: Any) -> Strides | None:
    value = node.meta.get("val") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return None
    sizes = (*value.shape, *value.stride())
    return tuple(value.stride()) if all(isinstance(s, int) for s in sizes) else None
