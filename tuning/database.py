"""The results file: every trial ever made, in SQLite.

Each record is committed on its own, so an interrupt loses nothing, and several
processes may write at once. It is the truth that a tuning run starts from: what is
recorded for the same program, device and versions is not measured again.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.tuning.records import Final, Record, Setting, Versions, record_from_json
from tilewright.tuning.results_schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    create,
    upgrade,
)
from tilewright.tuning.space import Point, canonical

EXPORT_FORMAT = "tilewright-results-1"

_SETTING = "payload = ? AND schedule = ? AND device = ? AND sizes = ?"
_VERSIONS = "torch = ? AND triton = ? AND tilewright = ?"


class Database:
    """An open results file; may be shared by threads."""

    def __init__(self, path: Path) -> None:
        """Open a results file, making it where there is none."""
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=60.0, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise UserError(f"cannot open the results file {path}: {error}") from error
        self._connection.row_factory = sqlite3.Row
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Database:
        """The open file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; everything recorded is already in it."""
        with self._lock:
            self._connection.close()

    def record(self, record: Record) -> Record:
        """Write a record at once, in place of an older one of the same trial."""
        stamped = replace(record, created=_now())
        row = _row_of(stamped)
        names = ", ".join(row)
        marks = ", ".join("?" for _ in row)
        with self._writing() as connection:
            if record.program:
                # The point once did not apply, and now does.
                connection.execute(
                    f"DELETE FROM measurements WHERE {_SETTING} AND {_VERSIONS}"
                    " AND point = ? AND program = ''",
                    (*_setting_values(record.setting), canonical(record.point)),
                )
            connection.execute(
                f"INSERT OR REPLACE INTO measurements ({names}) VALUES ({marks})",
                tuple(row.values()),
            )
        return stamped

    def record_final(self, record: Record, final: Final) -> None:
        """Add the interleaved timing to a program's records of this setting."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE measurements SET final_median = ?, final_low = ?,"
                f" final_high = ? WHERE {_SETTING} AND {_VERSIONS} AND program = ?",
                (
                    final.median,
                    final.low,
                    final.high,
                    *_setting_values(record.setting),
                    record.program,
                ),
            )

    def lookup(
        self, program: str, device: str, versions: Versions, sizes: str = ""
    ) -> Record | None:
        """The latest record of a program, whichever point and schedule gave it.

        A program for any size is as fast as its sizes let it be: only `sizes` count.
        """
        return self._first(
            f"program = ? AND device = ? AND sizes = ? AND {_VERSIONS}"
            " ORDER BY id DESC",
            (program, device, sizes, *_version_values(versions)),
        )

    def lookup_point(self, setting: Setting, point: Point) -> Record | None:
        """The latest record of a point, made by this very state of the compiler.

        Other states may make another program of it, so they do not count: build the
        point, and look the program up.
        """
        return self._first(
            f"{_SETTING} AND {_VERSIONS} AND sources = ? AND point = ?"
            " ORDER BY id DESC",
            (
                *_setting_values(setting),
                setting.versions.sources,
                canonical(point),
            ),
        )

    def best(
        self,
        payload: str,
        schedule: str | None = None,
        device: str | None = None,
        *,
        measured: bool = True,
        sizes: str = "",
    ) -> Record | None:
        """The fastest right record; those of a final timing before all others."""
        found = self.list(
            payload=payload,
            schedule=schedule,
            device=device,
            outcome="ok",
            sizes=sizes,
        )
        ranked = [
            record
            for record in found
            if record.measured is measured and record.milliseconds is not None
        ]
        return min(
            ranked,
            key=lambda record: (record.final is None, record.milliseconds),
            default=None,
        )

    def list(
        self,
        *,
        payload: str | None = None,
        schedule: str | None = None,
        device: str | None = None,
        outcome: str | None = None,
        sizes: str | None = None,
    ) -> list[Record]:
        """Records that match, oldest first."""
        where, values = _filter(
            payload=payload,
            schedule=schedule,
            device=device,
            outcome=outcome,
            sizes=sizes,
        )
        return [
            _record_of(row)
            for row in self._select(
                f"SELECT * FROM measurements WHERE {where} ORDER BY id", values
            )
        ]

    def delete(
        self,
        *,
        payload: str | None = None,
        schedule: str | None = None,
        device: str | None = None,
        outcome: str | None = None,
    ) -> int:
        """Delete records that match; returns how many there were."""
        where, values = _filter(
            payload=payload, schedule=schedule, device=device, outcome=outcome
        )
        with self._writing() as connection:
            done = connection.execute(f"DELETE FROM measurements WHERE {where}", values)
        return done.rowcount

    def export(self, records: Sequence[Record] | None = None) -> str:
        """Records as JSON text, all of them by default."""
        chosen = self.list() if records is None else records
        data = {
            "format": EXPORT_FORMAT,
            "records": [record.as_json() for record in chosen],
        }
        return json.dumps(data, indent=1)

    def load(self, text: str) -> int:
        """Take in what `export` wrote; returns how many records it held."""
        try:
            data = json.loads(text)
            if data["format"] != EXPORT_FORMAT:
                raise ValueError(f"its format is '{data['format']}'")
            records = [record_from_json(entry) for entry in data["records"]]
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"this is not an export of results: {error}",
                remedy=f"expected JSON of format '{EXPORT_FORMAT}'",
            ) from error
        for record in records:
            self.record(record)
            if record.final is not None:
                self.record_final(record, record.final)
        return len(records)

    def _prepare(self) -> None:
        """Check that the file is ours, or make it so."""
        try:
            with self._writing() as connection:
                ours = connection.execute("PRAGMA application_id").fetchone()[0]
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                tables = connection.execute(
                    "SELECT count(*) FROM sqlite_master"
                ).fetchone()[0]
                if ours == 0 and version == 0 and tables == 0:
                    create(connection)
                    ours, version = APPLICATION_ID, SCHEMA_VERSION
                if ours == APPLICATION_ID and version < SCHEMA_VERSION:
                    upgrade(connection, version)
        except sqlite3.DatabaseError as error:
            raise self._not_ours(str(error)) from error
        if ours != APPLICATION_ID:
            raise self._not_ours("it is a database of another program")
        if version > SCHEMA_VERSION:
            raise UserError(
                f"the results file {self.path} has schema {version}, this tilewright"
                f" knows {SCHEMA_VERSION}",
                remedy="upgrade tilewright, or name another file",
            )
        self._use_write_ahead_log()

    def _use_write_ahead_log(self) -> None:
        # Readers then never wait for writers. Two processes that open a new file at
        # once may collide here, which SQLite reports without waiting; and where the
        # file system cannot do it, the default mode is slower but as safe.
        for _ in range(50):
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                return
            except sqlite3.OperationalError:
                time.sleep(0.02)

    def _not_ours(self, why: str) -> UserError:
        return UserError(
            f"{self.path} is not a tilewright results file: {why}",
            remedy="name another file",
        )

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, with the write lock taken at its start."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _select(self, query: str, values: Sequence[Any]) -> list[sqlite3.Row]:
        with self._lock:
            return self._connection.execute(query, tuple(values)).fetchall()

    def _first(self, where: str, values: Sequence[Any]) -> Record | None:
        rows = self._select(f"SELECT * FROM measurements WHERE {where} LIMIT 1", values)
        return _record_of(rows[0]) if rows else None


