"""`tilewright tune` of a planned payload with several kernels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from tilewright.payloads import Payload, linear, softmax
from tilewright.schedules.schedule import Schedule


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    p = Payload("layers")
    x = p.input("x", (64, 1024), "f16")
    for number in range(2):
        x = softmax(linear(x, p.input(f"w{number}", (1024, 1024), "f16")))
    p.output(x)
    (tmp_path / "p.mlir").write_text(p.text())
    return cli_in(tmp_path, monkeypatch, capsys)


@pytest.mark.slow
def test_kernels_are_tuned_one_by_one(cli: Cli) -> None:
    limits = ("--target", "h200", "--trials", "5", "--jobs", "1")
    done = cli("tune", "p.mlir", *limits, "--summary", "s.json")
    assert "tuned kernel by kernel: 4 kernels, 2 different" in done.out
    assert "the whole: " in done.out
    winner = Schedule.from_path("p.best.tw")
    assert not winner.open_choices()
    summary = json.loads(Path("s.json").read_text())
    assert [task["uses"] for task in summary["tasks"]] == [2, 2]
    assert sum(task["trials"] for task in summary["tasks"]) == 5
    assert sum(task["share"] for task in summary["tasks"]) == pytest.approx(1.0)
    assert summary["default"]["gain"] >= 1.0


@pytest.mark.slow
def test_jointly(cli: Cli) -> None:
    limits = ("--target", "h200", "--trials", "1", "--jobs", "1")
    done = cli("tune", "p.mlir", *limits, "--jointly")
    assert "all kernels are tuned jointly: --jointly" in done.out
    assert "the whole: " not in done.out
