"""`tilewright tune --structure`: other kernels for the same ops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.structure_works import WORKS
from tilewright.schedules.schedule import Schedule

LIMITS = ("--target", "h200", "--jobs", "1")


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("two_layers", "loss"):
        (tmp_path / f"{name}.mlir").write_text(WORKS[name]().text())
    return cli_in(tmp_path, monkeypatch, capsys)


@pytest.mark.slow
def test_the_kernels_of_all_structures_are_tuned(cli: Cli) -> None:
    done = cli(
        *("tune", "two_layers.mlir", "--structure", "--trials", "16", *LIMITS),
        *("--summary", "s.json"),
    )
    assert "structure: planned, product_apart" in done.out
    assert "in the whole ms (estimated)" in done.out
    assert not Schedule.from_path("two_layers.best.tw").open_choices()
    summary = json.loads(Path("s.json").read_text())
    (structure,) = summary["structures"]
    planned, other = structure["covers"]
    assert [planned["label"], other["label"]] == ["planned", "product_apart"]
    assert planned["whole_ms"] > 0
    assert other["alone_ms"] is not None
    assert len(summary["tasks"]) == 4 and all(t["trials"] for t in summary["tasks"])
    assert sum(task["share"] for task in summary["tasks"]) == pytest.approx(1.0)
    assert structure["picked"] == summary["best"]["point"]["structure"]


@pytest.mark.slow
def test_jointly_the_structure_is_a_choice_like_others(cli: Cli) -> None:
    done = cli(
        *("tune", "two_layers.mlir", "--structure", "--trials", "2", *LIMITS),
        *("--jointly", "--summary", "s.json"),
    )
    assert "all kernels are tuned jointly" in done.out
    trials = json.loads(Path("s.json").read_text())["trials"]
    tried = [trial["point"]["structure"] for trial in trials]
    assert tried == ["planned", "product_apart"]


@pytest.mark.slow
def test_where_nothing_is_near_it_says_so(cli: Cli) -> None:
    done = cli("tune", "loss.mlir", "--structure", "--trials", "1", *LIMITS)
    assert "structure: no other kernels are within 1.3 times the estimate" in done.out


def test_a_schedule_has_the_structure_that_it_has(cli: Cli) -> None:
    Path("s.tw").write_text("schedule s(root) {\n}\n")
    done = cli("tune", "loss.mlir", "-s", "s.tw", "--structure", code=2)
    assert "--structure leaves the structure of a planned schedule open" in done.err
