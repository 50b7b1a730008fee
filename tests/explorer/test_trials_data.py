"""The data of a tuning page: runs, columns, structures, failures, single trials."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.explorer.tuned_files import (
    SETTING,
    write_matmul_run,
    write_run,
)
from support.paths import ROOT
from tilewright.commands.view.arguments import Options
from tilewright.commands.view.view import view
from tilewright.explorer.page.html import embedded
from tilewright.explorer.trials.columns import traffic_of
from tilewright.explorer.trials.sources import Row, is_results_file, open_runs
from tilewright.explorer.trials.trial_detail import trial_detail
from tilewright.explorer.trials.trials_data import Extent, trials_data
from tilewright.ir.errors import UserError
from tilewright.pipeline import build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.tuning_log import LoggedTrial
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import export_json

QUICK = Extent(explained=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a run on two devices."""
    path = tmp_path_factory.mktemp("results") / "results.db"
    write_run(path, 60)
    return write_run(path, 40, seed=1, setting=replace(SETTING, device="NVIDIA A100"))


@pytest.fixture(scope="module")
def matmul(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_matmul_run(tmp_path_factory.mktemp("matmul") / "matmul.db")


def lines_of(program: dict[str, Any], text: list[str]) -> list[str]:
    """The lines after the last step, put together as the page does it."""
    lines: list[str] = []
    for step in program["steps"]:
        after: list[str] = []
        at = 0
        for first, last, ranges in step["hunks"]:
            after += lines[at:first]
            for start, count in zip(ranges[::2], ranges[1::2], strict=True):
                after += text[start : start + count]
            at = last
        lines = after + lines[at:]
    return lines


def test_the_newest_run_comes_first_and_words_name_another(results: Path) -> None:
    data = trials_data(results, extent=QUICK)
    assert data["runs"][data["shown"]]["device"] == "NVIDIA A100"
    named = trials_data(results, ["h200"], extent=QUICK)
    assert named["runs"][named["shown"]]["device"] == "NVIDIA H200"
    with pytest.raises(UserError, match="no run is named by 'b300'"):
        trials_data(results, ["b300"])


def test_columns_have_what_the_trials_have(results: Path) -> None:
    run = trials_data(results, ["h200"], extent=QUICK)["runs"][0]
    columns = run["trials"]
    with open_runs(results) as runs:
        rows = runs[0].rows
        for i, row in enumerate(rows):
            assert columns["number"][i] == row.number
            for choice in run["choices"]:
                place = columns["points"][choice["name"]][i]
                value = None if place is None else choice["options"][place]
                assert row.trial.point.get(choice["name"]) == value
            ms = columns["ms"][i]
            assert (ms is None) == (row.trial.milliseconds is None)
            assert ms is None or ms == pytest.approx(row.trial.milliseconds, rel=1e-5)
    assert columns["ms"][run["best"]] == min(ms for ms in columns["ms"] if ms)
    failed = [i for group in run["failures"] for i in group["rows"]]
    assert sorted(failed) == [i for i, ms in enumerate(columns["ms"]) if ms is None]


def test_each_structure_has_its_best_trial(results: Path) -> None:
    run = trials_data(results, ["h200"], extent=QUICK)["runs"][0]
    found = run["structures"]
    assert [one["point"]["loads"] for one in found] == ["descriptors", "pointers"]
    assert found[0]["best"] == run["best"]
    assert sum(one["trials"] for one in found) == run["count"]


def test_further_runs_have_a_summary_only(results: Path) -> None:
    data = trials_data(results, extent=replace(QUICK, trials=40))
    assert data["runs"][1]["trials"] is not None
    assert data["runs"][0]["trials"] is None and data["runs"][0]["count"] == 60


@pytest.mark.slow
def test_what_explain_finds_is_json_without_nan(results: Path) -> None:
    data = trials_data(results)
    found = data["runs"][data["shown"]]["findings"]
    assert found["effects"] is not None or found["no_effects_because"]
    assert json.loads(embedded(data))["source"] == "results.db"


def test_a_recorded_space_shows_its_line_of_the_schedule() -> None:
    path = ROOT / "benchmarks/spaces/decoding.space.xz"
    run = trials_data(path, extent=QUICK)["runs"][0]
    group = next(one for one in run["failures"] if one["place"])
    assert group["line"].startswith("values, grid = tile values")
    text = run["schedule_text"]
    merge = next(one for one in text["choices"] if one["name"] == "merge")
    assert text["lines"][merge["line"]].strip().startswith("choose merge")
    first, _ = merge["branches"]["apart"]
    assert text["lines"][first].strip().startswith("apart {")


@pytest.mark.slow
def test_a_trial_has_steps_that_give_its_source(matmul: Path) -> None:
    found = trial_detail(matmul, "#1", 2)
    folder = ROOT / "examples/matmul_relu"
    with open_runs(matmul) as runs:
        point = next(row for row in runs[0].rows if row.number == 2).trial.point
    built = build(
        read_payload(folder / "payload.mlir"),
        Schedule.from_path(folder / "tuned.tw"),
        point,
    )
    source = lines_of(found["program"], found["text"])
    assert source == built.program.text.splitlines()
    assert found["program"]["failure"] is None
    assert found["samples"][0]["ms"] == pytest.approx([0.2, 0.21, 0.22], rel=1e-4)
    assert not any("knob" in line for line in found["closed"])
    with pytest.raises(UserError, match="no trial 99"):
        trial_detail(matmul, "#1", 99)
    with pytest.raises(UserError, match="no run '#7'"):
        trial_detail(matmul, "#7", 1)


def test_a_page_has_the_winner_and_the_best_of_each_structure(matmul: Path) -> None:
    data = trials_data(matmul, extent=replace(QUICK, programs=2))
    run = data["runs"][0]
    rows = [int(row) for row in run["details"]]
    assert rows[0] == run["best"] and len(rows) == 2
    for detail in run["details"].values():
        assert lines_of(detail["program"], data["text"])[0].startswith('"""Triton')
    assert run["schedule_text"]["original"]
    assert run["view"].startswith("tilewright view payload.mlir -s /")


def test_no_program_is_built_after_the_time_limit(matmul: Path) -> None:
    extent = replace(QUICK, programs=2, program_seconds=0.0)
    assert trials_data(matmul, extent=extent)["runs"][0]["details"] == {}


def test_a_changed_schedule_file_is_not_shown(matmul: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(matmul, copy)
    changed = tmp_path / "tuned.tw"
    text = (ROOT / "examples/matmul_relu/tuned.tw").read_text()
    changed.write_text(text.replace("knob [", "knob [512, ", 1))
    with Database(copy) as database, database.writing() as connection:
        connection.execute(f"UPDATE runs SET command = 'tilewright tune -s {changed}'")
    text = trials_data(copy, extent=QUICK)["runs"][0]["schedule_text"]
    assert not text["original"] and "512" not in "".join(text["lines"])


def test_an_export_gives_the_same_page(results: Path, tmp_path: Path) -> None:
    export = tmp_path / "results.json"
    with Database(results, read_only=True) as database:
        export.write_text(export_json(database))
    found, expected = (
        trials_data(path, ["h200"], extent=QUICK) for path in (export, results)
    )
    for name in ("number", "ms", "points", "error"):
        assert found["runs"][0]["trials"][name] == expected["runs"][0]["trials"][name]


@pytest.mark.parametrize("name", ["a.db", "a.json", "b/a.space.xz"])
def test_the_command_knows_results_files(name: str) -> None:
    assert is_results_file(name)
    assert not is_results_file("payload.mlir") and not is_results_file("m.py:M")


def test_the_command_writes_the_page(
    matmul: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "page.html"
    view(Options(str(matmul), output=output, trials=0, open_page=False))
    assert "matmul.db" in output.read_text()
    assert "page.html: " in capsys.readouterr().err


def test_library_calls_hide_the_bytes() -> None:
    features = {"traffic.hbm": 1.0, "problem.bytes": 10.0}
    for calls, bytes_ in ((0.0, 2048.0), (1.0, None)):
        trial = LoggedTrial({}, "ok", features={**features, "program.calls": calls})
        assert traffic_of(Row(1, trial)) == bytes_


def test_a_file_without_runs_is_data_too(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    Database(path).close()
    data = trials_data(path)
    assert data["shown"] is None and data["runs"] == []
    with pytest.raises(UserError, match="no such file"):
        trials_data(tmp_path / "none.db")
