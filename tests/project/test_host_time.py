"""The benchmark of host time: statements by kind, and a model without a GPU."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from harness.host_time import ticks
from support.project.benchmark_modules import load

KINDS = {
    "out = _empty((8, 64), (64, 1), torch.float32)": ticks.ALLOCATIONS,
    "_at_out = out.data_ptr()": ticks.ADDRESSES,
    "permute = weight.permute((1, 0))": ticks.VIEWS,
    "weight = None": ticks.RELEASE,
    "del tmp": ticks.RELEASE,
    "made = named_payload0(x, permute)": ticks.PAYLOADS,
    "_view(out, (8,), (1,), 0).copy_(x)": f"{ticks.LIBRARY}: copy_",
    "y = torch.convolution(x, w, None, [1, 1])": f"{ticks.LIBRARY}: convolution",
    "x, weight, = args": ticks.INPUTS,
    "y = x.contiguous()": ticks.LAYOUTS,
    "if (_known := _site0.get(())) is None:\n    pass": ticks.LAUNCHES,
    "if x.data_ptr() & 15 or _is_watched():\n    pass": ticks.INPUTS,
}


@pytest.mark.parametrize("text", KINDS)
def test_a_statement_counts_for_what_it_does(text: str) -> None:
    (statement,) = ast.parse(text).body
    assert ticks.kind_of(statement, {"named_payload0"}) == KINDS[text]


def test_ticks_change_no_result_and_count_statements() -> None:
    text = "def f(x):\n    y = x.view(2)\n    return y, x\n"
    scope: dict[str, Any] = {}
    exec(ticks.ticked(text), scope)

    class Tensor:
        def view(self, size: int) -> int:
            return size

    ticks.clock.clear()
    ticks.start()
    given = Tensor()
    assert scope["f"](given) == (2, given)
    counts = {kind: count for kind, (_, count) in ticks.clock.raw().items()}
    assert counts == {ticks.PAYLOADS: 1, ticks.VIEWS: 1, ticks.OTHER: 1}


@pytest.mark.slow
def test_a_model_without_a_gpu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "host.json"
    given = ["--no-gpu", "--no-prices", "--rounds", "3", "--out", str(out)]
    assert load("host_time").main([*given, "residual block"]) == 0
    found = json.loads(out.read_text())["models"]["residual block"]["ours"]
    assert found["inside"] > 0 and found["host"] > found["inside"]
    parts = found["parts"]
    assert parts[ticks.LAUNCHES]["count"] >= 2
    assert parts[f"{ticks.LIBRARY}: convolution"]["count"] == 3
    assert "launches of kernels" in capsys.readouterr().out
