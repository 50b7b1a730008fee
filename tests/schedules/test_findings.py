"""Schedules with mistakes, and every word that `tilewright check` says about them.

Each file of `data/findings/` holds a schedule, `-----`, what the check prints, `=====`,
and so on. A schedule that begins with `// payload: FILE` is run over that payload, too.
To add a case, write the schedule and `-----`, and run this file with --update-golden;
then read what was written.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from support.command_line import cli_in
from support.paths import DATA
from tilewright.commands.terminal import console

FOLDER = DATA / "findings"
FILES = sorted(FOLDER.glob("*.txt"))
BETWEEN, END = "-----\n", "=====\n"


def cases(path: Path) -> list[tuple[str, str]]:
    """The schedules of a file, and what is said about each."""
    found: list[tuple[str, str]] = []
    for case in path.read_text().split(END):
        schedule, _, said = case.partition(BETWEEN)
        found.append((schedule, said))
    return found


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_findings(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    for payload in FOLDER.glob("*.mlir"):
        shutil.copy(payload, tmp_path)
    monkeypatch.setattr(console, "_LONG_PATIENCE", 3600.0)  # no line on busy machines
    cli = cli_in(tmp_path, monkeypatch, capsys)
    is_update = request.config.getoption("--update-golden")
    made: list[str] = []
    for schedule, expected in cases(path):
        Path("s.tw").write_text(schedule)
        given = re.match(r"// payload: (\S+)", schedule)
        words = [given.group(1), "-s"] if given else []
        said = cli("check", *words, "s.tw", "--steps-only", "--strict", code=1).err
        made.append(f"{schedule}{BETWEEN}{said}")
        assert is_update or said == expected, schedule
    if is_update:
        path.write_text(END.join(made))


def test_there_are_many() -> None:
    every = [case for path in FILES for case in cases(path)]
    assert len(every) >= 120
    assert len({schedule for schedule, _ in every}) == len(every)
    for _, said in every:
        assert re.search(r": (error|warning): [^;]+; ", said), said
