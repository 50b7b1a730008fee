"""Runs in a results file: trials in their order, every sample, the texts."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.paths import TESTS
from support.tuning.records import HERE, PAYLOAD, log, made
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import (
    read_runs,
    read_samples,
    read_text,
    read_trials,
)
from tilewright.tuning.results.records import Final
from tilewright.tuning.results.runs import packed, unpacked


@pytest.fixture
def database(tmp_path: Path):
    with Database(tmp_path / "results.db") as opened:
        yield opened


def test_a_run_and_its_trials(database: Database) -> None:
    first = log(database)
    kept = first.record(made(1), 1, "new", 0.9, samples=((1.0, 1.5, 0.5),))
    first.record(replace(made(2), program="p1"), 3, "duplicate")
    first.record(made(3, outcome="crash", p50=None), 2, "new")
    final = Final(1.1, 1.0, 1.2)
    first.record_final(kept, final, samples=[1.1, 1.0])
    first.end("finished", 12.5, {"compile": 3.0})

    (run,) = read_runs(database)
    assert (run.number, run.setting, run.strategy, run.seed) == (1, HERE, "guided", 3)
    assert (run.ending, run.wall_seconds, run.seconds) == (
        "finished",
        12.5,
        {"compile": 3.0},
    )
    trials = read_trials(database, run)
    assert [(t.number, t.origin, t.point) for t in trials] == [
        (1, "new", {"BM": 1}),
        (2, "new", {"BM": 3}),
        (3, "duplicate", {"BM": 2}),
    ]
    assert [t.milliseconds for t in trials] == [1.0, None, 1.0]
    assert trials[0].estimate == 0.9
    at = [t.at_seconds for t in trials]
    assert None not in at and at[0] <= at[2] <= at[1]  # type: ignore[operator]
    assert trials[0].record.final == final
    assert read_text(database, HERE.payload) == PAYLOAD
    assert read_text(database, HERE.schedule) is None


def test_every_sample_of_every_run_is_kept(database: Database) -> None:
    log(database).record(made(1), 1, "new", samples=((1.0, 2.0),))
    again = log(database, seed=4)
    newest = again.record(made(1, p50=3.0), 1, "new", samples=((3.0,), (4.0, 5.0)))
    again.record_final(newest, Final(2.5, 2.0, 3.0), samples=(2.5, 2.0))
    (found,) = database.list()
    assert found.p50 == 3.0
    taken = read_samples(database, found)
    assert [(s.kind, s.size, s.run, s.milliseconds) for s in taken] == [
        ("trial", 0, 1, (1.0, 2.0)),
        ("trial", 0, 2, (3.0,)),
        ("trial", 1, 2, (4.0, 5.0)),
        ("final", 0, 2, (2.5, 2.0)),
    ]
    # A point with the same program has the same samples.
    assert read_samples(database, replace(found, point={}, closed="other")) == taken
    assert read_samples(database, replace(found, program="other")) == []


def test_samples_take_four_bytes_each() -> None:
    taken = (0.25, 1.0, 1e-3)
    assert len(packed(taken)) == 12
    assert unpacked(packed(taken)) == pytest.approx(taken, rel=1e-7)
    with pytest.raises(ValueError, match="multiple of item size"):
        unpacked(b"abc")


def test_a_trial_that_the_file_answers_belongs_to_both_runs(database: Database) -> None:
    log(database).record(made(1), 1, "new")
    renamed = {"rows": 1}
    found = database.lookup_point(replace(HERE, schedule="edited"), renamed, "c1")
    assert found is not None
    log(database).answered(found, 1, renamed)
    _, second = read_runs(database)
    (trial,) = read_trials(database, second)
    assert (trial.origin, trial.point) == ("database", renamed)
    assert trial.record == found
    assert len(database.list()) == 1


def test_results_without_a_run_are_listed_too(database: Database) -> None:
    database.record(made(1))
    log(database).record(made(2), 1, "new")
    database.record(made(3, setting=replace(HERE, device="h100")))
    loose, other, run = read_runs(database)
    assert [r.is_recorded for r in (loose, other, run)] == [False, False, True]
    assert [t.point for t in read_trials(database, loose)] == [{"BM": 1}]
    assert [t.point for t in read_trials(database, other)] == [{"BM": 3}]


def test_damaged_rows_are_left_out(database: Database, tmp_path: Path) -> None:
    first = log(database)
    for number in (1, 2, 3):
        first.record(made(number), number, "new", samples=((1.0,),))
    log(database).record(made(4), 1, "new")
    with sqlite3.connect(tmp_path / "results.db") as broken:
        broken.execute("UPDATE trials SET point = '[' WHERE number = 2")
        broken.execute("UPDATE trials SET origin = 'x' WHERE number = 3")
        broken.execute("UPDATE samples SET milliseconds = x'0102' WHERE id = 1")
        broken.execute("UPDATE samples SET milliseconds = 'text' WHERE id = 2")
        broken.execute("UPDATE runs SET seconds = 7 WHERE id = 2")
        broken.execute("UPDATE texts SET text = x'00'")
    broken.close()
    (run,) = read_runs(database)
    (trial,) = read_trials(database, run)
    assert trial.number == 1
    assert read_samples(database, trial.record) == []
    assert read_samples(database, made(2)) == []
    assert read_text(database, HERE.payload) is None


def test_deleting_records_deletes_what_belongs_to_them(database: Database) -> None:
    log(database).record(made(1), 1, "new", samples=((1.0,),))
    log(database).record(made(2, outcome="crash"), 1, "new", samples=((1.0,),))
    assert database.delete(outcome="crash") == 1
    (run,) = read_runs(database)
    assert run.number == 1
    assert len(database.select("SELECT * FROM samples", ())) == 1


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from support.tuning.records import log, made
from tilewright.tuning.results.database import Database
database = Database(Path(sys.argv[1]))
writer = log(database)
number = 0
while True:
    number += 1
    done = made(number, program=f"p{number}", closed=f"{sys.argv[3]}{number}")
    writer.record(done, number, "new", samples=((float(number),) * 100,))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_completed(tmp_path: Path) -> None:
    """Two processes write one file and are killed in the middle, again and again."""
    path = tmp_path / "results.db"
    told: list[int] = []
    for turn in range(3):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(path), str(TESTS), f"{turn}{name}"],
                cwd=TESTS.parent,
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in "ab"
        ]
        for place, writer in enumerate(writers):
            assert writer.stdout is not None
            for _ in range(3 + 7 * turn + place):
                writer.stdout.readline()
        for writer in writers:
            writer.kill()
            rest, _ = writer.communicate()
            told.append(len(rest.splitlines()))
    with Database(path) as database:
        assert database.select("PRAGMA integrity_check", ())[0][0] == "ok"
        runs = read_runs(database)
        assert len(runs) == 6 and all(run.is_recorded for run in runs)
        for run in runs:
            trials = read_trials(database, run)
            numbers = [trial.number for trial in trials]
            assert numbers == list(range(1, len(trials) + 1))
        # What was printed was committed; at most one more is there in each run.
        found = len(database.list())
        printed = sum(told) + sum(2 * (3 + 7 * turn) + 1 for turn in range(3))
        assert printed <= found <= printed + 6
        samples = database.select("SELECT count(*) FROM samples", ())[0][0]
        assert samples == found
