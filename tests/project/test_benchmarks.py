"""The benchmarks: statistics, checks, records, the commands run dry."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest
import torch

from support import warm_python
from support.paths import BENCHMARKS
from support.project.benchmark_modules import load

harness = load("harness/timing")


ours = load("contenders/ours")


class ScriptedClock:
    """Says each call takes its name's milliseconds, and notes who was asked."""

    def __init__(self, milliseconds):
        self.milliseconds = milliseconds
        self.asked = []

    def estimate(self, call):
        return self.milliseconds[call()]

    def sample(self, call, warm_up, repetitions):
        self.asked.append((call(), warm_up, repetitions))
        return [self.milliseconds[call()]] * repetitions


def contenders(*names):
    return [harness.Contender(name, lambda name=name: name) for name in names]


def test_bootstrap_of_equal_values_is_a_point():
    assert harness.bootstrap([3.0] * 7) == harness.Interval(3.0, 3.0, 3.0)


def test_bootstrap_agrees_with_order_statistics():
    # Of 101 sorted values, ranks 41 and 61 bound the median with 95 %.
    interval = harness.bootstrap(list(range(1, 102)))
    assert interval.median == 51
    assert 39 <= interval.low <= 43
    assert 59 <= interval.high <= 63


def test_bootstrap_covers_the_true_median():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(200):
        interval = harness.bootstrap(rng.normal(5.0, 1.0, 15), resamples=500)
        covered += interval.low <= 5.0 <= interval.high
    assert 0.88 <= covered / 200 <= 1.0
    assert covered < 200, "an interval that never misses is too wide"


def test_bootstrap_is_repeatable_and_refuses_nothing():
    assert harness.bootstrap([1, 2, 5, 9]) == harness.bootstrap([1, 2, 5, 9])
    with pytest.raises(ValueError, match="at least one value"):
        harness.bootstrap([])


