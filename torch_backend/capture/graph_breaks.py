"""Where Dynamo ends a graph before the end of the model, why, and what it costs."""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch
from torch.fx import GraphModule, Node

from tilewright.codegen.targets import Target
from tilewright.ir.errors import Place
from tilewright.ir.phrases import count, in_units
from tilewright.torch_backend.lowering.model_lines import place_in_model

_EXPLANATION = re.compile(r"^\s*Explanation: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class GraphBreak:
    """The end of a graph in the middle of a model."""

    reason: str
    """Dynamo's words, of several lines often."""
    place: Place | None
    tensors: int = 0
    """The tensors that live on: memory holds them between the graphs."""
    moved_bytes: int = 0
    """What one graph stores and the next reads again."""

    @property
    def why(self) -> str:
        """The reason in one line."""
        head = self.reason.partition("\n")[0]
        told = _EXPLANATION.search(self.reason)
        return head if told is None else f"{head}: {told[1]}"

    @property
    def cost(self) -> str:
        """What is not fused."""
        what = count(self.tensors, "tensor")
        return f"{what}, {in_units(self.moved_bytes, 'B')} stored and read again"

    def seconds(self, target: Target) -> float:
        """The least time that a GPU needs for it, beside what the host does."""
        moved = 2 * self.moved_bytes / target.hbm_bandwidth
        return moved + target.calibration.launch


def break_after(graph: GraphModule) -> GraphBreak | None:
    """The break at the end of a graph of Dynamo."""
    found = getattr(graph, "compile_subgraph_reason", None)
    if found is None or not found.graph_break:
        return None
    reason = str(found.reason)
    if reason.startswith("generic_jump"):
        reason = "a branch depends on the value of a tensor"
    stack = [(frame.filename, frame.lineno or 1) for frame in found.user_stack]
    sizes = _stored_bytes(graph)
    return GraphBreak(reason, place_in_model(stack), len(sizes), sum(sizes))


def _stored_bytes(graph: GraphModule) -> list[int]:
    """The bytes of each tensor that leaves a graph of Dynamo."""
    found: list[int] = []
    for node in graph.graph.output_node().all_input_nodes:
        value = _example(node)
        if isinstance(value, torch.Tensor):
            sizes = [size for size in value.shape if isinstance(size, int)]
            if len(sizes) == value.dim():
                found.append(value.numel() * value.element_size())
    return found


def _example(node: Node) -> object:
    return node.meta.get("example_value", node.meta.get("val"))
