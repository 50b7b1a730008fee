"""Files of every older version are read, and brought up to date when written."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.older_results_files import write_older_file
from support.tuning.records import SETTING, record
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import (
    read_runs,
    read_samples,
    read_text,
    read_trials,
)
from tilewright.tuning.results.records import Final
from tilewright.tuning.results.schema import SCHEMA_VERSION

VERSIONS = range(1, SCHEMA_VERSION)


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_file_is_read_as_it_is(tmp_path: Path, version: int) -> None:
    path = tmp_path / "results.db"
    write_older_file(path, version)
    with Database(path, read_only=True) as database:
        (found,) = database.list()
        (run,) = read_runs(database)
        (trial,) = read_trials(database, run)
        assert trial.record == found and trial.at_seconds is None
        assert not run.is_recorded and run.started.startswith("2026-01-01")
        assert read_samples(database, found) == []
        assert read_text(database, found.setting.payload) is None
    assert version_of(path) == version
    assert (found.setting, found.p50, found.each) == (SETTING, 2.0, ())
    assert found.final == Final(1.5, 1.4, 1.6)
    assert found.setting.payload_name == ("gemm.mlir" if version >= 3 else "")
    assert found.setting.extents == (((16, 8),) if version >= 4 else ())
    assert found.features == ({"dot.m": 7.0} if version >= 5 else {})


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_file_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path = tmp_path / "results.db"
    write_older_file(path, version)
    with Database(path, read_only=True) as database:
        before = database.list()
    with Database(path) as database:
        assert database.list() == before
        setting = replace(SETTING, family="f", extents=((16, 8), (32, 8)))
        added = record(setting=setting, program="new", features={"dot.m": 1.0})
        database.record(added)
    assert version_of(path) == SCHEMA_VERSION
    with Database(path) as again:
        old, new = again.list()
        assert [old] == before
        assert new == replace(added, created=new.created)
        # The point is found without a closed schedule, and gets one when it is
        # recorded again.
        point = old.point
        assert again.lookup_point(SETTING, point, "closed") is not None
        again.record(replace(old, closed="closed"))
        other = replace(SETTING, schedule="with more options")
        found = again.lookup_point(other, {"renamed": 1}, "closed")
        assert found is not None and found.point == point
        assert len(again.list()) == 2


def test_the_causes_of_old_failures_are_found(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_older_file(
        path,
        2,
        {"program": "p0", "outcome": "timeout"},
        {
            "program": "p1",
            "outcome": "crash",
            "error": "the worker was killed by SIGKILL",
        },
        {
            "program": "p2",
            "outcome": "compile_error",
            "error": "OSError: No space left on device",
        },
        {"program": "p3"},
    )
    with Database(path) as database:
        causes = {r.program: r.cause for r in database.list()}
    passing = dict.fromkeys(("p0", "p1", "p2"), "environment")
    assert causes == {**passing, "p3": "candidate"}
