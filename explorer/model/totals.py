"""Sums over the kernels of a model: of all of them, and of each line of the model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Line: TypeAlias = tuple[int, int]
"""A file and a line."""


def totals(
    graphs: Sequence[Mapping[str, Any]],
    kernels: Sequence[Mapping[str, Any]],
    other_seconds: float,
) -> dict[str, Any]:
    """What the top of the page says."""
    times = [kernel["seconds"] for kernel in kernels]
    nodes = [node for graph in graphs for node in graph["nodes"]]
    return {
        "seconds": other_seconds + sum(time or 0.0 for time in times),
        "other_seconds": other_seconds,
        "measured": any(kernel["measured"] for kernel in kernels) or None in times,
        "unknown": times.count(None),
        "kernels": len(kernels),
        "sorts": len({kernel["sort"] for kernel in kernels}),
        "flops": sum(kernel["flops"] for kernel in kernels),
        "bytes": sum(kernel["bytes"] for kernel in kernels),
        "fused_ops": sum(node["kind"] == "op" for node in nodes),
        "torch_ops": sum(node["kind"] == "torch" for node in nodes),
    }


def line_times(
    graphs: Sequence[Mapping[str, Any]], kernels: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The lines of the model that ops come from, with their kernels and their time.

    A kernel of several lines gives each a part of its time, by the number of its ops.
    """
    stayed: dict[Line, int] = defaultdict(int)
    places: list[dict[str, Line]] = []
    for graph in graphs:
        own: dict[str, Line] = {}
        for node in graph["nodes"]:
            if (place := node.get("place")) is None:
                continue
            own[node["id"]] = (place[0], place[1])
            stayed[own[node["id"]]] += node["kind"] == "torch"
        places.append(own)
    seconds: dict[Line, float] = defaultdict(float)
    found: dict[Line, list[int]] = defaultdict(list)
    for number, kernel in enumerate(kernels):
        known = places[kernel["graph"]]
        lines = [known[node] for node in kernel["nodes"] if node in known]
        for line in lines:
            seconds[line] += (kernel["seconds"] or 0.0) / len(lines)
            if number not in found[line]:
                found[line].append(number)
    return [
        {
            "file": line[0],
            "line": line[1],
            "kernels": found.get(line, []),
            "seconds": seconds.get(line, 0.0),
            "torch": stayed.get(line, 0),
        }
        for line in sorted({*found, *stayed})
        if line in found or stayed[line]
    ]
