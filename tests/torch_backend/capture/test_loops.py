"""Matmuls of slices of one tensor, and slices of a concat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F

from tilewright.torch_backend.capture.decompositions import decompositions
from tilewright.torch_backend.capture.rewrites import rewrite

Function = Callable[..., Any]
PRODUCTS = ("aten.mm.default", "aten.addmm.default")


def graph_of(function: Function, *args: torch.Tensor) -> GraphModule:
    table = decompositions()
    made = make_fx(function, tracing_mode="fake", decomposition_table=table)(*args)
    rewrite(made.graph)
    made.graph.lint()
    made.recompile()
    wanted = function(*args)
    torch.testing.assert_close(made(*args), wanted)
    return made


def count(graph: GraphModule, *ops: str) -> int:
    return sum(str(node.target) in ops for node in graph.graph.nodes)


def random(*sizes: int) -> torch.Tensor:
    return torch.randn(sizes)


def recurrent(steps: int, dim: int) -> Function:
    """A tanh cell over a sequence."""

    def run(x: torch.Tensor, weight: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        hidden = x.new_zeros(x.shape[1 - dim], 6)
        for step in range(steps):
            hidden = torch.tanh(x.select(dim, step) @ weight.t() + hidden @ own.t())
        return hidden

    return run


@pytest.mark.parametrize("dim", [0, 1])
def test_the_products_of_all_steps_are_one(dim: int) -> None:
    graph = graph_of(recurrent(5, dim), random(5, 5, 4), random(6, 4), random(6, 6))
    assert count(graph, *PRODUCTS) == 1 + 5


def test_the_bias_comes_with_the_product() -> None:
    def run(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        rows = [F.linear(x[step], weight, bias) for step in range(3)]
        return rows[0].relu() * rows[1] - rows[2]

    graph = graph_of(run, random(3, 5, 4), random(6, 4), random(6))
    assert count(graph, "aten.addmm.default") == 1


def test_some_steps_of_a_tensor_are_enough() -> None:
    def run(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return (x[:, 1, :] @ weight).relu() + (x[:, 2, :] @ weight).tanh()

    assert count(graph_of(run, random(5, 4, 4), random(4, 3)), *PRODUCTS) == 1


def test_conversions_and_embeddings_may_lie_between() -> None:
    def run(table: torch.Tensor, tokens: torch.Tensor, weight: torch.Tensor) -> Any:
        rows = [F.embedding(tokens[:, step], table).double() for step in range(3)]
        return sum((row @ weight.double()).tanh() for row in rows)

    tokens = torch.randint(0, 9, (2, 3))
    graph = graph_of(run, random(9, 4), tokens, random(4, 5))
    assert count(graph, *PRODUCTS) == 1
    assert count(graph, "aten.embedding.default") == 1


@pytest.mark.parametrize(
    "run",
    [
        # The parts are columns of what is multiplied.
        lambda x, w: (x[0, :, :2] @ w[:2]) + (x[0, :, 2:] @ w[2:]),
        # Steps that lie apart.
        lambda x, w: (x[0] @ w).tanh() + (x[2] @ w),
        # Other weights.
        lambda x, w: (x[0] @ w).tanh() + (x[1] @ (w + 1)),
        # Results leave the graph as tensors of their own.
        lambda x, w: (x[0] @ w, x[1] @ w),
    ],
)
def test_other_products_stay(run: Function) -> None:
    graph = graph_of(run, random(3, 5, 4), random(4, 6))
    assert count(graph, *PRODUCTS) == 2


def test_slices_of_a_join_are_read_from_the_joined_tensors() -> None:
    def run(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        low, high = torch.cat([x + y, x - y], 1).chunk(2, 1)
        return low * high + torch.cat([x, y], 0)[5].tanh()

    graph = graph_of(run, random(4, 6), random(4, 6))
    assert not count(graph, "aten.cat.default")


def test_slices_across_joined_tensors_stay() -> None:
    graph = graph_of(
        lambda x, y: torch.cat([x, y], 1)[:, 2:8].tanh(), random(4, 6), random(4, 6)
    )
    assert count(graph, "aten.cat.default") == 1


def test_equal_calls_are_made_once_unless_they_leave() -> None:
    def run(x: torch.Tensor) -> Any:
        return x.exp(), x.exp(), x.tanh() * x.tanh(), torch.rand_like(x).shape

    made = make_fx(run, tracing_mode="fake")(random(3))
    rewrite(made.graph)
    assert count(made, "aten.exp.default") == 2
    assert count(made, "aten.tanh.default") == 1


def test_random_calls_stay_apart() -> None:
    made = make_fx(lambda x: torch.rand_like(x) - torch.rand_like(x))(random(3))
    rewrite(made.graph)
    assert count(made, "aten.rand_like.default") == 2
