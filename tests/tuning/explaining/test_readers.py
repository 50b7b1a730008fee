"""Results files and recorded spaces as logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.tuning.logs import SCHEDULE, planted, space
from support.tuning.records import SETTING, record
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.effects import Effects
from tilewright.tuning.explaining.explanation import explain
from tilewright.tuning.explaining.readers import (
    count_runs,
    read_alike,
    read_log,
    with_schedule,
)
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import export_json
from tilewright.tuning.results.records import Setting, text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run

SPACES = Path(__file__).parents[3] / "benchmarks" / "spaces"
TEXT = to_text(Schedule.from_text(SCHEDULE).module)


def setting(name: str) -> Setting:
    return Setting(
        text_hash(name),
        text_hash(TEXT),
        "a card",
        SETTING.versions,
        payload_name=f"{name}.mlir",
        schedule_name="s.tw",
    )


def write_run(path: Path, name: str, trials: int = 40) -> None:
    own = setting(name)
    with Database(path) as database:
        log = RunLog(
            database,
            Run(0, own, measured=True, strategy="random"),
            texts={own.schedule: TEXT},
        )
        for number, one in enumerate(planted(trials).trials, 1):
            found = record(
                one.milliseconds,
                setting=own,
                point=one.point,
                program=one.program,
                seconds={"compile": 1.0},
            )
            log.record(found, number, "new" if number % 2 else "duplicate")
        log.end("finished", 30.0, {"compile": 20.0, "waiting": 4.0})


def test_a_run_of_a_results_file(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_run(path, "gemm", 80)
    log = read_log(path)
    assert (log.name, log.payload, log.schedule) == ("#1", "gemm.mlir", "s.tw")
    assert (log.strategy, log.wall_seconds) == ("random", 30.0)
    assert len(log.trials) == 80 and log.clock
    ends = [one.ended or 0.0 for one in log.trials]
    assert ends == sorted(ends)
    assert log.known_space is not None
    assert set(log.known_space.choices) == set(space().choices)
    found = explain(log)
    assert isinstance(found.effects, Effects) and found.effects.whole_space
    # What another trial had built cost nothing.
    stages = {stage.stage: stage.seconds for stage in found.stages}
    assert stages == {"compile": 20.0, "waiting": 4.0}
    assert sum(one.seconds.get("compile", 0.0) for one in log.trials) == 40.0


def test_words_name_a_run_and_the_newest_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    for name in ("gemm", "softmax", "gemm"):
        write_run(path, name, 3)
    assert count_runs(path) == 3
    newest = read_log(path)
    assert (newest.name, newest.payload) == ("#3", "gemm.mlir")
    assert read_log(path, ["#1"]).name == "#1"
    assert read_log(path, ["soft", "card"]).payload == "softmax.mlir"
    with pytest.raises(UserError, match="no run is named by 'layernorm'"):
        read_log(path, ["layernorm"])
    assert [log.name for log in read_alike(path, newest)] == ["#1", "#3"]
    export = tmp_path / "results.json"
    with Database(path, read_only=True) as database:
        export.write_text(export_json(database))
    assert len(read_log(export, ["softmax"]).trials) == 3


def test_records_without_a_run(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with Database(path) as database:
        for number in range(3):
            database.record(record(1.0 + number, point={"BM": 64 + number}))
    log = read_log(path)
    assert len(log.trials) == 3 and log.known_space is None and not log.clock
    assert explain(log).stops[-1].trials == 3


def test_the_schedule_tells_what_was_not_tried(tmp_path: Path) -> None:
    path, schedule = tmp_path / "results.db", tmp_path / "s.tw"
    schedule.write_text(SCHEDULE)
    with Database(path) as database:
        for one in planted(3).trials:
            database.record(record(one.milliseconds, point=one.point))
        database.record(record(1.0, point={**planted(1).trials[0].point, "BM": 32}))
    log = with_schedule(read_log(path), schedule)
    untried = {one.name: one.untried for one in explain(log).choices}
    assert any(untried.values())
    schedule.write_text(SCHEDULE.replace("warps", "warps_of_another"))
    with pytest.raises(UserError, match="has no choice 'warps'"):
        with_schedule(log, schedule)


def test_a_recorded_space() -> None:
    log = read_log(SPACES / "decoding.space.xz")
    assert read_alike(SPACES / "decoding.space.xz", log) == [log]
    assert (log.name, log.device, len(log.trials)) == ("decoding", "NVIDIA H200", 345)
    ends = [one.ended or 0.0 for one in log.trials]
    assert ends == sorted(ends) and ends[0] > 4.0 and "simulated" in log.clock
    found = explain(log)
    assert isinstance(found.effects, Effects)
    assert found.effects.choices[0].name == "stages"
    failure = found.failures[0]
    assert (failure.place, failure.count) == ("decoding_split.tw:14", 24)
    assert failure.options == (("BN", "256"), ("chunks", "32"))
    assert found.limits is not None and "L2" in found.limits.verdict


def test_files_that_cannot_be_explained(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_log(tmp_path / "results.db")
    with Database(tmp_path / "empty.db"):
        pass
    with pytest.raises(UserError, match="no runs"):
        read_log(tmp_path / "empty.db")
    (tmp_path / "text.db").write_text("not a database, but long enough to look at it")
    with pytest.raises(UserError, match="not a tilewright results file"):
        read_log(tmp_path / "text.db")
