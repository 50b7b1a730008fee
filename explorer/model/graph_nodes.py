"""The nodes of a captured graph as the page draws them.

Views, and what picks one of several results, compute nothing: readers of such a node
are shown as readers of its input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeAlias

import torch
from torch.fx import Node

from tilewright.explorer.model.model_files import ModelFiles
from tilewright.torch_backend.diagnosis.capture import CapturedGraph
from tilewright.torch_backend.lowering.dtypes import dtype_name
from tilewright.torch_backend.lowering.model_lines import model_place
from tilewright.torch_backend.lowering.node_call import op_name, short_name

Kind: TypeAlias = Literal["op", "torch", "input", "weight", "saved", "result"]
"""An op of a kernel, an op in torch, an argument of the call, a weight, what the
forward graph saved, or a result."""

_KEYS = re.compile(r"\['([^']*)'\]|\[(\d+)\]|\.(\w+)")
_HOLDERS = {"_modules", "_parameters", "_buffers"}


def graph_nodes(
    captured: CapturedGraph,
    kernels: Mapping[Node, Sequence[int]],
    arguments: tuple[str, ...],
    files: ModelFiles,
) -> list[dict[str, Any]]:
    """The nodes in order; `kernels` has the numbers of each node's kernels.

    `arguments` are the names of the model's own arguments.
    """
    stayed = {one.node: one.reason for one in captured.report.stayed}
    graph = captured.graph.graph
    given = dict(
        zip(graph.find_nodes(op="placeholder"), captured.sources, strict=False)
    )

    @cache
    def shown(node: Node) -> frozenset[str]:
        """The nodes of the page whose values a node has."""
        if node.op == "placeholder" or node in kernels or node.name in stayed:
            return frozenset({node.name})
        return frozenset[str]().union(*map(shown, node.all_input_nodes))

    def inputs(node: Node) -> list[str]:
        found = frozenset[str]().union(*map(shown, node.all_input_nodes))
        return sorted(found)

    nodes: list[dict[str, Any]] = []
    for node in graph.nodes:
        if node.op == "placeholder":
            kind, label = _argument(captured.name, node, given.get(node), arguments)
            nodes.append({"id": node.name, "kind": kind, "label": label, "inputs": []})
        elif node in kernels or node.name in stayed:
            nodes.append(
                {
                    "id": node.name,
                    "kind": "op" if node in kernels else "torch",
                    "label": short_name(op_name(node)),
                    "kernels": list(kernels.get(node, ())),
                    "reason": stayed.get(node.name, ""),
                    "place": files.place(model_place(node)),
                    "inputs": inputs(node),
                }
            )
        else:
            continue
        nodes[-1]["type"] = type_text(node.meta.get("val"))
    nodes += _results(graph.output_node(), shown)
    return nodes


def _results(output: Node, shown: Any) -> list[dict[str, Any]]:
    """The results; what is only saved for a backward graph counts too."""
    found: dict[frozenset[str], Node] = {}
    for node in output.all_input_nodes:
        found.setdefault(shown(node), node)
    return [
        {
            "id": f"result {number}",
            "kind": "result",
            "label": "result" if len(found) == 1 else f"result {number}",
            "inputs": sorted(origin),
            "type": type_text(node.meta.get("val")),
        }
        for number, (origin, node) in enumerate(found.items(), start=1)
    ]


def _argument(
    graph: str, node: Node, source: str | None, arguments: tuple[str, ...]
) -> tuple[Kind, str]:
    """What an argument of a graph is, and its name in the model."""
    if graph == "backward":
        is_gradient = node.name.startswith("tangents")
        return ("input", "gradient") if is_gradient else ("saved", node.name)
    if not source:
        return "input", node.name
    return argument_name(source, arguments)


def argument_name(source: str, arguments: tuple[str, ...]) -> tuple[Kind, str]:
    """`blocks.0.norm.weight`, and that it is a weight, from what Dynamo writes.

    `L['given'][0]` is the model's first argument: `capture` calls the model with these.
    """
    keys = [next(filter(None, found), "") for found in _KEYS.findall(source)]
    own = [key for key in keys[1:] if key not in _HOLDERS]
    if _HOLDERS & set(keys):
        return "weight", ".".join(own) or source
    if keys[:1] == ["given"] and len(own) == 1 and own[0].isdigit():
        position = int(own[0])
        is_named = position < len(arguments)
        return "input", arguments[position] if is_named else f"argument {position}"
    return "input", ".".join([*keys[:1], *own]) or source


def type_text(value: Any) -> str:
    """`f16[8, 512]`; of several results the first; empty for what is no tensor."""
    if isinstance(value, tuple | list) and value:
        return type_text(value[0])
    if not isinstance(value, torch.Tensor):
        return ""
    try:
        name = dtype_name(value.dtype)
    except Exception:
        name = str(value.dtype).removeprefix("torch.")
    return f"{name}[{', '.join(map(str, value.shape))}]"
