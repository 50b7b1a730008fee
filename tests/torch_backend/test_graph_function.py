"""Calls of compiled graphs: one flat function, layouts that differ from the trace."""

from __future__ import annotations

import weakref
from typing import Any

import pytest
import torch
from torch import nn

from tilewright.torch_backend import backend
from tilewright.torch_backend.backend import tilewright

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
        made.append(real(*given))
        return made[-1]

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


def test_inputs_with_gaps_and_new_strides() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, -1) + x.sum(0)

    run = compiled(function)
    wide = torch.randn(6, 12)
    for x in (wide[:, :6], wide[:, ::2], wide[:, :6].mT, wide[:, :6].contiguous()):
        torch.testing.assert_close(run(x), function(x))
