"""Eager torch keeps a graph of inference whose kernels are slower than it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import nn
from torch.fx import GraphModule, symbolic_trace

from tilewright.torch_backend import backend
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime.first_call import (
    Call,
    device_seconds,
    eager_copy,
    faster_call,
    is_timed,
    may_write,
)


def ours(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.add(x, 1)


def choice(
    own: float, torchs: float, compiled: Call = ours, other: Call = eager
) -> tuple[Call, list[str], list[tuple[float, float]]]:
    """A call whose parts take this long, the calls it makes, and what it tells."""
    made: list[str] = []
    told: list[tuple[float, float]] = []

    def noted(call: Call, name: str) -> Call:
        def run(*inputs: Any) -> Any:
            made.append(name)
            return call(*inputs)

        return run

    a, b = noted(compiled, "ours"), noted(other, "eager")

    def seconds(call: Call, _: Sequence[Any]) -> float:
        return own if call is a else torchs

    tell = lambda *both: told.append(both)  # noqa: E731
    return faster_call(b, a, seconds, tell), made, told


@pytest.mark.parametrize(
    ("own", "torchs", "name"),
    [(1e-3, 2e-3, "ours"), (1.04e-3, 1e-3, "ours"), (1.06e-3, 1e-3, "eager")],
)
def test_the_faster_one_is_kept(own: float, torchs: float, name: str) -> None:
    call, made, told = choice(own, torchs)
    x = torch.ones(3)
    assert call(x).tolist() == [2, 2, 2]
    made.clear()
    assert call(x).tolist() == [2, 2, 2]
    assert made == [name]
    assert told == ([(own, torchs)] if name == "eager" else [])


def test_calls_that_other_work_disturbs_decide_nothing() -> None:
    taken = iter([2e-3, *[9e-3, 2e-3, 9e-3, 2e-3, 1e-3, 2e-3, 9e-3, 2e-3, 9e-3, 2e-3]])
    told: list[tuple[float, float]] = []
    tell = lambda *both: told.append(both)  # noqa: E731
    call = faster_call(eager, ours, lambda *_: next(taken), tell)
    call(torch.ones(3))
    assert not told and next(taken, None) is None


def test_a_graph_that_writes_its_input_runs_once() -> None:
    call, made, _ = choice(2e-3, 1e-3, lambda x: x.add_(1))
    x = torch.ones(3)
    assert call(x).tolist() == [2, 2, 2]
    assert made == ["ours"] and x.tolist() == [2, 2, 2]


def test_a_graph_that_draws_random_numbers_runs_once() -> None:
    call, made, _ = choice(2e-3, 1e-3, lambda x: torch.rand_like(x))
    call(torch.ones(3))
    call(torch.ones(3))
    assert made == ["ours", "ours"]


def test_without_memory_for_eager_torch_the_kernels_stay() -> None:
    def fails(x: torch.Tensor) -> torch.Tensor:
        raise torch.OutOfMemoryError

    call, made, told = choice(2e-3, 1e-3, other=fails)
    call(torch.ones(3))
    call(torch.ones(3))
    assert made == ["ours", "eager", "ours"] and not told


def traced(function: Any) -> GraphModule:
    return symbolic_trace(function)


@pytest.mark.parametrize(
    ("function", "writes"),
    [
        (lambda x, y: x + y, False),
        (lambda x, y: x.add_(y), True),
        (lambda x, y: torch.relu_(x), True),
        (lambda x, y: torch.add(x, y, out=x), True),
        (lambda x, y: torch.ops.aten.add_.Tensor(x, y), True),
        (lambda x, y: torch.ops.aten.add.Tensor(x, y), False),
        (lambda x, y: nn.functional.batch_norm(x, y, y), True),
    ],
)
def test_writes_are_seen_in_a_graph(function: Any, writes: bool) -> None:
    assert any(map(may_write, traced(function).graph.nodes)) == writes


def test_graphs_on_a_cpu_and_of_training_are_not_timed() -> None:
    graph = traced(lambda x: x + 1)
    assert not is_timed(graph, [torch.ones(3)])
    assert not is_timed(graph, [torch.ones(3, requires_grad=True)])


def test_a_copy_stays_as_it_is() -> None:
    graph = traced(lambda x: x + 1)
    copy = eager_copy(graph)
    for node in graph.graph.nodes:
        if node.op == "call_function":
            node.target = torch.sub
    graph.recompile()
    assert copy(torch.ones(1)).tolist() == [2] and graph(torch.ones(1)).tolist() == [0]


def compiled(monkeypatch: pytest.MonkeyPatch, device: str, **options: Any) -> Call:
    """A model that is compiled as on a GPU; its kernels seem to be slow."""

    def slow(call: Call, _: Sequence[Any]) -> float:
        return 1e-3 if "GraphModule" in repr(call) else 2e-3

    monkeypatch.setattr(backend, "is_timed", lambda *_: True)
    monkeypatch.setattr(backend, "device_seconds", slow)
    torch._dynamo.reset()
    model = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Conv1d(8, 8, 3, padding=1))
    model = model.to(device)
    x = torch.randn(2, 8, 64, device=device)
    fast = torch.compile(model, backend="tilewright", options=options)
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(fast(x), model(x), rtol=1e-3, atol=1e-3)
    return fast


needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "device", ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu, needs_gpu])]
)
def test_eager_torch_keeps_a_slow_graph(
    monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    compiled(monkeypatch, device)
    assert RECENT[-1].kept_by_eager == "2000 us, eager torch 1000 us"
    assert "eager torch keeps it" in RECENT[-1].text()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options", [{"keep_eager": "never"}, {"check_indices": True}, {"fallback": "error"}]
)
def test_options_forbid_it(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    compiled(monkeypatch, "cpu", **options)
    assert not RECENT[-1].kept_by_eager


@needs_gpu
@pytest.mark.gpu
def test_the_device_times_a_call() -> None:
    x = torch.randn(4096, 4096, device="cuda")
    assert is_timed(traced(lambda x: x + 1), [x])
    assert device_seconds(lambda x: x @ x, [x]) > device_seconds(lambda x: x, [x]) > 0
