"""`benchmarks/models.py`: its works, its summary, the command on small models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from support.project.benchmark_modules import load
from torch_models.table import MODELS, placed

pytestmark = pytest.mark.filterwarnings("ignore")


def test_every_model_gives_finite_results_in_both_types() -> None:
    for name, model in MODELS.items():
        for dtype in (torch.float32, torch.bfloat16):
            module, inputs = placed(model.small, "cpu", dtype)
            with torch.no_grad():
                found: Any = module(*inputs)
            results = found if isinstance(found, tuple) else (found,)
            assert all(one.isfinite().all() for one in results), name


@pytest.mark.slow
def test_gradients_are_timed_too(tmp_path: Path) -> None:
    out = tmp_path / "record.json"
    options = ["--smoke", "--works", "^gated.* bf16", "--training", "--out", str(out)]
    assert load("models").main(options) == 0
    lines = json.loads(out.read_text())["lines"]
    assert [line["training"] for line in lines] == [False, True]
    assert lines[1]["graphs"]["ours"]["payloads"] == 2


@pytest.mark.slow
def test_usual_sizes_fit_together() -> None:
    with torch.device("meta"), torch.no_grad():
        for model in MODELS.values():
            module, inputs = model.usual.module().eval(), model.usual.inputs()
            assert module(*inputs) is not None


def test_means_are_geometric_and_by_type() -> None:
    summary = load("harness/models/summary")

    def line(dtype: str, speed: float) -> dict[str, Any]:
        row = {"speed": {"median": speed}, "calls": 1.0, "of_eager": 2.0}
        return {"dtype": dtype, "modes": {"default": row}}

    lines = [line("bf16", 0.5), line("bf16", 2.0), line("f32", 4.0), {"dtype": "f32"}]
    means = summary.geometric_means(lines)
    assert means["default bf16"]["speed"] == pytest.approx(1.0)
    assert means["default f32"]["works"] == 2
    assert means["default f32"]["timed"] == 1
    assert means["default all"]["speed"] == pytest.approx(4 ** (1 / 3))


@pytest.mark.slow
def test_the_command_on_a_small_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, table = load("models"), load("table")
    out = tmp_path / "record.json"
    options = ["--smoke", "--works", "^gated.* f32", "--out", str(out)]
    assert command.main([*options, "--table", str(tmp_path / "table.md")]) == 0
    (line,) = json.loads(out.read_text())["lines"]
    assert line["work"] == "gated perceptron f32"
    assert line["modes"]["default"]["ms"] > 0
    assert line["graphs"]["ours"]["payloads"] == 1
    capsys.readouterr()
    assert table.main([str(out)]) == 0
    assert "| gated perceptron f32 | default |" in capsys.readouterr().out
    assert command.main(["--list", "--works", "^ResNet"]) == 0
    assert capsys.readouterr().out.split("\n")[:2] == ["ResNet bf16", "ResNet f32"]


@pytest.mark.slow
def test_first_calls_are_timed_cold_and_warm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "record.json"
    options = ["--smoke", "--works", "^perceptron f32", "--out", str(out)]
    assert load("compile_times").main(options) == 0
    record = json.loads(out.read_text())
    (line,) = record["lines"]
    assert set(line["seconds"]) == {"ours", "torch compile"}
    assert all(set(one) == {"cold", "warm"} for one in line["seconds"].values())
    assert set(record["means"]) == {"cold", "warm"}
    assert "perceptron f32" in capsys.readouterr().out
