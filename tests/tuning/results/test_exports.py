"""Exports: everything that a file has, merged into another one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.records import HERE, PAYLOAD, SETTING, log, made, record
from tilewright.ir.errors import UserError
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import (
    OLDER_FORMAT,
    Imported,
    export_json,
    import_json,
)
from tilewright.tuning.results.reader import (
    read_runs,
    read_samples,
    read_text,
    read_trials,
)
from tilewright.tuning.results.records import Final


def test_an_export_has_all(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db") as database:
        kept = database.record(record(1.0, setting=replace(SETTING, sizes="M=1; M=2")))
        database.record_final(kept, Final(1.2, 1.1, 1.3))
        run = log(database)
        run.record(made(1), 1, "new", 0.5, samples=((1.0, 2.0),))
        run.record(made(2, outcome="crash"), 2, "new")
        run.end("finished", 3.0, {"time": 1.0})
        text = export_json(database)
        records, runs = database.list(), read_runs(database)
        trials = [read_trials(database, each) for each in runs]
        samples = [read_samples(database, each) for each in records]
    with Database(tmp_path / "b.db") as copy:
        assert import_json(copy, text) == Imported(3, 1, 1)
        assert copy.list() == records
        assert read_runs(copy) == runs
        assert [read_trials(copy, each) for each in runs] == trials
        assert [read_samples(copy, each) for each in records] == samples
        assert read_text(copy, HERE.payload) == PAYLOAD
        # The same once more changes nothing.
        assert import_json(copy, text) == Imported(3, 0, 0)
        assert copy.list() == records and read_runs(copy) == runs
        assert export_json(copy) == text


def test_the_newer_record_and_the_samples_of_both_stay(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db") as here, Database(tmp_path / "b.db") as there:
        log(here).record(made(1, 1.0), 1, "new", samples=((1.0,),))
        log(there, started="2099").record(made(1, 2.0), 1, "new", samples=((2.0,),))
        with there.writing() as connection:
            connection.execute("UPDATE measurements SET created = '2099'")
        old, new = export_json(here), export_json(there)
        import_json(here, new)
        import_json(there, old)
        for database in (here, there):
            (found,) = database.list()
            assert found.p50 == 2.0
            taken = [one.milliseconds for one in read_samples(database, found)]
            assert sorted(taken) == [(1.0,), (2.0,)]
            assert len(read_runs(database)) == 2


def test_runs_that_start_in_the_same_second_are_told_apart(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db") as here, Database(tmp_path / "b.db") as there:
        for number in (1, 2):
            log(here, started="2026").record(made(number), 1, "new")
        for _ in range(2):
            import_json(there, export_json(here))
        assert len(read_runs(there)) == 2


def test_a_part_of_a_file(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db") as database:
        for number in (1, 2):
            log(database, seed=number).record(made(number), 1, "new")
        data = json.loads(export_json(database, read_runs(database)[1:]))
    assert [one["point"] for one in data["records"]] == [{"BM": 2}]
    assert [one["seed"] for one in data["runs"]] == [2]


def test_exports_of_the_first_format_are_read(tmp_path: Path) -> None:
    entry = record().as_json()
    del entry["closed"]
    with Database(tmp_path / "a.db") as database:
        text = json.dumps({"format": OLDER_FORMAT, "records": [entry]})
        assert import_json(database, text) == Imported(1, 0, 0)
        (found,) = database.list()
        assert found.point == record().point and found.created


BAD = {
    "no json": "no json",
    "no object": "[]",
    "another format": '{"format": "x", "records": []}',
    "a run without its setting": json.dumps(
        {"format": "tilewright-results-2", "records": [], "runs": [{"number": 1}]}
    ),
    "a text of another hash": json.dumps(
        {"format": "tilewright-results-2", "records": [], "texts": {"a": "b"}}
    ),
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_is_no_export_is_refused(tmp_path: Path, text: str) -> None:
    with (
        Database(tmp_path / "a.db") as database,
        pytest.raises(UserError, match="not an export of results"),
    ):
        import_json(database, text)


def test_a_trial_without_its_record_is_refused(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db") as database:
        log(database).record(made(1), 1, "new")
        data = json.loads(export_json(database))
        data["records"] = []
        with pytest.raises(UserError, match="has the record 0 of 0"):
            import_json(database, json.dumps(data))
