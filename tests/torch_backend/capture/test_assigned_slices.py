"""Assignments to slices: what they leave in the graph, and eager torch's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.func import functionalize
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from tilewright.torch_backend.capture.decompositions import decompositions
from tilewright.torch_backend.capture.rewrites import rewrite


def graph_of(function: Callable[..., Any], *args: torch.Tensor) -> GraphModule:
    traced = make_fx(
        functionalize(function),
        tracing_mode="fake",
        decomposition_table=decompositions(),
    )
    made = traced(*args)
    rewrite(made.graph)
    made.graph.lint()
    made.recompile()
    given, wanted = made(*args), function(*args)
    torch.testing.assert_close(given, wanted)
    assert given.stride() == wanted.stride()
    return made


def count(graph: GraphModule, op: str) -> int:
    return sum(op in str(node.target) for node in graph.graph.nodes)


def quarters(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros_like(x)
    out[:, ::2, ::2], out[:, ::2, 1::2] = x[:, ::2, ::2] + 1, x[:, ::2, ::2] - 1
    out[:, 1::2, ::2], out[:, 1::2, 1::2] = x[:, ::2, ::2] * 2, x[:, ::2, ::2] * 3
    return out


def test_slices_that_take_turns_are_stacks() -> None:
    graph = graph_of(quarters, torch.randn(2, 8, 6))
    assert count(graph, "slice_scatter") == 0
    assert count(graph, "aten.cat") == 3


def test_a_result_in_another_layout_keeps_its_strides() -> None:
    graph = graph_of(quarters, torch.randn(2, 6, 8).transpose(1, 2))
    assert count(graph, "aten.cat") == 2


def test_element_wise_readers_compute_what_was_assigned() -> None:
    def run(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        out[:, ::2], out[:, 1::2] = y.sin(), y.cos()
        return x + out

    graph = graph_of(run, torch.randn(4, 6), torch.randn(4, 3))
    assert count(graph, "slice_scatter") == 2 and not count(graph, "aten.cat")


@pytest.mark.parametrize(
    ("parts", "scatters"),
    [
        # The second one covers the first.
        ([(1, 6, 2), (1, 6, 2)], 1),
        # Each of them leaves something of the others.
        ([(1, 5, 1), (2, 4, 1)], 2),
        ([(0, 6, 2), (0, 6, 3)], 2),
        ([(0, 2, 1), (3, 6, 1), (1, 4, 1)], 3),
    ],
)
def test_assignments_that_are_covered_are_dropped(
    parts: list[tuple[int, int, int]], scatters: int
) -> None:
    def run(x: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        for number, (start, end, step) in enumerate(parts):
            out[start:end:step] = number
        return out.exp()

    graph = graph_of(run, torch.randn(6, 4))
    assert count(graph, "slice_scatter") == scatters


def test_reads_behind_assignments_read_what_is_there() -> None:
    def run(x: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        out[:2] = x[2:4].tanh()
        out[2:4] = out[:2].exp() + out[4:]
        return out[4:] + out[:2] + out[1:3]

    graph = graph_of(run, torch.randn(6, 4))
    assert count(graph, "slice_scatter") == 2


def test_a_part_beside_a_selected_index_is_read() -> None:
    def run(x: torch.Tensor) -> torch.Tensor:
        made = torch.select_scatter(torch.zeros_like(x), x[0] * 3, 0, 1)
        return made[1:4] + 1

    graph_of(run, torch.randn(4, 6))


def test_a_sum_with_a_tensor_of_lower_rank_is_a_sum() -> None:
    def run(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        out[0] = y
        return torch.ones(4, 4) + out

    graph_of(run, torch.randn(2, 4, 4), torch.randn(4, 4))
