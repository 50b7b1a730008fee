"""A payload that is refused whole is cut where it is refused; the rest is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.codegen.targets.table import TARGETS
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.torch_backend.compiling import compile as compiling
from tilewright.torch_backend.compiling import limits
from tilewright.torch_backend.compiling.planned_program import number_ops
from tilewright.torch_backend.report import RECENT, Report

pytestmark = pytest.mark.filterwarnings("ignore")


def model(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    x = torch.exp(nn.functional.layer_norm(x, (32,)))
    x = torch.sin(x @ w)
    return torch.tanh(x).sum(-1)


def compiled(options: dict[str, Any]) -> Report:
    """Compile and call the model; its numbers are eager torch's."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    x, w = torch.randn(16, 32), torch.randn(32, 32) / 32
    fast = torch.compile(model, backend="tilewright", options=options)
    torch.testing.assert_close(fast(x, w), model(x, w))
    return RECENT[-1]


def refusing(
    monkeypatch: pytest.MonkeyPatch, *names: str, at: str | None = None
) -> None:
    """Refuse payloads that have all these ops, at the place of one of them."""
    real: Callable[..., Any] = compiling.planned_program

    def planned(module: ModuleOp, *args: Any, **kwargs: Any) -> Any:
        number_ops(module)
        found = {op.name: op for op in module.walk()}
        if not found.keys() >= {*names}:
            return real(module, *args, **kwargs)
        place = None if at is None else place_of(found[at])
        raise UserError("these ops are refused together", place)

    monkeypatch.setattr(compiling, "planned_program", planned)
    monkeypatch.setenv("TILEWRIGHT_CACHE", "off")


@pytest.mark.slow
def test_a_refused_payload_is_cut_in_the_middle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusing(monkeypatch, "math.exp", "math.tanh")
    report = compiled({"interpreter": "kernels"})
    assert len(report.segments) == 2
    assert not report.stayed and not report.refused
    (line,) = report.cuts
    assert "these ops are refused together" in line and "test_cuts.py" in line
    assert "cut: before aten." in report.text()


def test_a_refusal_that_names_an_op_cuts_there(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, "math.exp", "math.sin", "math.tanh", at="math.sin")
    report = compiled({"interpreter": "kernels"})
    kept = [[op for op in ops if "view" not in op] for ops in report.segments]
    assert kept[1] == ["aten.sin.default"]
    assert "aten.exp.default" in kept[0] and "aten.tanh.default" in kept[2]
    assert not report.stayed and not report.refused


@pytest.mark.slow
def test_cuts_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, "math.exp", "math.tanh")
    torch._dynamo.reset()
    given = (torch.randn(16, 32), torch.randn(32, 32))
    found = tilewright.explain(model, given, options={"interpreter": "kernels"})
    assert len({row.payload for row in found.kernels}) == 2
    assert "cut: inference, before aten." in str(found)


@pytest.mark.slow
def test_without_time_to_cut_torch_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, "math.exp", "math.tanh")
    program = "tilewright.torch_backend.runtime.program._CUTTING_SECONDS"
    monkeypatch.setattr(program, -1.0)
    report = compiled({"interpreter": "kernels"})
    assert not report.cuts and "refused together" in report.refused[0]


def test_torch_is_estimated_by_bytes_and_by_arithmetic() -> None:
    gpu = TARGETS["h200"]

    def seconds(function: Callable[..., Any], *given: torch.Tensor) -> float:
        graph = make_fx(function, tracing_mode="fake")(*given).graph
        nodes = [node for node in graph.nodes if node.op == "call_function"]
        return limits.torch_seconds(nodes, gpu) - gpu.calibration.launch

    a = torch.empty(1024, 4096, dtype=torch.bfloat16)
    b = torch.empty(4096, 1024, dtype=torch.bfloat16)
    assert seconds(torch.exp, a) == pytest.approx(
        2 * 1024 * 4096 * 2 / gpu.hbm_bandwidth
    )
    assert seconds(torch.mm, a, b) == pytest.approx(
        2 * 1024 * 4096 * 1024 / gpu.flops("bf16")
    )
