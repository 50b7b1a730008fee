"""Mode reduce-overhead: which graphs become CUDA graphs, and why others do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime.cuda_graphs import why_not_captured

pytestmark = pytest.mark.filterwarnings("ignore")


def traced(function: Callable[..., Any], *devices: str) -> GraphModule:
    """A graph of ATen ops on tensors of GPUs, which need not be here."""
    with FakeTensorMode(allow_non_fake_inputs=True):
        inputs = [torch.empty(4, 6, device=device) for device in devices]
        return make_fx(function)(*inputs)


def test_a_graph_on_one_card_is_captured() -> None:
    graph = traced(lambda x, y: torch.softmax(x + y, -1), "cuda:0", "cuda:0")
    assert why_not_captured(graph, []) is None


@pytest.mark.parametrize(
    ("function", "devices", "reason"),
    [
        (lambda x: x + 1, ["cpu"], "'x_1' is on the cpu"),
        (lambda x, y: (x + 1, y + 1), ["cuda:0", "cpu"], "'y_1' is on the cpu"),
        (lambda x, y: (x + 1, y + 1), ["cuda:0", "cuda:1"], "multiple devices"),
        (lambda x: x.add_(1), ["cuda:0"], "it writes its input 'x_1'"),
    ],
    ids=["cpu", "a tensor on the cpu", "two GPUs", "mutation"],
)
def test_others_say_why(function: Any, devices: list[str], reason: str) -> None:
    found = why_not_captured(traced(function, *devices), [])
    assert found is not None and reason in found


def test_symbolic_sizes_say_why() -> None:
    graph = make_fx(lambda x: x + 1, tracing_mode="symbolic")(torch.randn(4, 6))
    found = why_not_captured(graph, [])
    assert found is not None and "sizes are symbolic: s" in found


def test_parameters_may_be_written() -> None:
    graph = traced(lambda x: x.add_(1), "cuda:0")
    assert why_not_captured(graph, [0]) is None


def test_a_model_on_a_cpu_runs_without(caplog: pytest.LogCaptureFixture) -> None:
    torch._dynamo.reset()
    model, x = torch.nn.Linear(3, 2), torch.randn(4, 3)
    run = torch.compile(model, backend=tilewright, mode="reduce-overhead")
    with caplog.at_level("INFO", "tilewright.torch"):
        made = run(x)
    torch.testing.assert_close(made, model(x))
    made.sum().backward()
    assert RECENT[-2].cuda_graph.startswith("not captured: 'primals_")
    assert RECENT[-1].name == "backward"
    assert "is on the cpu" in RECENT[-1].cuda_graph
    assert "forward: CUDA graph: not captured" in caplog.text
