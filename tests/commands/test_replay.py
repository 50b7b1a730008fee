"""`tilewright replay`: tables and JSON of searches on recorded results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.tuning.recorded_cost import write
from support.tuning.recorded_study import write as write_study
from tilewright.tuning.replay.machine import Machine
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


@pytest.fixture
def recording(tmp_path: Path) -> str:
    return str(write(tmp_path / "cost.json.xz"))


def test_the_table(cli: Cli, recording: str) -> None:
    ended = cli(
        *("replay", recording, "--strategy", "random", "--jobs", "1"),
        *("--trials", "3,12", "--compilers", "1,4", "--only", "4096.*0 MB"),
    )
    assert "1 recording, 12 points, 10 replays of each setting" in ended.out
    found = ended.out.splitlines()
    lines = [line.split() for line in found if line.startswith(" random")]
    assert [line[:2] for line in lines] == [["random", n] for n in "1144"]
    # Twelve compilations of a second: one after the other, or by four processes.
    assert lines[1][4:7] == ["100.0%", "±", "0.0"]
    start = Machine().compilers_start
    assert float(lines[1][8]) == pytest.approx(start + 12, abs=0.2)
    assert float(lines[3][8]) == pytest.approx(start + 3, abs=0.2)


def test_seconds_are_those_of_the_recorded_machine(cli: Cli, recording: str) -> None:
    """However slow this machine is: a replay has the same seconds each time."""
    words = ("replay", recording, "--strategy", "tpe", "--jobs", "1", "--seeds", "2")
    once, again = cli(*words), cli(*words)
    assert once.out == again.out and "seconds" in once.out


def test_estimates_are_named(cli: Cli, tmp_path: Path) -> None:
    schedule = "schedule s(root) { BM = knob [1, 2] }"
    points = tuple(RecordedPoint({"BM": n}, "ok", p50=float(n)) for n in (1, 2))
    space = RecordedSpace("one", "", schedule, "h200 (cost model)", "", points)
    space.save(tmp_path / "one.space.xz")
    ended = cli("replay", "one.space.xz", "--strategy", "random", "--jobs", "1")
    assert "the times of all of them are the cost model's: nothing was" in ended.out


def test_json_has_every_recording(cli: Cli, recording: str, tmp_path: Path) -> None:
    output = tmp_path / "replay.json"
    cli(
        *("replay", recording, "--strategy", "random", "--seeds", "4", "--jobs", "1"),
        *("--repetition-ms", "0.1,50", "--until-no-gain", "2"),
        *("--seconds", "8", "--json", "-o", str(output)),
    )
    found = json.loads(output.read_text())
    assert found["format"] == "tilewright-replay-1"
    assert [one["working"] for one in found["recordings"]] == [11] * 4
    assert len(found["rows"]) == 5 * 2 * 2
    of_all = [row for row in found["rows"] if row["recording"] == "all"]
    assert {row["replays"] for row in of_all} == {16}
    assert [row["repetition_ms"] for row in of_all] == [0.1, 0.1, 50.0, 50.0]
    assert all(0.5 <= row["speed"]["mean"] <= 1.0 for row in of_all)


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--trials", "3,x"], "'x' is not a positive number", 2),
        (["--slower", "1.3"], "--slower needs a repetition time", 2),
        (["-o", "table.txt"], "-o writes JSON", 2),
        (["--strategy", "best"], "no such strategy", 2),
        (["--only", "5000"], "no recording has a name with '5000'", 1),
    ],
)
def test_mistakes(
    cli: Cli, recording: str, arguments: list[str], message: str, code: int
) -> None:
    assert message in cli("replay", recording, *arguments, code=code).err


def test_the_study(cli: Cli, tmp_path: Path) -> None:
    write_study(tmp_path / "study.jsonl.xz")
    ended = cli("replay", "study.jsonl.xz", "--study")
    assert "card, torch 2, triton 3, against NVIDIA A40; 2 inputs" in ended.out
    for title in ("Table 3", "Table 5", "Table 6", "Table 7", "Figure 1", "Figure 2"):
        assert title in ended.out


@pytest.mark.slow
def test_the_figures_of_the_study(cli: Cli, tmp_path: Path) -> None:
    write_study(tmp_path / "study.jsonl.xz")
    cli("replay", "study.jsonl.xz", "--study", "--plots", "figures", "-o", "page.md")
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert drawn == [f"figure_{number}.svg" for number in (1, 2, 3, 4, 5)]
    assert "| 4 |  | 2.5 s (3.20x) |" in (tmp_path / "page.md").read_text()


def test_the_study_has_its_own_settings(cli: Cli, recording: str) -> None:
    ended = cli("replay", recording, "--study", "--trials", "3", code=2)
    assert "--study has the settings of the published study" in ended.err
    ended = cli("replay", recording, "--plots", "figures", code=2)
    assert "--plots draws the figures of --study" in ended.err
    ended = cli("replay", recording, recording, "--study", code=2)
    assert "--study reads one recording" in ended.err
