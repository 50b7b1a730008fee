"""Results files that are damaged, locked, read-only or of another program."""

from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from support.command_line import cli_in
from support.tuning.records import SETTING, record
from tilewright.commands.results import exchange, listing
from tilewright.ir.errors import UserError
from tilewright.tuning.results import results_file
from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import EXPORT_FORMAT, import_json
from tilewright.tuning.results.rows import record_from_json


def filled(path: Path, count: int = 5) -> Path:
    with Database(path) as database:
        for number in range(count):
            database.record(
                record(1.0 + number, point={"n": number}, program=f"p{number}")
            )
    return path


def execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_missing_table_and_a_missing_column(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db")
    execute(path, "DROP TABLE measurements")
    with pytest.raises(UserError, match="damaged: it has no table 'measurements'"):
        Database(path)
    path = filled(tmp_path / "b.db")
    execute(path, "ALTER TABLE measurements DROP COLUMN stats")
    with pytest.raises(UserError, match="damaged: it has no column 'stats'.*export"):
        Database(path)


BAD = {
    "json": "point = '{broken'",
    "deep": f"point = '{'[' * 5000}'",
    "type": "point = '[1, 2]'",
    "value": """point = '{"n": [1]}'""",
    "outcome": "outcome = 'splendid'",
    "text": "p50 = 'fast'",
    "time": "p50 = 9e999",
    "features": """features = '{"dot.m": "7"}'""",
    "stats": """stats = '[{"kernel": 1}]'""",
    "blob": "error = x'00ff'",
    "cause": "cause = 'moon'",
    "huge": f"each_p50 = '[{10**400}]'",
    "final": "final_median = 9e999",
    "encoding": "error = CAST(x'fffe' AS TEXT)",
    "half": r"""point = '{"\ud800": 1}'""",
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_damaged_row_is_passed_over(tmp_path: Path, change: str, capsys) -> None:
    path = filled(tmp_path / "results.db")
    execute(path, f"UPDATE measurements SET {change} WHERE program = 'p2'")
    with Database(path) as database:
        assert [r.program for r in database.list()] == ["p0", "p1", "p3", "p4"]
        assert len(database.damaged) == 1
        # It is measured again, and that takes its place.
        assert database.lookup("p2", SETTING.device, SETTING.versions) is None
        assert database.best("payload") is not None
    listing.list_runs(path, (), False)
    assert "1 results in" in capsys.readouterr().err


@pytest.mark.parametrize(
    "part",
    [
        "TRIGGER t AFTER INSERT ON measurements BEGIN DELETE FROM measurements; END",
        "VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) "
        "SELECT x FROM c",
        "VIRTUAL TABLE v USING fts5(x)",
    ],
)
def test_a_file_that_runs_sql_of_its_own_is_not_used(tmp_path: Path, part: str) -> None:
    path = filled(tmp_path / "results.db")
    execute(path, f"CREATE {part}")
    for read_only in (False, True):
        with pytest.raises(UserError, match="is not a tilewright results file"):
            Database(path, read_only=read_only)


HOSTILE = {
    "huge": ("p50", 10**400),
    "wide": ("repetitions", 2**63),
    "half": ("error", "\ud800"),
    "nan": ("final", {"median": float("nan"), "low": 1.0, "high": 2.0}),
}


@pytest.mark.parametrize(("key", "value"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_export_is_refused(tmp_path: Path, key: str, value: object) -> None:
    entry = {**record().as_json(), key: value}
    text = json.dumps({"format": EXPORT_FORMAT, "records": [entry]})
    with (
        Database(tmp_path / "new.db") as database,
        pytest.raises(UserError, match="this is not an export of results"),
    ):
        import_json(database, text)


def test_results_are_taken_in_by_the_command_that_the_remedy_names(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    cli = cli_in(tmp_path, monkeypatch, capsys)
    filled(tmp_path / "a.db")
    cli("results", "export", "--db", "a.db", "-o", "saved.json")
    said = cli("results", "import", "saved.json", "--db", "b.db")
    assert said.out == "5 results (0 new runs, 0 new timings) are in b.db\n"
    assert "p50" in cli("results", "export", "--db", "b.db").out


def test_file_names_that_are_no_text_are_kept_as_escapes(
    tmp_path: Path, capsys
) -> None:
    path = tmp_path / "r\udcff%[/x].db"
    with Database(path) as database:
        setting = replace(SETTING, payload_name="p\udcff.mlir")
        database.record(replace(record(), setting=setting, error="s\udcfe.tw:1:1"))
    listing.list_runs(path, (), False)
    assert r"p\udcff.mlir" in capsys.readouterr().out


def test_a_line_break_in_a_name_makes_no_row(tmp_path: Path, capsys) -> None:
    path = tmp_path / "results.db"
    with Database(path) as database:
        setting = replace(SETTING, payload_name="a\n0-0-1 fake")
        database.record(replace(record(), setting=setting))
    listing.list_runs(path, (), False)
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_flipped_pages_are_said_and_what_is_left_is_saved(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.db", 400)
    execute(path, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 20 * 4096] = os.urandom(20 * 4096)
    path.write_bytes(bytes(data))
    with (
        pytest.raises(UserError, match="damaged: .*malformed.*results export"),
        Database(path) as database,
    ):
        database.list()
    saved = tmp_path / "saved.json"
    exchange.export(path, (), saved, False)
    kept = len(json.loads(saved.read_text())["records"])
    assert 0 < kept < 400
    exchange.import_records(saved, tmp_path / "new.db", False)
    with Database(tmp_path / "new.db") as database:
        assert len(database.list()) == kept


def test_a_locked_file_is_said_to_be(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(results_file, "_LOCK_SECONDS", 0.05)
    path = filled(tmp_path / "results.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UserError, match="is locked by another process; wait"):
        Database(path)
    other.execute("ROLLBACK")
    other.close()


def test_a_read_only_file_is_listed(tmp_path: Path, capsys, monkeypatch) -> None:
    folder = tmp_path / "kept"
    path = filled(folder / "results.db")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    listing.list_runs(path, (), False)
    exchange.export(path, (), tmp_path / "out.json", False)
    assert "payload" in capsys.readouterr().out
    with (
        Database(path, read_only=True) as database,
        pytest.raises(UserError, match="results file .* is read-only"),
    ):
        database.record(record())


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.db")
    with Database(path) as database:
        pages = database._connection.execute("PRAGMA page_count").fetchone()[0]
        database._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(UserError, match="cannot write the results file .*full"):
            for number in range(1000):
                database.record(record(error="x" * 4000, point={"m": number}))
    with Database(path) as database:
        assert {"p0", "p4"} <= {r.program for r in database.list()}


def test_a_passing_failure_does_not_undo_a_verdict(tmp_path: Path) -> None:
    with Database(tmp_path / "results.db") as database:
        database.record(record(1.0))
        database.record(record(None, cause="environment"))
        assert [r.outcome for r in database.list()] == ["ok"]
        lost = record(None, cause="environment", point={"n": 1}, program="q")
        database.record(lost)
        assert database.lookup("q", SETTING.device, SETTING.versions) is None
        assert database.lookup_point(SETTING, {"n": 1}) is None
        database.record(replace(lost, outcome="ok", cause="candidate", p50=2.0))
        assert {r.outcome for r in database.list()} == {"ok"}


@pytest.mark.slow
def test_what_is_left_of_a_file_that_was_cut_off_is_saved(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    cli = cli_in(tmp_path, monkeypatch, capsys)
    filled(tmp_path / "whole.db", 400)
    data = (tmp_path / "whole.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(data[: len(data) * 3 // 4 + 100])
    refused = cli("results", "list", "--db", "cut.db", code=1)
    assert "damaged" in refused.err and "results export --db cut.db" in refused.err
    said = cli("results", "export", "--db", "cut.db", "-o", "saved.json")
    assert "results can be read and were saved" in said.err
    cli("results", "import", "saved.json", "--db", "new.db")
    with Database(tmp_path / "new.db") as database:
        assert 0 < len(database.list()) <= 400
    (tmp_path / "cut.db").write_bytes(data[:3000])
    lost = cli("results", "export", "--db", "cut.db", code=1)
    assert "no result in it can be read; use a copy of it" in lost.err


def test_json_is_no_file_to_write_results_to(tmp_path: Path) -> None:
    path = tmp_path / "winners.json"
    path.write_text('{"format": "tilewright-winners-1"}' * 20)
    with pytest.raises(
        UserError, match=r"is JSON, and .* results import .*winners.json"
    ):
        Database(path)


def test_names_are_listed(tmp_path: Path, capsys) -> None:
    named = replace(SETTING, payload_name="softmax.mlir", schedule_name="rows.tw")
    with Database(tmp_path / "results.db") as database:
        database.record(record(setting=named))
    listing.list_runs(tmp_path / "results.db", (), False)
    assert "softmax.mlir  rows.tw" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["null", "[]", "{}", '{"setting": 1}'])
def test_json_that_is_no_record(text: str) -> None:
    with pytest.raises(BadRow):
        record_from_json(json.loads(text))
