"""The results file: what is written is read, by several processes at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.paths import TESTS
from support.tuning.records import SETTING, VERSIONS, record
from tilewright.ir.errors import UserError
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Final, Versions
from tilewright.tuning.results.schema import APPLICATION_ID


@pytest.fixture
def database(tmp_path: Path):
    with Database(tmp_path / "deep" / "results.db") as opened:
        yield opened


def test_round_trip_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with Database(path) as first:
        written = first.record(record())
    assert written.created.endswith("+00:00")
    with Database(path) as second:
        assert second.lookup("key", "NVIDIA H200", VERSIONS) == written
        assert second.lookup_point(SETTING, record().point) == written
        assert second.list() == [written]


def test_lookup_needs_program_device_and_versions(database: Database) -> None:
    database.record(record())
    assert database.lookup("other", SETTING.device, VERSIONS) is None
    assert database.lookup("key", "NVIDIA H100", VERSIONS) is None
    newer = replace(VERSIONS, triton="3.8")
    assert database.lookup("key", SETTING.device, newer) is None
    # Other sources may give the same program: then its time is the same too.
    edited = replace(VERSIONS, sources="def")
    assert database.lookup("key", SETTING.device, edited) is not None
    assert (
        database.lookup_point(replace(SETTING, versions=edited), record().point) is None
    )


def test_latest_record_of_a_trial_wins(database: Database) -> None:
    database.record(record(2.0))
    database.record(record(1.5))
    assert [r.p50 for r in database.list()] == [1.5]


def test_point_that_now_applies_replaces_the_refusal(database: Database) -> None:
    database.record(record(None, program="", outcome="invalid"))
    database.record(record(1.0))
    assert [r.outcome for r in database.list()] == ["ok"]


def test_best(database: Database) -> None:
    assert database.best("payload") is None
    database.record(record(3.0, point={"BM": 32}, program="a"))
    database.record(record(1.0, point={"BM": 64}, program="b"))
    database.record(record(0.5, point={"BM": 8}, program="c", outcome="wrong"))
    database.record(record(0.1, point={"BM": 9}, program="d", measured=False))
    database.record(record(None, point={"BM": 16}, program="e"))
    best = database.best("payload", device=SETTING.device)
    assert best is not None
    assert best.point == {"BM": 64}
    assert database.best("payload", device="NVIDIA H100") is None
    assert database.best("payload", schedule="other") is None
    estimate = database.best("payload", measured=False)
    assert estimate is not None
    assert estimate.point == {"BM": 9}


def test_final_timing_ranks_before_single_ones(database: Database) -> None:
    slow = database.record(record(3.0, point={"BM": 32}, program="a"))
    database.record(record(1.0, point={"BM": 64}, program="b"))
    database.record_final(slow, Final(1.2, 1.1, 1.3))
    best = database.best("payload")
    assert best is not None
    assert best.point == {"BM": 32}
    assert best.final == Final(1.2, 1.1, 1.3)
    assert best.milliseconds == 1.2


def test_filter_and_delete(database: Database) -> None:
    database.record(record(1.0, program="a", point={"A": 1}))
    database.record(record(None, program="b", point={"A": 2}))
    assert [r.program for r in database.list(outcome="crash")] == ["b"]
    assert database.list(device="nowhere") == []
    assert database.delete(outcome="crash") == 1
    assert [r.program for r in database.list()] == ["a"]


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("these are not the bytes you are looking for" * 50)
    with pytest.raises(UserError, match="is not a tilewright results file"):
        Database(text)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE notes (text)")
    with pytest.raises(UserError, match="a database of another program"):
        Database(foreign)
    newer = tmp_path / "newer.db"
    with sqlite3.connect(newer) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(UserError, match="schema 99.*upgrade tilewright"):
        Database(newer)
    with pytest.raises(UserError, match="cannot open the results file"):
        Database(tmp_path)


WRITER = """
import sys
from pathlib import Path
from dataclasses import replace
sys.path.insert(0, sys.argv[3])
from support.tuning.records import record
from tilewright.tuning.results.database import Database
with Database(Path(sys.argv[1])) as database:
    for number in range(100):
        database.record(record(1.0, point={"w": sys.argv[2], "n": number}))
        database.lookup("key", "NVIDIA H200", record().setting.versions)
