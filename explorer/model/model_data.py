"""The data of a model's page: its graphs, kernels, lines, and what stayed in torch."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

from torch.fx import Node

from tilewright.explorer.model.graph_nodes import graph_nodes, type_text
from tilewright.explorer.model.kernel_entries import KernelEntries
from tilewright.explorer.model.kernel_programs import kernel_programs
from tilewright.explorer.model.model_files import ModelFiles
from tilewright.explorer.model.request import ModelRequest
from tilewright.explorer.model.totals import line_times, totals
from tilewright.torch_backend.diagnosis.capture import CapturedGraph
from tilewright.torch_backend.diagnosis.explanation import (
    captured_for_tools,
    explained_segments,
    target_title,
)

_HINT = re.compile(r"^\s*Hint: (.*)$", re.MULTILINE)


def model_data(
    request: ModelRequest, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Compile a model for its arguments, and keep what the page shows.

    Raises `UserError` for mistakes in the model, as `tilewright.explain` does.
    """
    progress("capturing the model")
    captured, options = captured_for_tools(
        request.model,
        request.args,
        backward=request.backward,
        options={} if request.target is None else {"target": request.target},
    )
    files = ModelFiles()
    entries = KernelEntries(files)
    arguments = _argument_names(request.model)
    graphs: list[dict[str, Any]] = []
    others = 0.0
    for number, graph in enumerate(captured.graphs):
        homes: dict[Node, list[int]] = {}
        for one in explained_segments(
            graph, options, measure=request.measure, progress=progress
        ):
            first = len(entries.kernels)
            entries.add_segment(number, graph.name, one)
            others += one.other_seconds
            for position, kernel in enumerate(one.kernels, start=first):
                for node in kernel.nodes:
                    homes.setdefault(node, []).append(position)
        graphs.append(
            {
                "name": graph.name,
                "title": _title(captured.graphs, number),
                "nodes": graph_nodes(graph, homes, arguments, files),
                "refused": list(dict.fromkeys(graph.report.refused)),
                "ended_by": _ended_by(graph, files),
            }
        )
    order = _by_time(entries)[: request.details]
    details = kernel_programs(entries.different, order, request.detail_bytes, progress)
    programs = list(details.values())
    numbers = {sort: number for number, sort in enumerate(details)}
    for kernel in entries.kernels:
        kernel["program"] = numbers.get(kernel["sort"])
    target = target_title(options)
    return {
        "title": request.title,
        "subtitle": f"for {target}, {_inputs_text(request.args)}",
        "target": target,
        "totals": totals(graphs, entries.kernels, others),
        "graphs": graphs,
        "kernels": entries.kernels,
        "segments": entries.segments,
        "texts": [text.split("\n") for text in entries.texts],
        "programs": programs,
        "lines": line_times(graphs, entries.kernels),
        "files": files.listed(),
    }


def _by_time(entries: KernelEntries) -> list[int]:
    """The sorts of kernels, those first that take most of the time together."""
    spent = [0.0] * len(entries.different)
    for kernel in entries.kernels:
        spent[kernel["sort"]] += kernel["seconds"] or 0.0
    return sorted(range(len(spent)), key=lambda sort: -spent[sort])


def _title(graphs: Sequence[CapturedGraph], number: int) -> str:
    """`Forward`; `Forward 2` where a break makes several."""
    name = graphs[number].name
    same = [one for one, graph in enumerate(graphs) if graph.name == name]
    title = name.capitalize()
    return title if len(same) == 1 else f"{title} {same.index(number) + 1}"


def _ended_by(graph: CapturedGraph, files: ModelFiles) -> dict[str, Any] | None:
    found = graph.ended_by
    if found is None:
        return None
    reason, _, rest = found.reason.partition("\n")
    return {
        "reason": reason,
        "hints": _HINT.findall(rest),
        "place": files.place(found.place),
    }


def _argument_names(model: Any) -> tuple[str, ...]:
    """The names of the model's arguments; none where Python does not know them."""
    function = getattr(model, "forward", model)
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def _inputs_text(args: Sequence[Any]) -> str:
    texts = [type_text(one) or str(one)[:40] for one in args]
    return f"called with {', '.join(texts)}" if texts else "called without arguments"
