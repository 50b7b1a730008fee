"""Calls of compiled graphs: one flat function, layouts that differ from the trace."""

from __future__ import annotations

import weakref
from itertools import compress
from typing import Any

import pytest
import torch
from torch import nn
from torch.fx import Graph, GraphModule, Node
from torch.utils._pytree import tree_flatten, tree_unflatten

from tilewright.torch_backend import backend
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.runtime import graph_function
from tilewright.torch_backend.runtime.torch_nodes import add_torch_node

pytestmark = pytest.mark.filterwarnings("ignore")


def compiled(function: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(
        function, backend=tilewright, options={"strict": True, **options}
    )


def functions_of(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The functions of the graphs that are compiled from now on."""
    made: list[Any] = []
    real = backend.compile_graph

    def remember(*given: Any) -> Any:
        compiled = real(*given)
        made.append(compiled.function)
        return compiled

    monkeypatch.setattr(backend, "compile_graph", remember)
    return made


def test_a_graph_is_one_function_that_frees_its_inputs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []

    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.special.airy_ai(x * 2).exp()

    made = functions_of(monkeypatch)
    x = torch.eye(3)
    torch.testing.assert_close(compiled(function)(x), function(x))
    (call,) = made
    given = [torch.eye(3)]
    seen.append(weakref.ref(given[0]))
    (out,) = call(given)
    torch.testing.assert_close(out, function(x))
    assert given == [] and seen[0]() is None


def test_ops_that_stay_are_called_by_functions_of_torch() -> None:
    """Each of them takes what the op takes; those of attention need a GPU."""
    x, image = torch.randn(4, 6), torch.randn(1, 2, 6, 6)
    places = torch.tensor([[0, 2]])
    calls: dict[str, tuple[Any, ...]] = {
        "_adaptive_avg_pool2d": (image, [2, 3]),
        "_embedding_bag": (x, places[0], torch.tensor([0]), False, 1),
        "_softmax": (x, -1, False),
        "addmm": (x[0], x, torch.eye(6)),
        "avg_pool2d": (image, [2, 2], [1, 1]),
        "avg_pool3d": (image, [2, 2, 2]),
        "baddbmm": (image[0], image[0], image[0]),
        "bmm": (image[0], image[0]),
        "cat": ([x, x], 1),
        "constant_pad_nd": (x, [1, 2], 0.5),
        "convolution": (image, image, None, [1, 1], [2, 2], [1, 1], False, [0, 0], 1),
        "cumprod": (x, 1),
        "cumsum": (x, 1),
        "embedding": (x, places, -1, False, False),
        "gather": (x, 1, places),
        "index_select": (x, 1, places[0]),
        "max_pool2d_with_indices": (image, [2, 2], [2, 2]),
        "mm": (x, torch.eye(6)),
        "native_dropout": (x, 0.5, False),
        "native_group_norm": (image, None, None, 1, 2, 36, 1, 1e-5),
        "native_layer_norm": (x, [6], None, None, 1e-5),
        "sort": (x, 1, True),
        "topk": (x, 2, 1),
    }
    quick_ones = {name for name in graph_function._FUNCTIONS if "attention" not in name}
    assert {f"aten.{name}.default" for name in calls} == quick_ones
    for name, given in calls.items():
        op = getattr(torch.ops.aten, name).default
        found, text = called_in_a_graph(op, given)
        torch.testing.assert_close(found, op(*given))
        assert f"aten.{name}" not in text
        assert "[" not in text or name == "cat"


def called_in_a_graph(op: Any, given: tuple[Any, ...]) -> tuple[Any, str]:
    """What the function of a graph with one call gives, and its text."""
    graph = Graph()
    leaves, spec = tree_flatten(given)
    is_tensor = [isinstance(leaf, torch.Tensor) for leaf in leaves]
    nodes = [
        graph.placeholder(f"x{place}") if is_tensor[place] else leaf
        for place, leaf in enumerate(leaves)
    ]
    graph.output(graph.call_function(op, tree_unflatten(nodes, spec)))
    source = graph_function.graph_source(GraphModule(nn.Module(), graph), graph)
    return source.function()(list(compress(leaves, is_tensor))), source.text


def test_gradients_of_any_layout() -> None:
    """A sum gives gradients of stride 0, a transpose gives transposed ones."""
    model = nn.Linear(6, 5)
    x = torch.randn(4, 6, requires_grad=True)
    for reduce in (torch.sum, lambda y: (y.mT @ torch.ones(4, 2)).square().sum()):
        grads: list[torch.Tensor] = []
        for run in (compiled(model), model):
            x.grad = None
            reduce(run(x)).backward()
            assert x.grad is not None
            grads.append(x.grad)
        torch.testing.assert_close(*grads)


def test_parameters_that_change_their_layout_later() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(torch.randn(2, 3, 4, 5))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.scale + 1

    model, x = Scaled(), torch.randn(2, 3, 4, 5)
    run = compiled(model)
    with torch.no_grad():
        torch.testing.assert_close(run(x), model(x))
        model.to(memory_format=torch.channels_last)
        torch.testing.assert_close(run(x), model(x))


@pytest.mark.slow
def test_inputs_with_gaps_and_new_strides() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, -1) + x.sum(0)

    run = compiled(function)
    wide = torch.randn(6, 12)
    for x in (wide[:, :6], wide[:, ::2], wide[:, :6].mT, wide[:, :6].contiguous()):
        torch.testing.assert_close(run(x), function(x))


def test_group_norm_in_torch_gets_contiguous_images() -> None:
    """On a GPU torch refuses others."""
    graph, images = Graph(), torch.randn(2, 4, 3, 3)
    norm = torch.ops.aten.native_group_norm.default
    x = graph.placeholder("x")
    node = graph.call_function(norm, (x, None, None, 2, 4, 9, 2, 1e-5))
    new = Graph()
    copies: dict[Node, Node] = {x: new.placeholder("x")}
    add_torch_node(new, node, copies)
    new.output(copies[node])
    made = GraphModule(torch.nn.Module(), new)
    (found, *_) = made(images.contiguous(memory_format=torch.channels_last))
    assert found.is_contiguous()
    torch.testing.assert_close(found, torch.nn.functional.group_norm(images, 2))
