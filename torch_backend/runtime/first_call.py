"""The first call of a graph: eager torch keeps it where the kernels are slower.

    call = faster_call(eager, compiled, device_seconds, tell)
    call(*inputs)        # both are timed, in turns; the results are right either way
    call(*inputs)        # the faster one

Estimates choose between kernels, but no estimate knows all that eager torch does, such
as a fused attention that tracing took apart. So a graph of inference is run by both at
its first call. Graphs that write their inputs or draw random numbers cannot be run
twice, and those of training come in two parts: they are not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import torch
from torch.fx import GraphModule, Node

Call = Callable[..., Any]
Timer = Callable[[Call, Sequence[Any]], float]
"""The seconds of a call, with what the host adds to them."""

SLOWER = 1.05
"""Eager torch keeps a graph if the kernels take this many times as long."""
_WRITING = (
    *("setitem", "delitem", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod"),
    *("ipow", "iand", "ior", "ixor", "ilshift", "irshift", "imatmul", "iconcat"),
    *("batch_norm", "instance_norm"),
)
"""Functions that write a tensor, or the statistics that they are given."""
_ROUNDS = range(5, 26)
"""How often a call is timed at least and at most, if it is shorter than `_LONG`."""
_ENOUGH = 0.02
"""Seconds of timing after which the least number of rounds is enough."""
_LONG = 0.1
"""A call of so many seconds is timed once."""


def is_timed(graph: GraphModule, inputs: Sequence[Any]) -> bool:
    """Whether a captured graph is timed at its first call: inference on a GPU."""
    tensors = [one for one in inputs if isinstance(one, torch.Tensor)]
    if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
        return False
    # Tensors of the inference mode do not count how often they are written.
    if torch.is_inference_mode_enabled() and any(map(may_write, graph.graph.nodes)):
        return False
    return any(one.device.type == "cuda" for one in tensors)


def may_write(node: Node) -> bool:
    """Whether a node of Dynamo's graph may write a tensor that it is given."""
    if node.op == "call_method":
        return _is_in_place(str(node.target)) or node.target == "__setitem__"
    if node.op != "call_function":
        return node.op == "call_module"
    schema = getattr(node.target, "_schema", None)
    if schema is not None and schema.is_mutable:
        return True
    name = getattr(node.target, "__name__", "")
    return name in _WRITING or _is_in_place(name) or "out" in node.kwargs


def _is_in_place(name: str) -> bool:
    """`add_`, but not `__add__`: torch's name of an op that writes its operand."""
    return name.endswith("_") and not name.endswith("__")


def eager_copy(graph: GraphModule) -> Call:
    """A captured graph that stays as it is; it shares the weights."""
    return GraphModule(graph, deepcopy(graph.graph)).forward


def faster_call(
    eager: Call,
    compiled: Call,
    seconds: Timer,
    tell: Callable[[float, float], None],
) -> Call:
    """A call that is the compiled one, or eager torch's if that is faster.

    `tell` is called with the seconds of both if torch keeps the graph.
    """
    chosen: Call | None = None

    def call(*inputs: Any) -> Any:
        nonlocal chosen
        if chosen is not None:
            return chosen(*inputs)
        if torch.cuda.is_available() and torch.cuda.is_current_stream_capturing():
            return compiled(*inputs)
        before = _state(inputs)
        made = compiled(*inputs)
        chosen = compiled
        if before == _state(inputs):
            own, torchs = _timed(compiled, eager, inputs, seconds)
            if own > SLOWER * torchs:
                chosen = eager
                tell(own, torchs)
        return made

    return call


def device_seconds(call: Call, inputs: Sequence[Any]) -> float:
    """The seconds from the first launch of a call to the end of its last kernel."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    begin.record()
    call(*inputs)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def _timed(
    compiled: Call, eager: Call, inputs: Sequence[Any], seconds: Timer
) -> tuple[float, float]:
    """The least of both, in turns; eager torch is as slow as can be if it fails.

    Other work on the card or the host only adds to a call's seconds.
    """
    own: list[float] = []
    torchs: list[float] = []
    try:
        eager(*inputs)
        is_long = seconds(eager, inputs) > _LONG
        least, most = (1, 1) if is_long else (_ROUNDS.start, _ROUNDS.stop - 1)
        while len(own) < least or (
            len(own) < most and sum(own) + sum(torchs) < _ENOUGH
        ):
            own.append(seconds(compiled, inputs))
            torchs.append(seconds(eager, inputs))
    except RuntimeError:  # memory ran out, which the kernels may need less of
        return 0.0, 0.0
    return min(own), min(torchs)


def _state(inputs: Sequence[Any]) -> list[int]:
    """Numbers that change where a call writes its inputs or draws random numbers."""
    versions = [
        one._version
        for one in inputs
        if isinstance(one, torch.Tensor) and not one.is_inference()
    ]
    drawn = [hash(bytes(torch.get_rng_state().numpy()))]
    if torch.cuda.is_available():
        generators = torch.cuda.default_generators
        drawn += [generator.get_offset() for generator in generators]
    return [*versions, *drawn]
