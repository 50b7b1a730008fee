"""A segment as a callable: for all sizes, for those of a call, or run by torch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from tilewright.ir.errors import UserError
from tilewright.torch_backend.compiling.payload_lines import refused_node
from tilewright.torch_backend.logs import log_payload
from tilewright.torch_backend.lowering.lower import Lowered, lower
from tilewright.torch_backend.lowering.sizes import Sizes, bound, left_open, symbols_of
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.segments import Segment
from tilewright.torch_backend.report import Report
from tilewright.torch_backend.runtime.launchable import launchable
from tilewright.torch_backend.runtime.runners import (
    Call,
    Runner,
    call_for,
    runner_for,
)
from tilewright.torch_backend.runtime.torch_nodes import add_torch_node
from tilewright.torch_backend.tuned.segments import tune_lowered
from tilewright.torch_backend.watching import LoweredSegment, tell

_log = logging.getLogger("tilewright.torch")
_MOST_SIZES = 8
"""Sets of sizes that a segment is compiled for, if no program takes all; further ones
run in torch."""


class SegmentCall:
    """The payload of a segment, or the calls of torch that take its place.

    After `prepare`, a segment of known sizes has its payload in `lowered` and a
    function of the payload's tensors in `call`. Others are called themselves, with the
    tensors and sizes of the segment: one program takes all sizes where the payload can
    leave them open; else one is compiled for each set of sizes.
    """

    def __init__(self, segment: Segment, name: str, options: Options, report: Report):
        self.segment = segment
        self.name = self.__name__ = name
        self.options = options
        self.report = report
        self.device = _device(segment)
        self.lowered: Lowered | None = None
        self.call: Call | None = None
        self.refused_at: Node | None = None
        self._values = [node.meta["val"] for node in segment.inputs]
        self._tensors = [
            place
            for place, value in enumerate(self._values)
            if isinstance(value, torch.Tensor)
        ]
        self._tensors_of = _getter(self._tensors)
        nodes = (*segment.inputs, *segment.nodes)
        self._all_values = [node.meta.get("val") for node in nodes]
        self._is_symbolic = any(map(symbols_of, self._all_values))
        self._runners: dict[tuple[int, ...], Runner] = {}
        self._any_sizes: Runner | None = None
        self._told_of_torch = False

    def __call__(self, *given: Any) -> list[torch.Tensor]:
        """The outputs of the segment."""
        tensors = self._tensors_of(given)
        if self._any_sizes is not None:
            try:
                return self._any_sizes(tensors)
            except ValueError as error:
                # The launcher refuses tensors with more elements than it numbers.
                _log.info("%s: %s", self.name, error)
        key: tuple[int, ...] = ()
        if self._is_symbolic:
            sizes = (size for tensor in tensors for size in tensor.shape)
            key = (*sizes, *(one for one in given if isinstance(one, int)))
        runner = self._runners.get(key)
        if runner is None:
            if len(self._runners) == _MOST_SIZES:
                return self._without_program(given)
            runner = self._runners[key] = self._specialized(given)
        return runner(tensors)

    def on_fakes(self, *given: Any) -> list[torch.Tensor]:
        """The outputs for fake tensors, as torch infers them."""
        return list(self._torch_graph.forward(*given))

    def lower(self) -> None:
        """Make the payload, if the sizes are known; may raise."""
        if not self._is_symbolic:
            self.lowered = self._lower(Sizes())

    def prepare(self) -> None:
        """Compile after `lower`, before the first call; may raise for known sizes."""
        self._any_sizes = None
        if self.lowered is not None:
            self.call = call_for(self.lowered, self.device, self.options)
        elif not self.options.tunes:
            # Kernels are tuned for the sizes of a call.
            try:
                lowered = self._lower(left_open(self._all_values))
                self._any_sizes = runner_for(lowered, self.device, self.options)
                _log.info("%s: one program for all sizes", self.name)
            except UserError as error:
                _log.info("%s: a program for each size: %s", self.name, error.fact)
            except Exception as error:
                if self.options.strict:
                    raise
                _log.warning("%s: a program for each size: %r", self.name, error)

    def leave_to_torch(self, error: Exception) -> None:
        """Run the segment in torch, since the compiler refuses it.

        One with symbolic sizes is compiled for the sizes of its calls instead.
        """
        if self.lowered is not None:
            self.refused_at = refused_node(self.lowered, error)
        self.lowered = self.call = self._any_sizes = None
        if self._is_symbolic:
            _log.info("%s: a program for each size: %s", self.name, error)
            return
        self._runners[()] = self._in_torch(self._values, error)

    def _without_program(self, given: Sequence[Any]) -> list[torch.Tensor]:
        if not self._told_of_torch:
            self._told_of_torch = True
            _log.warning(
                "%s is compiled for %d sets of sizes; others run in torch",
                self.name,
                _MOST_SIZES,
            )
        return list(self._torch_graph.forward(*given))

    @cached_property
    def _torch_graph(self) -> GraphModule:
        return torch_graph(self.segment)

    def _specialized(self, given: Sequence[Any]) -> Runner:
        try:
            lowered = self._lower(bound(self._values, given))
            if not self._runners:
                # Other sizes than the first start from its winners, if they are near.
                tune_lowered(lowered, self.device, self.options)
            return launchable(
                lambda: runner_for(lowered, self.device, self.options),
                lowered.payload.name,
                self.options,
            )
        except Exception as error:
            if may_raise(error, self.options):
                raise
            return self._in_torch(given, error)

    def _lower(self, sizes: Sizes) -> Lowered:
        segment = self.segment
        lowered = lower(
            segment.nodes,
            segment.inputs,
            segment.outputs,
            name=self.name,
            sizes=sizes,
        )
        tell(LoweredSegment(self.report, self.name, segment, lowered))
        log_payload(lowered)
        return lowered

    def _in_torch(self, given: Sequence[Any], error: Exception) -> Runner:
        """The segment's nodes as torch calls, where the compiler refuses them."""
        fact = error.fact if isinstance(error, UserError) else repr(error)
        self.report.refused.append(f"{self.name}: {fact}")
        _log.warning("%s runs in torch: %s", self.name, fact)
        graph = torch_graph(self.segment)
        numbers = [
            None if place in self._tensors else value
            for place, value in enumerate(given)
        ]

        def run(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
            rest = iter(tensors)
            arguments = [
                next(rest) if place in self._tensors else numbers[place]
                for place in range(len(numbers))
            ]
            return list(graph.forward(*arguments))

        return run


def _getter(indices: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """A function that gives the elements at these indices of a sequence."""
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda given: [given[index] for index in indices]


def may_raise(error: Exception, options: Options) -> bool:
    """Whether the options ask for this error instead of a call of torch."""
    if isinstance(error, UserError):
        return options.fallback == "error"
    return options.strict


def torch_graph(segment: Segment) -> GraphModule:
    """The nodes of a segment as a graph that torch runs."""
    graph = Graph()
    copies: dict[Node, Node] = {}
    for node in segment.inputs:
        copies[node] = graph.placeholder(node.name)
    for node in segment.nodes:
        add_torch_node(graph, node, copies)
    graph.output(tuple(copies[node] for node in segment.outputs))
    return GraphModule(torch.nn.Module(), graph)


def _device(segment: Segment) -> torch.device:
    for node in (*segment.nodes, *segment.inputs):
        value = node.meta.get("val")
        for one in value if isinstance(value, tuple | list) else [value]:
            if isinstance(one, torch.Tensor):
                return one.device
    return torch.device("cpu")
