"""Results are kept when a schedule gets more options, other names or another order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from support.command_line import cli_in
from support.tuning.records import SETTING
from tilewright.ir.text import to_text
from tilewright.schedules.closed_key import ClosedKeys
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs, read_trials
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run
from tilewright.tuning.stages.candidates import Ending
from tilewright.tuning.stages.trials import Trials

TEXT = """
schedule small(root) {
  fill = match "linalg.fill" in root
  mm = match "linalg.matmul" in root
  BM = knob [16, 32]
  BN = knob [16, 32]
  warps = knob [1]
  mm, grid = tile mm by [BM, BN] onto [block.y, block.x]
  fill, grid = fuse fill into grid
  launch grid warps = warps
}
"""

EDITED = {
    "more options": TEXT.replace("BM = knob [16, 32]", "BM = knob [16, 32, 64]"),
    "another order": TEXT.replace('  mm = match "linalg.matmul" in root\n', "").replace(
        "  mm, grid", '  mm = match "linalg.matmul" in root\n  mm, grid'
    ),
    "other names": TEXT.replace("BM", "rows"),
    "a condition": TEXT.replace(
        "  mm, grid = tile", "  require BM <= BN\n  mm, grid = tile"
    ),
}
RENAMED = {"other names": {"BM": "rows"}}


def trials_of(text: str, database: Database) -> Trials:
    schedule = Schedule.from_text(text)
    setting = replace(SETTING, schedule=text_hash(to_text(schedule.module)))
    log = RunLog(database, Run(0, setting, measured=True))
    closed = ClosedKeys(schedule.module)
    return Trials(setting, log, reuse=True, measured=True, closed=closed)


def named(point: Mapping[str, int], case: str) -> dict[str, int]:
    names = RENAMED.get(case, {})
    return {names.get(name, name): value for name, value in point.items()}


@pytest.mark.parametrize("case", EDITED)
def test_an_edited_schedule_finds_its_results(tmp_path: Path, case: str) -> None:
    points = [{"BM": bm, "BN": 32, "warps": 1} for bm in (16, 32)]
    with Database(tmp_path / "results.db") as database:
        first = trials_of(TEXT, database)
        failed = Ending("invalid", "does not apply")
        for number, point in enumerate(points, 1):
            assert first.recorded(number, point) is None
            first.end_unbuilt(number, point, failed, {})
        again = trials_of(EDITED[case], database)
        for number, point in enumerate(points, 1):
            found = again.recorded(number, named(point, case))
            assert found is not None and found.origin == "database"
            assert found.point == named(point, case)
        assert again.recorded(3, {**named(points[0], case), "BN": 16}) is None
        assert len(database.list()) == 2
        _, run = read_runs(database)
        assert [t.point for t in read_trials(database, run)] == [
            named(point, case) for point in points
        ]


def test_a_point_that_closes_to_the_same_is_a_duplicate(tmp_path: Path) -> None:
    text = TEXT.replace("  warps = knob", "  unused = knob [1, 2]\n  warps = knob")
    point = {"BM": 16, "BN": 32, "warps": 1}
    with Database(tmp_path / "results.db") as database:
        trials = trials_of(text, database)
        failed = Ending("invalid", "does not apply")
        trials.end_unbuilt(1, {**point, "unused": 1}, failed, {})
        same = trials.recorded(2, {**point, "unused": 2})
        assert same is not None and same.origin == "duplicate"
        (run,) = read_runs(database)
        assert [t.origin for t in read_trials(database, run)] == ["new", "duplicate"]


PAYLOAD = """
func.func @small(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>)
    outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""


@pytest.mark.slow
def test_tune_add_an_option_tune_again(tmp_path: Path, monkeypatch, capsys) -> None:
    cli = cli_in(tmp_path, monkeypatch, capsys)
    monkeypatch.chdir(tmp_path)
    Path("payload.mlir").write_text(PAYLOAD)
    Path("small.tw").write_text(TEXT)
    tune = ("tune", "payload.mlir", "-s", "small.tw", "--target", "h200")
    options = ("--strategy", "grid", "--trials", "20")
    assert "4 ok (4 new)" in cli(*tune, *options).out
    # An option more: the four points answer, the two others are new.
    Path("small.tw").write_text(EDITED["more options"])
    done = cli(*tune, *options).out
    assert "6 ok" in done and "4 database" in done and "2 new" in done
    Path("small.tw").write_text(EDITED["more options"].replace("BM", "rows"))
    done = cli(*tune, *options).out
    assert "(6 database)" in done
    # The names of the schedule as it is now, and its closed winner.
    assert "rows=" in cli("results", "best", "-o", "winner.tw").out
    assert "rows = " in Path("winner.tw").read_text()
    said = cli("run", "payload.mlir", "-s", "winner.tw", "--target", "h200").out
    assert "correct" in said or "equal" in said