def test_speedup_pairs_rounds():
    # The card slows down fivefold, the ratio stays; unpaired, it would look unsure.
    slow = harness.Timing(1, [2.0, 4.0, 6.0, 8.0, 10.0])
    fast = harness.Timing(1, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert harness.speedup(fast, over=slow) == harness.Interval(2.0, 2.0, 2.0)
    assert harness.speedup(slow, over=fast).median == 0.5


def test_every_round_times_everyone_in_a_new_order():
    orders = [tuple(harness.round_order(4, index)) for index in range(4)]
    assert len(set(orders)) == 4
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    before_one = {order[order.index(1) - 1] for order in orders if order[0] != 1}
    assert len(before_one) > 1, "a contender should not always follow the same one"


def test_time_interleaved_keeps_one_median_a_round():
    clock = ScriptedClock({"quick": 0.5, "slow": 20.0})
    seen = []
    timings = harness.time_interleaved(
        contenders("quick", "slow"),
        rounds=6,
        clock=clock,
        after_round=lambda index, found: seen.append(len(found["slow"].rounds)),
    )
    assert timings["quick"].rounds == [0.5] * 6
    assert timings["slow"].rounds == [20.0] * 6
    assert seen == [1, 2, 3, 4, 5, 6]
    assert timings["quick"].repetitions == 80
    assert timings["slow"].repetitions == 5, "never fewer than five"
    names = [name for name, _, _ in clock.asked]
    assert sorted(names[0:2]) == sorted(names[2:4]) == ["quick", "slow"]
    firsts = names[0::2]
    assert firsts.count("quick") == firsts.count("slow") == 3
    assert ("quick", 20, 80) in clock.asked


def test_a_passed_deadline_still_leaves_five_rounds():
    timings = harness.time_interleaved(
        contenders("a"), 9, clock=ScriptedClock({"a": 1.0}), deadline=0.0
    )
    assert len(timings["a"].rounds) == 5


def test_time_interleaved_refuses_too_few_rounds_and_twins():
    with pytest.raises(ValueError, match="4 rounds"):
        harness.time_interleaved(contenders("a"), rounds=4)
    with pytest.raises(ValueError, match="same name"):
        harness.time_interleaved(contenders("a", "a"), rounds=5)


def test_relative_error():
    reference = torch.tensor([3.0, 4.0])
    assert harness.relative_error(reference.half(), reference) == 0.0
    off = harness.relative_error(torch.tensor([3.0, 4.5]), reference)
    assert off == pytest.approx(0.1)
    assert math.isnan(harness.relative_error(torch.tensor([3.0, math.nan]), reference))
    assert harness.relative_error(torch.ones(2), torch.zeros(2)) == math.inf
    with pytest.raises(harness.WrongResult, match="shape"):
        harness.relative_error(torch.ones(3), reference)


def test_check_passes_what_is_right():
    reference = torch.arange(8.0)
    contender = harness.Contender("fresh", lambda: reference * 1.001)
    assert harness.checked_error(contender, reference, 1e-2) == pytest.approx(
        1e-3, rel=1e-3
    )


def test_check_finds_an_element_that_is_not_written():
    reference = torch.arange(8.0)
    out = reference.clone()  # right by accident before the call

    def forgets_the_last():
        out[:7] = reference[:7]
        return out

    contender = harness.Contender("partial", forgets_the_last, output="own")
    with pytest.raises(harness.WrongResult, match="nan"):
        harness.checked_error(contender, reference, 1e-2)


def test_check_poisons_scratch():
    reference, out, scratch = torch.arange(8.0), torch.empty(8), torch.arange(8.0)

    def reads_stale_scratch():
        return out.copy_(scratch)

    contender = harness.Contender("stale", reads_stale_scratch, buffers=(scratch,))
    with pytest.raises(harness.WrongResult):
        harness.checked_error(contender, reference, 1e-2)


def test_check_refuses_a_wrong_result():
    contender = harness.Contender("wrong", lambda: torch.ones(4) * 1.1)
    with pytest.raises(harness.WrongResult, match="1.00e-01"):
        harness.checked_error(contender, torch.ones(4), 1e-2)


def test_write_json_replaces_whole_files_only(tmp_path):
    path = tmp_path / "new" / "record.json"
    harness.write_json(path, {"a": 1})
    with pytest.raises(TypeError):
        harness.write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": 1}
    assert list(path.parent.iterdir()) == [path]


def test_environment_names_versions():
    found = harness.environment()
    assert found["torch"] == torch.__version__
    assert {"gpu", "triton", "cuda", "python", "nvidia_smi"} <= found.keys()


def test_parse_ours():
    found = ours.parse("fused=a/b.tw:BM=128,tail=separate")
    assert (found.name, found.schedule) == ("fused", Path("a/b.tw"))
    assert found.point == {"BM": 128, "tail": "separate"}
    assert found.config == "BM=128 tail=separate"
    assert ours.parse("x=y.tw") == ours.Ours("x", Path("y.tw"), {})


@pytest.mark.parametrize("text", ["y.tw", "x=", "x=y.tw:", "x=y.tw:BM", "x=y.tw:BM="])
def test_parse_ours_refuses(text):
    with pytest.raises(ValueError, match="is not"):
        ours.parse(text)


STUB = """
import torch

def compile(payload, schedule, target="auto", **point):
    assert point == {"BM": 128}, point
    wrong = schedule.endswith("wrong.tw")
    return lambda a, b: torch.relu(a @ b) * (2 if wrong else 1)
"""


def run_command(tmp_path, *arguments):
    (tmp_path / "tilewright").mkdir(exist_ok=True)
    (tmp_path / "tilewright" / "__init__.py").write_text(STUB)
    record = tmp_path / "record.json"
    options = ["--dry", "--size", "64", "--rounds", "5", "--out", str(record)]
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = warm_python.run(
        BENCHMARKS / "matmul_relu.py", [*options, *arguments], env=env
    )
    return run, json.loads(record.read_text()) if record.exists() else None


@pytest.mark.slow
def test_command_times_and_records(tmp_path):
    run, record = run_command(
        tmp_path,
        *("--rivals", "pointer,eager,compile,max-autotune", "--payload", "p.mlir"),
        *("--ours", "mine=right.tw:BM=128", "--ours", "bad=wrong.tw:BM=128"),
    )
    assert run.returncode == 1, "one of ours is wrong"
    names = {row["name"]: row for row in record["rows"]}
    assert names.keys() == {
        *("mine", "hand pointer", "torch eager", "torch compile"),
        "torch max-autotune",
    }
    assert [entry["name"] for entry in record["failed"]] == ["bad"]
    assert "relative error" in record["failed"][0]["reason"]
    mine = names["mine"]
    assert mine["ours"] and mine["config"] == "BM=128" and mine["output"] == "fresh"
    assert names["hand pointer"]["output"] == "own"
    assert names["torch max-autotune"]["output"] == "static"
    assert len(mine["rounds_ms"]) == 5 == record["method"]["rounds_done"]
    assert mine["ms"]["median"] == pytest.approx(np.median(mine["rounds_ms"]))
    best = names[mine["best_rival"]]
    assert not best["ours"]
    ratios = np.divide(best["rounds_ms"], mine["rounds_ms"])
    assert mine["speedup_over_best_rival"]["median"] == pytest.approx(np.median(ratios))
    assert record["method"]["graphs_compiled_while_timing"] == 0
    assert "--size 64" in record["command"]
    assert "torch eager" in run.stdout and "config" in run.stdout


@pytest.mark.slow
def test_command_skips_what_the_budget_does_not_hold(tmp_path):
    run, record = run_command(tmp_path, "--budget", "12", "--rivals", "pointer,eager")
    assert run.returncode == 0, run.stderr
    assert [entry["name"] for entry in record["skipped"]] == ["hand-written kernels"]
    assert [row["name"] for row in record["rows"]] == ["torch eager"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rivals", "cublas"], "no rival cublas"),
        (["--dtype", "bf16"], "interpreter computes bf16 wrongly"),
        (["--rounds", "2"], "take 5 or more"),
        (["--ours", "nonsense"], "is not NAME=SCHEDULE"),
        (["--size", "4x4"], "neither 4096 nor"),
    ],
)
def test_command_refuses(monkeypatch, capsys, arguments, said):
    monkeypatch.syspath_prepend(BENCHMARKS)
    with pytest.raises(SystemExit, match="2"):
        load("matmul_relu").read_options(["--dry", *arguments])
    assert said in " ".join(capsys.readouterr().err.split())


