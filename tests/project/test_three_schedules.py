"""The example with three schedules: every command of its README, and real MLIR."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import EXAMPLES
from support.transforms.same_program import assert_same_program
from tilewright.cli import main

EXAMPLE = EXAMPLES / "three_schedules"
COMMANDS = re.findall(
    r"^    tilewright (.*)$", (EXAMPLE / "README.md").read_text(), re.M
)
NAMES = ("tile", "tile_fuse", "tile_fuse_vectorize")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in EXAMPLE.glob("*.mlir"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tilewright", *line.split()])
    try:
        main()
    except SystemExit as end:
        assert end.code in (0, None), line


@pytest.mark.slow
def test_every_command_of_the_readme_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(COMMANDS) == 8
    said = ""
    for line in COMMANDS:
        run(line, monkeypatch)
        captured = capsys.readouterr()
        said += captured.err
        assert captured.out or " -o " in line
    assert len(list((folder / "steps").glob("*.mlir"))) == 4
    assert "gives the same numbers after 9 steps" in said


def test_both_ways_to_stop_stop_at_the_same_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.exists()
    outputs: list[str] = []
    for line in (line for line in COMMANDS if "--stop-after" in line):
        run(line, monkeypatch)
        outputs.append(capsys.readouterr().out)
    assert len(outputs) == 2 and outputs[0] == outputs[1]


@needs_mlir
@pytest.mark.parametrize("name", NAMES)
def test_real_mlir_makes_the_same_program(
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(f"opt payload.mlir -s {name}.mlir", monkeypatch)
    ours = capsys.readouterr().out
    script = (folder / f"{name}.mlir").read_text()
    payload = (folder / "payload.mlir").read_text()
    both = script[: script.rindex("}")] + payload + "}\n"
    theirs = mlir_opt(
        both, "--transform-interpreter", "--test-transform-dialect-erase-schedule"
    )
    assert_same_program(ours, theirs)
