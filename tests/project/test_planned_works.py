"""The works of `benchmarks/planned.py`: payloads, torch's functions, the record."""

import json
import os

import numpy as np
import pytest

import tilewright
from support import warm_python
from support.paths import BENCHMARKS
from support.project.benchmark_modules import load

OF_THE_ISSUE = (
    *("gemm 3000x5000x2000 bf16", "gemm 8192x1024x8192 bf16"),
    *("gemm 128x11008x4096 bf16", "gemm 1x14336x4096 bf16", "gemm 64x256x16384 bf16"),
    *("linear+gelu 2048x3072x768 bf16", "softmax 8192x50257 bf16"),
    *("layernorm 32768x768 bf16", "rmsnorm 8192x5120 bf16"),
    *("silu(x)*y 8192x14336 bf16", "gated mlp 2048x4096x11008 bf16"),
    "mlp 4096x4096-1024-4096 bf16",
)
A_FEW = ("softmax 32x23 f16", "cross-entropy 32x23 f16", "add+rmsnorm 4x32 f16")


@pytest.fixture
def works(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return load("contenders/planned_works/table").table


@pytest.fixture
def timing(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return load("harness/timing")


def is_right(work, timing):
    """Whether torch and our program agree with the reference."""
    tensors = work.inputs("cpu")
    reference = work.reference(*tensors)
    program = tilewright.compile(work.payload)
    with pytest.warns(UserWarning, match="no GPU here"):
        ours = program(*tensors)
    made = ours if isinstance(ours, tuple) else (ours,)
    theirs = work.torch(*tensors)
    for one, other in zip(made, theirs if len(made) > 1 else (theirs,), strict=True):
        assert one.dtype == other.dtype
    for out in (made, theirs):
        assert timing.relative_error(out, reference) <= work.error
    return True


def test_works_are_many_and_have_those_of_the_issue(works):
    table = works()
    assert len(table) >= 72
    assert set(OF_THE_ISSUE) <= table.keys()
    families = {work.family for work in table.values()}
    assert len(families) == 7


def test_every_payload_is_valid_at_a_small_size(works):
    for work in works(tiny=True).values():
        module = work.payload.module
        assert len(list(module.ops)) == 1, work.name
        assert work.moved > 0


@pytest.mark.parametrize("name", A_FEW)
def test_small_work_is_right(works, timing, name):
    assert is_right(works(tiny=True)[name], timing)


@pytest.mark.slow
def test_every_small_work_is_right(works, timing):
    for work in works(tiny=True).values():
        assert is_right(work, timing), work.name


def test_the_pick_is_among_the_options_of_every_knob(works):
    checked = 0
    for work in works().values():
        if not work.flops or work.dtype != "f32":
            continue
        for kernel in tilewright.plan(work.payload).kernels:
            for candidate in kernel.candidates:
                for knob in candidate.knobs:
                    assert candidate.point[knob.name] in knob.options, work.name
                    checked += 1
    assert checked > 10


@pytest.mark.slow
def test_no_planned_kernel_is_refused(works):
    for work in works().values():
        assert tilewright.compile(work.payload).refusals == (), work.name


def test_error_of_several_results_is_the_largest(timing):
    import torch

    one, two = torch.ones(4), torch.full((4,), 2.0)
    assert timing.relative_error((one, two), (one, two)) == 0
    assert timing.relative_error((one, two), (one, one)) == 1
    assert np.isnan(timing.relative_error((one * np.nan, two), (one, one)))
    with pytest.raises(timing.WrongResult, match="1 results, not 2"):
        timing.relative_error(one, (one, two))


def test_failed_works_count(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    summary = load("harness/planned/summary")
    lines = [
        {"work": "a", "family": "x", "ratio": 0.5},
        {"work": "b", "family": "x", "ratio": 2.0},
        {"work": "c", "family": "x", "error": "no"},
    ]
    found = summary.summarize(lines)
    assert found["geometric_mean"] == pytest.approx(1.0)
    assert (found["works"], found["failed"]) == (3, 1)
    assert found["worst_work"] == "a" and found["below_bar"] == ["a"]
    assert found["at_least_1"] == pytest.approx(1 / 3)
    assert "FAILED no" in summary.text_of(lines[2])
    record = {"lines": lines[2:], "summary": found | {"families": {}}}
    assert "| c | failed |" in summary.markdown(record)


def test_sweep_takes_the_pick_and_points_down_to_the_worst(works, monkeypatch):
    sweep = load("harness/planned/sweep")
    plan = tilewright.plan(works()["softmax 4096x4096 f16"].payload)
    trials = sweep.trials("softmax", plan, 4)
    (kernel,) = plan.kernels
    assert dict(trials[0].point) == dict(kernel.candidates[0].point)
    assert len(set(trials)) == len(trials) >= 4
    assert sweep.spread(3, 8) == [0, 1, 2]
    assert sweep.spread(100, 3) == [0, 9, 99]
    # The settings are those of the schedule.
    program = tilewright.compile(
        works()["softmax 4096x4096 f16"].payload,
        plan.text,
        **dict(trials[-1].settings),
    )
    assert program.built.program.kernels


def test_regret_of_the_first_pick(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    sweep = load("harness/planned/sweep")
    times = ((1.0, 20.0), (2.0, 10.0), (3.0, 30.0), (4.0, None))
    rows = [
        {"work": "a", "sketch": "s", "point": {"B": at}, "estimate_us": estimate}
        | ({"us": us} if us else {"error": "no"})
        for at, (estimate, us) in enumerate(times)
    ]
    found = sweep.judged(rows)["a"]
    assert found["points"] == 3 and found["regret"] == 2
    assert found["rank_correlation"] == pytest.approx(0.5)
    assert found["best"] == "s B=1: 10.0 us"


def run_planned(tmp_path, *arguments):
    record = tmp_path / "record.json"
    options = ["--dry", "--out", str(record), *arguments]
    env = os.environ | {"PYTHONPATH": str(BENCHMARKS.parent)}
    run = warm_python.run(BENCHMARKS / "planned.py", options, env=env)
    return run, json.loads(record.read_text()) if record.exists() else None


@pytest.mark.slow
def test_command_times_and_records(tmp_path):
    run, record = run_planned(tmp_path, "--works", "add.rmsnorm|cast f32 to")
    assert run.returncode == 0, run.stderr + run.stdout
    assert record["summary"]["failed"] == 0
    assert len(record["lines"]) == record["summary"]["works"] == len(record["works"])
    for line in record["lines"]:
        rows = {r["name"]: r for r in record["works"][line["work"]]["timed"]["rows"]}
        assert rows.keys() == {"ours", "torch eager", "torch compile"}
        mine, rival = rows["ours"], rows[line["best_rival"]]
        ratios = np.divide(rival["rounds_ms"], mine["rounds_ms"])
        assert line["ratio"] == pytest.approx(np.median(ratios))
        assert line["planned"] and line["work"] in run.stdout
    # The rivals of this record serve another run.
    again, other = run_planned(
        tmp_path,
        *("--works", "cast f32 to", "--rivals", str(tmp_path / "record.json")),
    )
    assert again.returncode == 0, again.stderr + again.stdout
    (line,) = other["lines"]
    assert line["rivals_earlier"] and "(earlier)" in again.stdout
    assert [r["name"] for r in other["works"][line["work"]]["timed"]["rows"]] == [
        "ours"
    ]


def test_command_has_no_such_work(monkeypatch, capsys):
    monkeypatch.syspath_prepend(BENCHMARKS)
    assert load("planned").main(["--dry", "--works", "nonsense"]) == 2
    assert "--list shows them" in capsys.readouterr().err