def _filter(**wanted: str | None) -> tuple[str, list[str]]:
    given = {name: value for name, value in wanted.items() if value is not None}
    where = " AND ".join(f"{name} = ?" for name in given) or "1"
    return where, list(given.values())


def _version_values(versions: Versions) -> tuple[str, str, str]:
    return versions.torch, versions.triton, versions.tilewright


def _setting_values(setting: Setting) -> tuple[str, ...]:
    return (
        setting.payload,
        setting.schedule,
        setting.device,
        setting.sizes,
        *_version_values(setting.versions),
    )


def _row_of(record: Record) -> dict[str, Any]:
    setting, final = record.setting, record.final
    return {
        "payload": setting.payload,
        "schedule": setting.schedule,
        "device": setting.device,
        **asdict(setting.versions),
        "sizes": setting.sizes,
        "point": canonical(record.point),
        "program": record.program,
        "outcome": record.outcome,
        "measured": int(record.measured),
        "p20": record.p20,
        "p50": record.p50,
        "p80": record.p80,
        "each_p50": json.dumps(record.each),
        "repetitions": record.repetitions,
        "error": record.error,
        "stats": json.dumps([asdict(stats) for stats in record.stats]),
        "seconds": json.dumps(record.seconds),
        "final_median": None if final is None else final.median,
        "final_low": None if final is None else final.low,
        "final_high": None if final is None else final.high,
        "created": record.created,
    }


def _record_of(row: sqlite3.Row) -> Record:
    final = None
    if row["final_median"] is not None:
        final = {
            "median": row["final_median"],
            "low": row["final_low"],
            "high": row["final_high"],
        }
    plain = ("program", "outcome", "p20", "p50", "p80", "repetitions", "error")
    return record_from_json(
        {
            **{name: row[name] for name in (*plain, "created")},
            "setting": {
                "payload": row["payload"],
                "schedule": row["schedule"],
                "device": row["device"],
                "versions": {
                    "torch": row["torch"],
                    "triton": row["triton"],
                    "tilewright": row["tilewright"],
                    "sources": row["sources"],
                },
                "sizes": row["sizes"],
            },
            "point": json.loads(row["point"]),
            "each": json.loads(row["each_p50"]),
            "measured": bool(row["measured"]),
            "stats": json.loads(row["stats"]),
            "seconds": json.loads(row["seconds"]),
            "final": final,
        }
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
