"""Mode `reduce-overhead`: a graph's launches are captured and replayed as CUDA graphs.

torch's CUDA graph trees do the work, as for its own compilers: they warm up, capture,
copy inputs that move, share one pool of memory and capture again if a parameter moves.
This module decides which graphs are captured, and tells why others are not.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import GraphModule

from tilewright.torch_backend.lowering.sizes import symbols_of
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime.fake_calls import has_fakes
from tilewright.torch_backend.runtime.graph_function import GraphFunction

_log = logging.getLogger("tilewright.torch")


class CudaGraphs:
    """The CUDA graphs of one captured model: its forward and its backward graph."""

    def __init__(self) -> None:
        self._forward_is_captured = False

    def captured(
        self, call: GraphFunction, graph: GraphModule, inputs: Sequence[Any], name: str
    ) -> GraphFunction:
        """A function that replays the launches of another; itself if it cannot."""
        is_backward = name == "backward"
        static = static_inputs(graph, is_backward=is_backward)
        reason = why_not_captured(graph, static)
        if reason is None and is_backward and not self._forward_is_captured:
            reason = "the forward graph is not captured"
        _note(name, reason)
        if reason is not None:
            if is_backward and self._forward_is_captured:
                return _telling_of_backward(call, _device_index(graph))
            return call
        self._forward_is_captured |= name == "forward"
        return _replaying(call, graph, inputs, static, name)


def why_not_captured(graph: GraphModule, static: Sequence[int]) -> str | None:
    """Why a graph of ATen ops cannot be a CUDA graph; None if it can."""
    from torch._dynamo.backends.cudagraphs import (
        find_input_mutations,
        get_device_node_mapping,
    )
    from torch._inductor.cudagraph_utils import check_multiple_devices_or_any_cpu_nodes
    from torch._inductor.utils import get_first_incompatible_cudagraph_node

    symbols = {
        str(symbol)
        for node in graph.graph.nodes
        for symbol in symbols_of(node.meta.get("val"))
    }
    if symbols:
        return f"its sizes are symbolic: {', '.join(sorted(symbols))}"
    devices = get_device_node_mapping(graph)
    if not devices:
        return "it has no tensors"
    for device, node in devices.items():
        if device.type != "cuda":
            return f"'{node.name}' is on the {device.type}"
    if len(devices) > 1:
        return check_multiple_devices_or_any_cpu_nodes(devices)
    mutated = find_input_mutations(graph.graph) - set(static)
    if mutated:
        inputs = [node for node in graph.graph.nodes if node.op == "placeholder"]
        return f"it writes its input '{inputs[min(mutated)].name}'"
    node = get_first_incompatible_cudagraph_node(graph)
    return None if node is None else f"'{node.target}' cannot be captured"


def static_inputs(graph: GraphModule, *, is_backward: bool) -> list[int]:
    """The inputs that stay where they are: parameters, and tensors saved by forward."""
    from torch._guards import TracingContext
    from torch._inductor.utils import count_tangents

    if is_backward:
        return list(range(count_tangents(graph)))
    context = TracingContext.try_get()
    if context is None or context.fw_metadata is None:
        return []
    return list(context.fw_metadata.static_input_indices)


def _replaying(
    call: GraphFunction,
    graph: GraphModule,
    inputs: Sequence[Any],
    static: Sequence[int],
    name: str,
) -> GraphFunction:
    """Call once on the stream of the captures, then capture and replay.

    The first call compiles kernels, and makes constants and counters that stay. The
    pool of the captures would take their memory back.
    """
    from torch._dynamo.backends.cudagraphs import (
        find_input_mutations,
        get_stack_traces,
    )
    from torch._inductor.cudagraph_trees import cudagraphify_impl, get_manager
    from torch._inductor.cudagraph_utils import get_placeholder_info

    device = _device_index(graph)
    replay: Any = cudagraphify_impl(
        call,  # pyright: ignore[reportArgumentType]
        list(inputs),
        static,
        device_index=device,
        is_backward=name == "backward",
        is_inference=name == "inference",
        stack_traces=get_stack_traces(graph),
        placeholders=get_placeholder_info(graph.graph),
        mutated_input_idxs=find_input_mutations(graph.graph),
    )
    is_warm = False

    def run(args: list[Any]) -> Any:
        nonlocal is_warm
        if has_fakes(args):
            return call(args)
        if is_warm:
            return replay(args)
        is_warm = True
        with torch.cuda.device(device):
            manager = get_manager(device)
            assert manager is not None
            here = torch.cuda.current_stream()
            manager.stream.wait_stream(here)
            with torch.cuda.stream(manager.stream):
                results = call(args)
            here.wait_stream(manager.stream)
        return results

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


def _telling_of_backward(call: GraphFunction, device: int) -> GraphFunction:
    """A backward that is not captured, after a forward that is.

    The trees must know that it runs: the next forward starts a new iteration.
    """
    from torch._inductor.cudagraph_trees import get_manager

    def run(args: list[Any]) -> Any:
        manager = get_manager(device, create_if_none_exists=False)
        if manager is not None:
            manager.set_to_running_backward()
        return call(args)

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


def _note(name: str, reason: str | None) -> None:
    """Tell in the log and in the graph's report."""
    RECENT[-1].cuda_graph = "captured" if reason is None else f"not captured: {reason}"
    _log.info("%s: CUDA graph: %s", name, RECENT[-1].cuda_graph)


def _device_index(graph: GraphModule) -> int:
    """The GPU of a graph; the current one if its tensors do not say."""
    for node in graph.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.device.type == "cuda":
            index = value.device.index
            return torch.cuda.current_device() if index is None else index
    return 0
