"""The works of `benchmarks/tuned.py`, its rivals, and the lines of its report."""

import pytest

from support.benchmark_modules import load
from support.paths import BENCHMARKS


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return load


def test_every_work_is_in_the_table(benchmark):
    table = benchmark("contenders/planned_works/table").table()
    works = benchmark("tuned").WORKS
    assert len(works) >= 12
    assert set(works) <= table.keys()


def test_a_work_has_the_autotuned_kernel_of_its_kind(benchmark):
    import torch

    autotuned = benchmark("rivals/autotuned").autotuned
    with torch.device("meta"):
        square, row = torch.empty(64, 64), torch.empty(64)
    assert autotuned("row sum 4096x16384 bf16", (square,)) is None
    assert autotuned("gemm nt 2048x4096x4096 bf16", (square, square)) is None
    for name, tensors in (
        ("gemm 4096^3 bf16", (square, square)),
        ("linear+gelu 2048x3072x768 bf16", (square, square, row)),
        ("softmax 4096x4096 f16", (square,)),
        ("layernorm 4096x5119 bf16", (square, row, row)),
    ):
        assert callable(autotuned(name, tensors)), name


def test_a_line_has_speeds_and_the_regret(benchmark):
    summary = benchmark("harness/tuned_summary")
    row = {"repetitions": 1, "rounds_ms": [1.0] * 5, "ms": {"median": 1.0}}
    slow = row | {"rounds_ms": [1.5] * 5, "ms": {"median": 1.5}}
    record = {
        "rows": [
            row | {"name": "ours"},
            slow | {"name": "ours seed 1"},
            slow | {"name": "torch eager"},
        ],
        "failed": [],
    }
    runs = {t: {"seconds": 60.0, "summary": {"trials": [1] * 90}} for t in ("ours",)}
    runs["ours seed 1"] = {"seconds": 60.0}
    line = summary.line_of("a work", record, runs, {})
    assert line["over_eager"] == pytest.approx(1.5)
    assert line["regret"] == {"ours": 0.0, "ours seed 1": pytest.approx(0.5)}
    assert "50.0%" in summary.text_of(line) and " 90 " in summary.text_of(line)


def test_a_failed_work_says_why(benchmark):
    summary = benchmark("harness/tuned_summary")
    record = {"rows": [], "failed": [{"name": "ours", "reason": "wrong"}]}
    line = summary.line_of("a work", record, {"ours": {}}, {})
    assert summary.text_of(line).endswith("wrong")
