"""The loop nest of a step as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from tilewright.ir.errors import Place
from tilewright.ir.nest.tree import Cut, GridNode, LoopNode, Moved, Nest, Node, OpNode

PlaceData = Callable[[Place | None], list[int] | None]


def nest_data(nest: Nest, first: Nest | None, place: PlaceData) -> dict[str, Any]:
    """The nest of a step; `first` is the payload's, `place` writes places."""
    return {
        "payload": None if first is None else _moved_by(first),
        "children": _nodes(nest.children, place),
        "read": nest.read,
        "written": nest.written,
        "kept": nest.kept,
    }


def _moved_by(nest: Nest) -> int | None:
    """What a nest reads from memory and writes to it."""
    if nest.read is None or nest.written is None:
        return None
    return nest.read + nest.written


def _nodes(nodes: Sequence[Node], place: PlaceData) -> list[dict[str, Any]]:
    return [_node(node, place) for node in nodes]


def _node(node: Node, place: PlaceData) -> dict[str, Any]:
    match node:
        case GridNode():
            return {
                "kind": "grid",
                "op": node.op,
                "name": node.name,
                "extents": node.extents,
                "mapping": node.mapping,
                "tiles": node.tiles,
                "programs": node.programs,
                "result": _cut(node.result),
                "children": _nodes(node.children, place),
                "read": node.read,
                "written": node.written,
                "kept": node.kept,
            }
        case LoopNode():
            return {
                "kind": "loop",
                "op": node.op,
                "extent": node.extent,
                "step": node.step,
                "trips": node.trips,
                "stages": node.stages,
                "carries": node.carries,
                "children": _nodes(node.children, place),
            }
        case OpNode():
            return {
                "kind": "op",
                "op": node.op,
                "ops": node.ops,
                "name": node.name,
                "verb": node.verb,
                "operands": node.operands,
                "type": node.type,
                "reads": [_moved(moved) for moved in node.reads],
                "writes": [_moved(moved) for moved in node.writes],
                "place": place(node.place),
                "flops": node.flops,
            }


def _cut(cut: Cut | None) -> dict[str, Any] | None:
    if cut is None:
        return None
    return {"name": cut.name, "shape": cut.shape, "tile": cut.tile}


def _moved(moved: Moved) -> dict[str, Any]:
    return {
        "name": moved.name,
        "shape": moved.shape,
        "type": moved.type,
        "bytes": moved.bytes,
        "where": moved.where,
        "trips": moved.trips,
    }


def share_parts(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The different outermost parts of all nests; steps then refer to them by number.

    A step changes one grid of many: without this, a long schedule repeats the rest.
    """
    parts: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}
    for step in steps:
        if step.get("nest") is None:
            continue
        children: list[int] = []
        for part in step["nest"]["children"]:
            key = json.dumps(part)
            if key not in numbers:
                numbers[key] = len(parts)
                parts.append(part)
            children.append(numbers[key])
        step["nest"]["children"] = children
    return parts
