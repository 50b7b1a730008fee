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
