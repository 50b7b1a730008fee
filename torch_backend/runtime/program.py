"""A compiled graph: segments of kernels and calls of torch in one Python function."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

from torch.fx import Graph, GraphModule, Node

from tilewright.ir.errors import Note, UserError
from tilewright.program import find_target
from tilewright.torch_backend.capture.input_writes import is_input_write
from tilewright.torch_backend.capture.patterns.checked_indices import is_check
from tilewright.torch_backend.compiling.cached import several_programs
from tilewright.torch_backend.compiling.parallel import kernels_in_parallel
from tilewright.torch_backend.lowering.model_lines import model_place
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.preference import faster_in_torch, placed
from tilewright.torch_backend.partition.segments import (
    Segment,
    cut,
    moves_no_data,
    segment_of,
)
from tilewright.torch_backend.partition.support import (
    Support,
    is_item,
    is_number,
    is_on_meta,
    main_device,
    signature,
    why_not,
)
from tilewright.torch_backend.report import RECENT, Report, Stayed
from tilewright.torch_backend.runtime.culprits import beginnings, culprits
from tilewright.torch_backend.runtime.graph_function import (
    GraphFunction,
    GraphSource,
    graph_source,
)
from tilewright.torch_backend.runtime.launchable import launchable
from tilewright.torch_backend.runtime.runners import uses_kernels
from tilewright.torch_backend.runtime.segment_call import SegmentCall, may_raise
from tilewright.torch_backend.runtime.segment_nodes import add_call, is_dense_input
from tilewright.torch_backend.runtime.torch_nodes import add_torch_node
from tilewright.torch_backend.tuned.segments import tune_segments

BACKWARD = "backward"
"""The name of graphs of gradients."""

_log = logging.getLogger("tilewright.torch")
_CUTTING_SECONDS = 180.0
"""Refused segments of a graph are cut until then; what is still refused runs in torch.
"""
_INPUTS = ("placeholder", "get_attr")
_NO_CALLS = (*_INPUTS, "output")

Prepared = tuple[SegmentCall, Exception | None]
"""The call of a segment; with the compiler's error, if it runs in torch."""


@dataclass(frozen=True)
class CompiledGraph:
    """A graph with every segment replaced by a call of its kernels."""

    source: GraphSource
    calls: Sequence[SegmentCall]
    report: Report

    @cached_property
    def function(self) -> GraphFunction:
        """The function of a list of inputs."""
        return self.source.function()


def compile_graph(graph: GraphModule, options: Options, name: str) -> CompiledGraph:
    """Compile the segments of a graph.

    Where the compiler refuses a segment, the nodes that it refuses by themselves stay
    in torch, and the graph is cut again without them. If it refuses none by itself, the
    segment is cut where it is refused.
    """
    calls = [n for n in graph.graph.nodes if n.op not in _NO_CALLS]
    device = main_device(list(graph.graph.nodes))
    place = placed(device, options)
    refused: dict[Node, Support] = {}
    known: dict[Any, Support] = {}
    begin: set[Node] = set()
    cuts: list[str] = []
    started = time.monotonic()

    @cache
    def lowers(node: Node) -> Support:
        if node.op != "call_function" or is_number(node):
            return Support("a number")
        if is_on_meta(node):
            return Support("a tensor without elements")
        if options.fallback == "torch" and (
            why := faster_in_torch(node, place, options)
        ):
            return Support(why)
        alike = signature(node)
        if alike not in known:
            known[alike] = why_not(node, device, strict=options.strict)
        return known[alike]

    def support(node: Node) -> Support:
        return refused.get(node) or lowers(node)

    while True:
        turns = cut(calls, support, begin)
        report = Report(name)
        report.stayed = _stayed(calls, support)
        if options.fallback == "error" and report.stayed:
            raise refusal(name, report.stayed)
        tune_segments(_segments(turns), device, options)
        made, prepared = _rebuilt(graph, turns, options, report)
        failed = [(call, error) for call, error in prepared if error is not None]
        found = {
            node: reason
            for call, error in failed
            for node, reason in culprits(call.segment, error, options).items()
        }
        refused |= found
        if found:
            continue
        new = {node: e for call, e in failed for node in beginnings(call) - begin}
        if not new or time.monotonic() - started > _CUTTING_SECONDS:
            break
        cuts += [_cut_line(node, error) for node, error in new.items()]
        begin |= new.keys()
    report.cuts = cuts
    RECENT.append(report)
    _log.info("%s", report.text())
    segments = [call for call, _ in prepared]
    return CompiledGraph(graph_source(graph, made, segments), segments, report)


