"""`benchmarks/structure`: its works, its record, and how programs are timed."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from support.paths import BENCHMARKS


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    from structure import record

    return record


@pytest.mark.slow
def test_every_work_is_a_payload(record) -> None:
    import tilewright

    assert len(record.WORKS) >= 20
    for work in record.WORKS.values():
        tensors = work.inputs("cpu", tiny=True)
        payload = tilewright.from_torch(work.function, tensors)
        assert payload.text().count("linalg.") > 1, work.name


@pytest.mark.slow
def test_programs_are_checked_and_timed_in_turn(record, monkeypatch, tmp_path) -> None:
    import torch

    import tilewright

    work = record.WORKS["gate 4096x1024 bfloat16"]
    tensors = work.inputs("cpu", tiny=True)
    points = {
        "planned": {},
        "numbers": {"BM": 64},
        "kernels": {"BM": 32},
        "structure": {"BM": 32},
    }
    slow = {64: lambda *given: [work.function(*given) for _ in range(40)][0]}

    def compiled(file, plan, inherit, **point):
        return slow.get(point.get("BM"), work.function)

    monkeypatch.setattr(tilewright, "compile", compiled)
    monkeypatch.setattr(torch, "compile", lambda function, mode: lambda *_: tensors[0])
    tuned = {"points": points, "plan": tmp_path / "plan.tw"}
    options = SimpleNamespace(rounds=5, no_rivals=False)
    from structure.side_by_side import timed

    found = timed(work, tensors, tmp_path / "p.mlir", tuned, options)
    timed_names = {"planned", "numbers", "kernels", "structure", "eager"}
    assert found["ms"].keys() == timed_names
    assert found["errors"]["max-autotune"] > 0.02  # wrong numbers are not timed
    assert found["regret"] > 1.0
    assert found["speedups"]["numbers"]["low"] > 1.0
    summary = record.summary({"gate": {**found, "structures": [1]}, "x": {"error": ""}})
    assert summary["failed"] == 1 and summary["earned_5_percent"] == ["gate"]


def test_the_best_point_of_the_planned_structure(record) -> None:
    found = {
        "structures": [{"name": "structure", "gain": 1.2}],
        "trials": [
            {"ms": 3.0, "point": {"structure": "planned", "BM": 1}},
            {"ms": 2.0, "point": {"structure": "planned", "BM": 2}},
            {"ms": None, "point": {"structure": "planned", "BM": 3}},
            {"ms": 1.0, "point": {"structure": "other", "BM": 4}},
        ],
    }
    from structure.searching import best_planned, regret_of

    assert best_planned(found)["BM"] == 2
    assert regret_of(found["structures"]) == pytest.approx(0.2)


MLP = "mlp 128x1024 bfloat16"


def cover(label: str, kernels: list[str], whole_ms: float | None) -> dict[str, object]:
    split = [kernel.split() for kernel in kernels]
    return {"label": label, "kernels": split, "whole_ms": whole_ms}


def test_a_record_is_estimated_again(record, tmp_path, capsys) -> None:
    """What the planner has today is the pick, whatever it was called."""
    first, second = "mm mm_2 mm_3 add relu", "mm_4 mm_5 mm_6 add_2"
    covers = [
        cover("planned", ["mm mm_2 mm_3", f"add relu {second}"], 0.010),
        cover("other", [first, second], 0.012),
        cover("untimed", [first, "mm_4 mm_5 mm_6", "add_2"], None),
        cover("renamed", ["no_such_op"], None),
    ]
    row = {"structures": [{"name": "structure", "covers": covers}]}
    late = {"structures": [{"name": "structure", "covers": covers[2:]}]}
    files = [tmp_path / "one.json", tmp_path / "late.json"]
    files[0].write_text(json.dumps({"works": {MLP: row, "adam": {"error": "wrong"}}}))
    files[1].write_text(json.dumps({"works": {MLP: late}}))
    assert record.main(["--replay", *map(str, files)]) == 0
    head, *lines, last = capsys.readouterr().out.splitlines()
    assert head == f"{MLP}, structure: other; regret 20.0%"
    marks = [line[2] for line in lines]
    assert marks == [" ", "*", " ", " "]
    estimates = [float(line.split("estimated ")[1].split()[0]) for line in lines]
    assert 0 < estimates[1] < estimates[0] < estimates[2] < estimates[3]
    assert "measured 12.0 in the whole" in lines[1] and "not measured" in lines[2]
    assert last == "mean regret 20.0%: the picks of 1 of 1 works were measured"


def test_a_pick_that_was_not_measured_has_no_regret(record) -> None:
    from structure.replaying import Estimated, ReplayedChoice

    timed = Estimated("planned", 0.01, 0.01, False)
    picked = Estimated("other", None, 0.01, True)
    assert ReplayedChoice("w", "structure", (timed,)).regret is None
    assert ReplayedChoice("w", "structure", (timed, picked)).regret is None


def test_a_kernel_is_estimated_as_the_search_does(record) -> None:
    """Each kernel of a plan, rebuilt from the names of its ops, has its estimate."""
    import tilewright
    from structure.replaying import Estimates, search_cost

    work = record.WORKS["pooled 4096x128 bfloat16"]
    payload = tilewright.from_torch(work.function, work.inputs("meta"), name="payload")
    plan = tilewright.plan(payload, "h200")
    kernels = [[facts.name for facts in group.ops] for group in plan.grouping.groups]
    wanted = search_cost(plan.analysis, plan.target).seconds(plan.grouping.groups)
    assert plan.grouping.groups[0].stream is not None
    assert Estimates(plan).seconds(kernels) == pytest.approx(wanted)


@pytest.mark.slow
def test_it_runs_without_a_gpu(record, tmp_path, capsys) -> None:
    out = tmp_path / "record.json"
    given = ["--dry", "--trials", "2", "--works", "^router", "--out", str(out)]
    assert record.main(given) == 0
    written = json.loads(out.read_text())
    (work,) = written["works"].values()
    assert written["dry"] and not written["measured"]
    assert written["environment"]["torch"]
    assert "correct" in work["search"]["checked"]
    assert work["structures"][0]["covers"][0]["label"] == "planned"
    assert "(estimated)" in capsys.readouterr().out