"""


@pytest.mark.slow
def test_several_processes_write_one_new_file(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    here = TESTS
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(here)],
            cwd=here.parent,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b", "c")
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    with Database(path) as database:
        found = {(r.point["w"], r.point["n"]) for r in database.list()}
    assert found == {(w, n) for w in "abc" for n in range(100)}


MAKES_A_FILE = """
import sqlite3, sys, time
from pathlib import Path
from tilewright.tuning.results import results_file
from tilewright.tuning.results.database import Database
make = results_file.create
def slowly(connection):
    print("begun", flush=True)
    time.sleep(0.3)
    make(connection)
results_file.create = slowly
Database(Path(sys.argv[1])).close()
"""


def test_a_reader_waits_for_a_file_that_is_being_made(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    command = [sys.executable, "-c", MAKES_A_FILE, str(path)]
    with subprocess.Popen(
        command, cwd=TESTS.parent, stdout=subprocess.PIPE, text=True
    ) as maker:
        assert maker.stdout is not None
        assert maker.stdout.readline() == "begun\n"
        with Database(path, read_only=True) as database:
            assert database.list() == []


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from support.tuning.records import record
from tilewright.tuning.results.database import Database
database = Database(Path(sys.argv[1]))
for number in range(5):
    database.record(record(1.0, point={"n": number}))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_recorded_is_there(tmp_path: Path) -> None:
    path, here = tmp_path / "killed.db", TESTS
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(here)],
        cwd=here.parent,
        check=False,
    )
    assert done.returncode == -9
    with Database(path) as database:
        assert len(database.list()) == 5


def test_a_file_that_a_killed_process_left_empty_has_no_records(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with Database(path, read_only=True) as database:
        assert database.list() == []
    assert path.stat().st_size == 0
    with Database(path) as database:
        database.record(record())
        assert len(database.list()) == 1


KILLED_WHILE_MAKING = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE measurements (blob)")
for _ in range(500):
    connection.execute("INSERT INTO measurements VALUES (randomblob(3000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_reader_takes_back_what_a_killed_process_was_making(tmp_path: Path) -> None:
    path = tmp_path / "half.db"
    command = [sys.executable, "-c", KILLED_WHILE_MAKING, str(path)]
    assert subprocess.run(command, check=False).returncode == -9
    assert path.stat().st_size > 0
    assert path.with_name("half.db-journal").exists()
    with Database(path, read_only=True) as database:
        assert database.list() == []


def test_current_versions() -> None:
    versions = Versions.current()
    assert versions.tilewright == "0.1.0"
    assert versions.torch.startswith("2.")
    assert len(versions.sources) == 16


# Sizes that a payload leaves open.


def test_other_sizes_are_other_results(database: Database) -> None:
    """A program for any size has one key, and a time of its own at each."""
    for sizes, ms in (("M=16", 1.0), ("M=4096", 9.0), ("", 5.0)):
        setting = replace(SETTING, sizes=sizes)
        database.record(record(ms, setting=setting, each=(ms,)))
    for sizes, ms in (("M=16", 1.0), ("M=4096", 9.0), ("", 5.0)):
        setting = replace(SETTING, sizes=sizes)
        for found in (
            database.lookup("key", SETTING.device, VERSIONS, sizes),
            database.lookup_point(setting, record().point),
            database.best("payload", sizes=sizes),
        ):
            assert found is not None and found.p50 == ms and found.each == (ms,)
    assert database.lookup("key", SETTING.device, VERSIONS, "M=17") is None
    final = Final(0.5, 0.4, 0.6)
    database.record_final(record(setting=replace(SETTING, sizes="M=16")), final)
    assert [entry.final for entry in database.list()] == [final, None, None]
