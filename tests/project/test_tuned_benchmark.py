"""The works of `benchmarks/tuned.py`, its rivals, and the lines of its report."""

import time
from functools import partial
from importlib import import_module

import pytest

from support.paths import BENCHMARKS
from support.project.benchmark_modules import load


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


def test_rows_that_registers_cannot_hold_are_not_autotuned(benchmark):
    import triton

    fit = benchmark("rivals/autotuned").rows_that_fit
    configs = [triton.Config({}, num_warps=warps) for warps in (1, 2, 4, 8, 16, 32)]
    assert fit(configs, {}, BLOCK=8192) == configs
    assert [c.num_warps for c in fit(configs, {}, BLOCK=65536)] == [8, 16, 32]


def test_a_line_has_speeds_and_the_regret(benchmark):
    summary = benchmark("harness/tuned_summary")
    row = {"repetitions": 1, "rounds_ms": [1.0] * 5, "ms": {"median": 1.0}}
    slow = row | {"rounds_ms": [1.5] * 5, "ms": {"median": 1.5}}
    record = {
        "rows": [
            row | {"name": "ours"},
            slow | {"name": "ours seed 1"},
            slow | {"name": "ours long", "ms": {"median": 2.0}},
            slow | {"name": "torch eager"},
        ],
        "failed": [],
    }
    summary_of_run = {"trials": [1] * 90, "timing_share": 0.4}
    runs = {"ours": {"seconds": 60.0, "summary": summary_of_run}}
    runs |= {title: {"seconds": 60.0} for title in ("ours seed 1", "ours long")}
    line = summary.line_of("a work", record, runs, {})
    assert line["over_eager"] == pytest.approx(1.5)
    assert line["regret"] == {"ours": 0.0, "ours seed 1": 0.5, "ours long": 1.0}
    assert line["device_timing"] == {"ours": 0.4}
    # The long run is what the others are compared with.
    assert "50.0%" in summary.text_of(line) and " 90 " in summary.text_of(line)


def test_a_failed_work_says_why(benchmark):
    summary = benchmark("harness/tuned_summary")
    record = {"rows": [], "failed": [{"name": "ours", "reason": "wrong"}]}
    line = summary.line_of("a work", record, {"ours": {}}, {})
    assert summary.text_of(line).endswith("wrong")


def test_a_rival_that_does_not_end_is_left_out(benchmark):
    # By its name: the other process imports it.
    calls = import_module("harness.first_calls").first_calls
    naps = {"quick": 0.0, "endless": 600.0, "wrong": -1.0, "after": 0.0}
    rivals = partial(iter, tuple((t, partial(time.sleep, s)) for t, s in naps.items()))
    said = calls(rivals, list(naps), lambda: 0.3)
    assert list(said) == list(naps)
    assert said["quick"] < 0.3 and said["after"] < 0.3
    assert said["endless"] == "its first call did not end in 0 s"
    assert said["wrong"].startswith("ValueError: ")


@pytest.mark.slow
def test_the_rivals_of_a_work_in_a_process_of_their_own(benchmark):
    rivals = benchmark("harness/tuned_rivals").Rivals
    name = next(iter(benchmark("contenders/planned_works/table").table(tiny=True)))
    titles = [title for title, call in rivals(name, dry=True)() if call() is None]
    assert titles == ["torch eager", "torch compile"]
