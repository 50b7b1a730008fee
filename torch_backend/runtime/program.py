"""A compiled graph: a graph of segment calls and torch calls that torch.fx runs.

torch.fx writes the graph as Python code that drops each tensor after its last use, so
that torch's allocator has its memory back.
"""

from __future__ import annotations

import logging
import operator
from collections.abc import Sequence
from functools import cache

from torch.fx import Graph, GraphModule, Node

from tilewright.ir.errors import Note, UserError
from tilewright.torch_backend.lowering.model_lines import model_place
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.options import Options
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
    main_device,
    why_not,
)
from tilewright.torch_backend.report import RECENT, Report, Stayed
from tilewright.torch_backend.runtime.segment_call import SegmentCall

_log = logging.getLogger("tilewright.torch")


def compile_graph(graph: GraphModule, options: Options, name: str) -> GraphModule:
    """The graph with every segment replaced by a call of its kernels."""
    calls = [n for n in graph.graph.nodes if n.op not in ("placeholder", "output")]
    device = main_device(list(graph.graph.nodes))

    @cache
    def support(node: Node) -> Support:
        if node.op != "call_function" or is_number(node):
            return Support("a number")
        return why_not(node, device, strict=options.strict)

    turns = cut(calls, support)
    report = Report(name)
    for node in calls:
        if not is_item(node) and not is_number(node) and not support(node).is_payload:
            reason = support(node).reason or ""
            report.stayed.append(Stayed(op_name(node), reason, model_place(node)))
    if options.fallback == "error" and report.stayed:
        raise refusal(name, report.stayed)
    made = _rebuilt(graph, turns, options, report)
    RECENT.append(report)
    _log.info("%s", report.text())
    return made


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
) -> GraphModule:
    """The graph in the order of the turns, each payload turn as one call."""
    root = GraphModule(graph, Graph())
    new = Graph(root)
    copies: dict[Node, Node] = {}
    nodes = list(graph.graph.nodes)
    for node in nodes:
        if node.op == "placeholder":
            copies[node] = new.node_copy(node, copies.__getitem__)
    for number, turn in enumerate(turns):
        if number % 2 or not turn or moves_no_data(turn):
            for node in turn:
                copies[node] = new.node_copy(node, copies.__getitem__)
            continue
        _add_segment(root, new, segment_of(turn), copies, options, report)
    output = nodes[-1]
    copies[output] = new.node_copy(output, copies.__getitem__)
    root.graph = new
    root.recompile()
    return root


def _add_segment(
    root: GraphModule,
    graph: Graph,
    segment: Segment,
    copies: dict[Node, Node],
    options: Options,
    report: Report,
) -> None:
    name = f"payload{len(report.segments)}"
    report.segments.append([op_name(n) for n in segment.nodes if not is_item(n)])
    call = SegmentCall(segment, name, options, report)
    call.prepare()
    root.add_submodule(name, call)
    made = graph.call_module(name, tuple(copies[node] for node in segment.inputs))
    for place, node in enumerate(segment.outputs):
        copies[node] = graph.call_function(operator.getitem, (made, place))
        copies[node].meta = dict(node.meta)
    for node in segment.views:
        copies[node] = graph.node_copy(node, copies.__getitem__)