def _cut_line(node: Node, error: Exception) -> str:
    fact = error.fact if isinstance(error, UserError) else repr(error)
    place = model_place(node)
    where = "" if place is None else f" ({place})"
    return f"before {op_name(node)}{where}: {fact}"


def _segments(turns: Sequence[list[Node]]) -> list[Segment]:
    """The segments that become payloads."""
    payloads = [turn for turn in turns[::2] if turn and not moves_no_data(turn)]
    return [segment_of(turn) for turn in payloads]


def _stayed(calls: Sequence[Node], support: Callable[[Node], Support]) -> list[Stayed]:
    """The nodes that stay in torch and compute something there.

    Picking a result of one does not count, nor does copying one over an input, nor a
    check of indices.
    """
    return [
        Stayed(op_name(node), support(node).reason or "", model_place(node), node.name)
        for node in calls
        if not (is_item(node) or is_number(node) or is_on_meta(node) or is_check(node))
        and not (is_input_write(node) or support(node).is_payload)
    ]


def refusal(name: str, stayed: Sequence[Stayed]) -> UserError:
    """The error that names the ops that are no payload, with the model's lines."""
    ops = list(dict.fromkeys(one.op for one in stayed))
    notes = [Note(f"{one.op}: {one.reason}", one.place) for one in stayed]
    return UserError(
        f"{name}: no payload for {', '.join(ops)}",
        stayed[0].place,
        'fallback="torch" leaves them to torch',
        notes,
    )


def _rebuilt(
    graph: GraphModule, turns: list[list[Node]], options: Options, report: Report
) -> tuple[Graph, list[Prepared]]:
    """The graph in the order of the turns, each payload turn as one call."""
    new = Graph()
    copies: dict[Node, Node] = {}
    dense: set[Node] = set()
    nodes = list(graph.graph.nodes)
    for node in nodes:
        if node.op in _INPUTS:
            copies[node] = new.node_copy(node, copies.__getitem__)
            if report.name != BACKWARD and is_dense_input(node):
                dense.add(node)
    prepared = _all_prepared(_segments(turns), options, report)
    calls = iter(call for call, _ in prepared)
    for number, turn in enumerate(turns):
        if number % 2 or not turn or moves_no_data(turn):
            for node in turn:
                add_torch_node(new, node, copies)
            continue
        call = next(calls)
        add_call(new, call, copies, dense)
        for node in call.segment.views:
            copies[node] = new.node_copy(node, copies.__getitem__)
    output = nodes[-1]
    copies[output] = new.node_copy(output, copies.__getitem__)
    return new, prepared


def _all_prepared(
    segments: Sequence[Segment], options: Options, report: Report
) -> list[Prepared]:
    """Segments compiled, or left to torch with the error of the compiler.

    Triton compiles the kernels of one while the next is planned. Those with a kernel
    that cannot be launched are planned again.
    """
    calls: list[SegmentCall] = []
    for number, segment in enumerate(segments):
        report.segments.append([op_name(n) for n in segment.nodes if not is_item(n)])
        calls.append(SegmentCall(segment, f"payload{number}", options, report))
    errors = {call: _error_of(call.lower, options) for call in calls}
    with kernels_in_parallel() as compiling, _planned(calls, options):
        errors |= {
            call: _error_of(call.prepare, options)
            for call in calls
            if errors[call] is None
        }
    made: list[Prepared] = []
    gpu, _ = find_target(options.target)
    for call in calls:
        error = errors[call]
        if error is None and compiling.refusal(call.name, gpu) is not None:
            again = partial(launchable, call.prepare, call.name, options)
            error = _error_of(again, options)
        if error is not None:
            call.leave_to_torch(error)
        made.append((call, error))
    return made


def _planned(
    calls: Sequence[SegmentCall], options: Options
) -> AbstractContextManager[None]:
    """Several processes plan the payloads of calls that run as kernels."""
    planned = (
        call.lowered
        for call in calls
        if call.lowered is not None and uses_kernels(call.device, options)
    )
    return several_programs(planned, options)


def _error_of(step: Callable[[], None], options: Options) -> Exception | None:
    """The error of a step of the compiler, unless the options ask to raise it."""
    try:
        step()
    except Exception as error:
        if may_raise(error, options):
            raise
        return error
    return None
