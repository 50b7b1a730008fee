"""The nodes of a segment's call in a graph: layouts in, the call, layouts out.

The call takes and gives tensors of torch that are dense in the payload's orders. Which
tensors need a check is decided here, once, from what torch promises:

- Dynamo guards the strides of inputs, and results of segments are what they were made:
  dense ones are passed as they are.
- Saved tensors and gradients of a backward graph, results of torch's own ops, and
  tensors with symbolic sizes may differ from the trace. `contiguous` copies them if
  they do.
"""

from __future__ import annotations

import operator

import torch
from torch.fx import Graph, Node
from torch.fx.node import Argument

from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.torch_backend.capture.convolutions.channels_last import READS_STRIDES
from tilewright.torch_backend.lowering.layouts import (
    Order,
    is_plain,
    memory_order,
)
from tilewright.torch_backend.lowering.owned_writes import written_inputs
from tilewright.torch_backend.runtime.segment_call import SegmentCall

_MODULE_TO_CHANGES = 4
"""`Module.to(memory_format=...)` changes the strides of parameters with as many
dimensions, which guards on the module may not see."""

_FORMATS: dict[Order, torch.memory_format] = {
    (0, 2, 3, 1): torch.channels_last,
    (0, 2, 3, 4, 1): torch.channels_last_3d,
}


def is_dense_input(node: Node) -> bool:
    """Whether an input of a graph is surely dense in the memory order of the trace."""
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor) or value.dim() >= _MODULE_TO_CHANGES:
        return False
    sizes = [*value.shape, *value.stride()]
    if not all(isinstance(size, int) for size in sizes) or value.is_neg():
        return False
    return memory_order(value.shape, value.stride()) is not None


def add_call(
    graph: Graph, call: SegmentCall, copies: dict[Node, Node], dense: set[Node]
) -> None:
    """Add the call of a segment; `copies` gets the nodes of its outputs.

    `dense` are the nodes whose layouts are certain; the outputs become members, and so
    do the inputs that are made dense here.
    """
    segment = call.segment
    written = {
        write: copies[node] for node, write in written_inputs(segment.nodes).items()
    }
    if call.lowered is None or call.call is None:
        made = graph.call_function(call, tuple(copies[n] for n in segment.inputs))
        for place, node in enumerate(segment.outputs):
            copies[node] = _item(graph, made, place, node)
            if node in written:
                copies[node] = _written_back(graph, written[node], copies[node])
        return
    lowered = call.lowered
    given: list[Node] = []
    for node, order in zip(lowered.inputs, lowered.input_orders, strict=True):
        tensor = copies[node]
        if node.meta["val"].is_neg():
            tensor = graph.call_method("resolve_neg", (tensor,))
        if node not in dense:
            tensor = _made_dense(graph, tensor, order)
            if _is_dense_in_trace(node):
                copies[node] = tensor
                dense.add(node)
        given.append(tensor)
    made = graph.create_node("call_function", call.call, tuple(given), {}, call.name)
    single = len(segment.outputs) == 1
    for place, node in enumerate(segment.outputs):
        result = (
            made if single else graph.call_function(operator.getitem, (made, place))
        )
        if _needs_gaps(node):
            value = node.meta["val"]
            sizes = (tuple(value.shape), tuple(value.stride()))
            result = graph.call_function(with_gaps, (result, *sizes))
        if node in written:
            result = _written_back(graph, written[node], result)
        result.meta = dict(node.meta)
        copies[node] = result
        dense.add(node)


def _written_back(graph: Graph, given: Node, made: Node) -> Node:
    return graph.call_function(write_back, (given, made))


def write_back(given: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """The tensor that a segment writes to, with what it has written.

    That is there already where kernels had the tensor itself, and not a dense copy.
    """
    if made.data_ptr() != given.data_ptr():
        given.copy_(made)
    return given


def _is_dense_in_trace(node: Node) -> bool:
    """Whether torch computed a dense tensor in the trace.

    Then the one that was made dense takes its place for all that come later. An input
    stays itself, since a graph may write to it.
    """
    value = node.meta["val"]
    is_made = node.op == "call_function" and not value.is_neg()
    return is_made and memory_order(value.shape, value.stride()) is not None


def _made_dense(graph: Graph, tensor: Node, order: Order) -> Node:
    """A tensor that lies in an order: itself, or a copy if it does not at run time.

    torch looks at channels-last images in one call, as at contiguous tensors.
    """
    if is_plain(order):
        return graph.call_method("contiguous", (tensor,))
    if order in _FORMATS:
        formatted: dict[str, Argument] = {"memory_format": _FORMATS[order]}
        return graph.call_method("contiguous", (tensor,), formatted)
    turned = graph.call_method("permute", (tensor, order))
    made = graph.call_method("contiguous", (turned,))
    return graph.call_method("permute", (made, inverse(order)))


def _needs_gaps(node: Node) -> bool:
    """Whether the gaps of a result are seen: by the user, or by a read of memory.

    `select_scatter` of a part of a matrix gives a tensor with the gaps of the part.
    """
    value = node.meta["val"]
    if not any(one.op == "output" or one.target in READS_STRIDES for one in node.users):
        return False
    sizes = (*value.shape, *value.stride())
    if not all(isinstance(size, int) for size in sizes) or 0 in value.stride():
        return False
    return memory_order(value.shape, value.stride()) is None


def with_gaps(
    tensor: torch.Tensor, shape: tuple[int, ...], strides: tuple[int, ...]
) -> torch.Tensor:
    """A copy with these strides."""
    made = torch.empty_strided(shape, strides, dtype=tensor.dtype, device=tensor.device)
    return made.copy_(tensor)


def _item(graph: Graph, made: Node, place: int, node: Node) -> Node:
    item = graph.call_function(operator.getitem, (made, place))
    item.meta = dict(node.meta)
    return item
