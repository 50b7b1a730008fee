"""Ways to call a compiled function: arguments, results, aliases, control flow."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from support.torch_compiling import assert_same, compiled
from tilewright.codegen.runtime.lean.orders import Orders
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime import runners
from tilewright.torch_backend.runtime.runners import announce_interpreter

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
def test_keyword_arguments_none_and_nested_results() -> None:
    def function(x: torch.Tensor, *, scale: float = 2.0, bias: Any = None) -> Any:
        y = x * scale
        if bias is not None:
            y = y + bias
        return {"y": y, "none": None, "pair": (y.sum(), [y.max(-1)]), "n": 3, "x": x}

    run, x, bias = compiled(function), torch.randn(3, 4), torch.ones(4)
    for given in ({}, {"scale": 3.5}, {"scale": 2, "bias": bias}):
        assert_same(run(x, **given), function(x, **given))


def test_numbers_that_change_are_inputs() -> None:
    def function(x: torch.Tensor, a: float, n: int) -> Any:
        return torch.sin(x * a) + n, a * 3, x[:n], torch.arange(n)

    run, x = compiled(function), torch.randn(9, 4)
    for a, n in ((1.5, 2), (-3.25, 4), (0.0, 9)):
        assert_same(run(x, a, n), function(x, a, n))


def test_inputs_may_share_memory() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        return x * y

    run = compiled(function)
    ours = torch.randn(6)
    eager = ours.clone()
    assert_same(run(ours, ours), function(eager, eager))
    assert_same(run(ours[:4], ours[2:]), function(eager[:4], eager[2:]))
    assert_same(ours, eager)


@pytest.mark.parametrize("order", ["contiguous", "transposed", "with gaps"])
def test_results_have_the_strides_of_eager(order: str) -> None:
    x = {
        "contiguous": torch.randn(4, 6),
        "transposed": torch.randn(6, 4).t(),
        "with gaps": torch.randn(4, 12)[:, ::2],
    }[order]
    ours, eager = compiled(torch.sigmoid)(x), torch.sigmoid(x)
    assert_same(ours, eager)
    assert ours.stride() == eager.stride()


@pytest.mark.slow
def test_both_branches_of_cond() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a - 1, (x,)) * 2

    run = compiled(function, fullgraph=True)
    for x in (torch.ones(3), -torch.ones(3)):
        assert_same(run(x), function(x))


@pytest.mark.slow
def test_graph_breaks_give_several_graphs() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x) * x.sum().item()
        torch._dynamo.graph_break()
        return y + 1

    RECENT.clear()
    run = compiled(function)
    for _ in range(2):
        x = torch.randn(3, 4)
        assert_same(run(x), function(x))
    assert len(RECENT) > 1


@pytest.mark.slow
def test_results_whose_sizes_depend_on_data() -> None:
    def positives(x: torch.Tensor) -> torch.Tensor:
        return torch.nonzero(x > 0).float() * 2

    def ones(x: torch.Tensor) -> torch.Tensor:
        count = (x > 0).sum().item()
        return x.new_ones(count) * x.sum().item()

    changed = {"capture_dynamic_output_shape_ops": True, "capture_scalar_outputs": True}
    with torch._dynamo.config.patch(changed):
        for function in (positives, ones):
            run = compiled(function, fullgraph=True)
            for _ in range(3):
                x = torch.randn(9)
                assert_same(run(x), function(x))


@pytest.mark.slow
def test_transformations_of_torch_func() -> None:
    def function(x: torch.Tensor, w: torch.Tensor) -> Any:
        mapped = torch.vmap(lambda one: torch.tanh(w @ one))(x)
        return mapped, torch.func.grad(lambda a: (a.sin() ** 2).sum())(x)

    given = torch.randn(5, 4), torch.randn(3, 4)
    assert_same(compiled(function)(*given), function(*given))


@pytest.mark.slow
def test_types_that_mix_and_types_without_payload() -> None:
    def function(x: torch.Tensor, n: torch.Tensor, on: torch.Tensor) -> Any:
        spectrum = torch.fft.rfft(x).abs() + 1
        return x.double() * 2 + n, n // 3 % 2, on & (n > 2), n.to(torch.int8), spectrum

    given = torch.randn(4), torch.arange(4), torch.tensor([True, False, True, True])
    assert_same(compiled(function)(*given), function(*given))


@pytest.mark.slow
def test_empty_tensors() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, y]) * 2

    run = compiled(function)
    for rows in (0, 2, 3):
        given = torch.randn(rows, 3), torch.randn(2, 3)
        assert_same(run(*given), function(*given))


@pytest.mark.filterwarnings("default")
def test_interpreters_are_announced_once(recwarn: pytest.WarningsRecorder) -> None:
    announce_interpreter.cache_clear()
    for shift in (1.5, 2.5):
        run = compiled(lambda x, by=shift: x * 2 + by, interpreter="kernels")
        run(torch.ones(3))
    assert sum("interpreter" in str(one.message) for one in recwarn) == 1


def test_tensors_on_a_cpu_are_never_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a GPU takes CPU tensors too; a kernel would read other memory."""
    monkeypatch.setattr(runners, "lean_launcher", pytest.fail)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    lowered = SimpleNamespace(interpreted=lambda *tensors: tensors)
    call = runners.call_of(lowered, torch.device("cpu"), Orders())  # pyright: ignore[reportArgumentType]
    assert call(1) == (1,)