def test_every_point_of_ours_is_in_its_schedule(monkeypatch):
    from tilewright.schedules.schedule import Schedule
    from tilewright.tuning.space.read import read_space

    monkeypatch.syspath_prepend(BENCHMARKS)
    work = load("contenders/codegen_works/table")
    table = work.table()
    names = [row.name for row in table]
    assert len(set(names)) == len(names)
    spaces = {}
    for row in [*table, *work.tiny_table()]:
        assert row.ours, row.name
        for ours in row.ours:
            if ours.schedule not in spaces:
                module = Schedule.from_path(ours.schedule).module
                spaces[ours.schedule] = read_space(module).choices
            choices = spaces[ours.schedule]
            assert ours.point.keys() == choices.keys(), (row.name, ours)
            for name, value in ours.point.items():
                assert value in choices[name].options, (row.name, ours, name)


def run_table(tmp_path, *arguments):
    record = tmp_path / "record.json"
    options = ["--dry", "--out", str(record), *arguments]
    env = os.environ | {"PYTHONPATH": str(BENCHMARKS.parent)}
    run = warm_python.run(BENCHMARKS / "codegen.py", options, env=env)
    return run, json.loads(record.read_text()) if record.exists() else None


@pytest.mark.slow
def test_table_times_and_records(tmp_path):
    run, record = run_table(tmp_path, "--rows", "rmsnorm|mlp.*f32")
    assert run.returncode == 0, run.stderr + run.stdout
    assert record["ceilings"]["copy_gbs"] > 0
    assert len(record["work"]) == 2
    for name, found in record["work"].items():
        assert [line["mode"] for line in found["summary"]] == ["launched", "graph"]
        rows = {row["name"]: row for row in found["launched"]["rows"]}
        assert {"torch eager", "torch compile"} <= rows.keys()
        assert not found["launched"]["failed"], name
        line = found["summary"][0]
        mine, rival = rows[line["ours"]], rows[line["best_rival"]]
        assert mine["ours"] and not rival["ours"]
        assert len(mine["rounds_ms"]) == 5
        ratios = np.divide(rival["rounds_ms"], mine["rounds_ms"])
        assert line["versus_best_rival"]["median"] == pytest.approx(np.median(ratios))
        for structure, ratio in line["same_structure"].items():
            both = rows[f"hand {structure}"], rows[f"ours {structure}"]
            ratios = np.divide(*(row["rounds_ms"] for row in both))
            assert ratio["median"] == pytest.approx(np.median(ratios))
        assert line["same_structure"]
        assert name in run.stdout


def test_table_has_no_such_work(tmp_path):
    run, record = run_table(tmp_path, "--rows", "nonsense")
    assert run.returncode == 2 and record is None
    assert "--list shows them" in run.stderr


def test_records_as_markdown(tmp_path, capsys):
    ratio = {"median": 0.9, "low": 0.89, "high": 0.91}
    line = {
        "work": "gemm",
        "mode": "launched",
        "ours": "ours pointer",
        "ms": 1.25,
        "tflops": 110.0,
        "gbs": 80.0,
        "of_ceiling": 0.5,
        "same_structure": {"pointer": ratio | {"median": 1.0}},
        "versus_best_torch": ratio,
        "best_torch": "torch compile",
    }
    record = tmp_path / "record.json"
    summaries = [line, line | {"mode": "graph", "versus_best_torch": {**ratio}}]
    record.write_text(json.dumps({"work": {"gemm": {"summary": summaries}}}))
    table = load("table")
    assert table.main([str(record)]) == 0
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first == (
        "| gemm | pointer | 1.2500 | 110 TFLOP/s | 0.50 | 1.00 "
        "| 0.90 (0.89 .. 0.91) | compile | - |"
    )
    assert second.startswith("| gemm * |")
    assert table.main([str(record), "--misses"]) == 0
    assert "gemm (graph): 0.90 (0.89 .. 0.91) of torch" in capsys.readouterr().out
    record.write_text("{}")
    assert table.main([str(record)]) == 1
    assert "not a record" in capsys.readouterr().err
