"""The results file: the records of all trials, in SQLite.

Each record is committed on its own, so an interrupt loses nothing, and several
processes may write at the same time. A tuning run starts from it: a program that is
recorded for the same device and versions is not measured again.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.records import Final, Record, Setting, Versions
from tilewright.tuning.results.results_file import ResultsFile
from tilewright.tuning.results.rows import record_of, row_of
from tilewright.tuning.space.choices import Point, canonical

_VERSIONS = "torch = ? AND triton = ? AND tilewright = ?"
_PLACE = f"payload = ? AND device = ? AND sizes = ? AND {_VERSIONS}"
"""A payload on a device, whatever the schedule."""
_CLOSED = "closed = ? AND closed != ''"
"""The second term lets SQLite use the index of records with a closed schedule."""


class Database(ResultsFile):
    """The records of a results file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open a results file, or create it; see `ResultsFile`."""
        self.damaged: list[int] = []
        """Ids of the rows that cannot be read and are skipped."""
        super().__init__(path, read_only=read_only)

    def record(self, record: Record) -> Record:
        """Write a record at once; it replaces an older one of the same trial."""
        stamped = replace(record, created=now())
        with self.writing() as connection:
            self.put(connection, stamped)
        return stamped

    def put(
        self, connection: sqlite3.Connection, record: Record, *, renew: bool = True
    ) -> int:
        """Write a record in the caller's transaction; returns its number in the file.

        It replaces an older one of the same trial, unless `renew` is false.
        """
        if record.cause == "environment":
            verdict = self._verdict(connection, record)
            if verdict is not None:
                return verdict  # a chance failure does not replace a result
        found = self._same(connection, record)
        known = found[0]["id"] if found else None
        if known is not None and not renew:
            return known
        row = row_of(record)
        if known is None:
            names, marks = ", ".join(row), ", ".join("?" for _ in row)
            known = connection.execute(
                f"INSERT INTO measurements ({names}) VALUES ({marks})",
                tuple(row.values()),
            ).lastrowid
            assert known is not None
        else:
            changes = ", ".join(f"{name} = ?" for name in row)
            connection.execute(
                f"UPDATE measurements SET {changes} WHERE id = ?",
                (*row.values(), known),
            )
        if record.program:
            # The point did not apply earlier, and does now.
            for old in self._same(connection, replace(record, program="")):
                if old["id"] != known:
                    connection.execute(
                        "UPDATE trials SET measurement = ? WHERE measurement = ?",
                        (known, old["id"]),
                    )
                    self.erase(connection, [old["id"]])
        return known

    def _same(
        self, connection: sqlite3.Connection, record: Record
    ) -> list[sqlite3.Row]:
        """The rows of the same closed schedule, or point, that gave this program."""
        values = (*_place_values(record.setting), record.program)
        if record.closed:
            found = connection.execute(
                f"SELECT id FROM measurements WHERE {_PLACE} AND program = ?"
                f" AND {_CLOSED}",
                (*values, record.closed),
            ).fetchall()
            if found:
                return found
        # Records of older versions have no closed schedule; they get one now.
        return connection.execute(
            f"SELECT id FROM measurements WHERE {_PLACE} AND program = ?"
            " AND closed = '' AND schedule = ? AND point = ?",
            (*values, record.setting.schedule, canonical(record.point)),
        ).fetchall()

    def place_of(
        self,
        connection: sqlite3.Connection,
        record: Record,
        *,
        same_program: bool = True,
    ) -> int | None:
        """The number of a record in the file, or of another of the same program."""
        found = self._same(connection, record)
        if not found and record.program and same_program:
            found = connection.execute(
                f"SELECT id FROM measurements WHERE {_PLACE} AND program = ?"
                " ORDER BY id DESC LIMIT 1",
                (*_place_values(record.setting), record.program),
            ).fetchall()
        return found[0]["id"] if found else None

    def _verdict(self, connection: sqlite3.Connection, record: Record) -> int | None:
        """The row of this trial, with any program, that is not a chance failure."""
        found = connection.execute(
            f"SELECT id FROM measurements WHERE {_PLACE} AND cause = 'candidate'"
            f" AND (({_CLOSED}) OR (schedule = ? AND point = ?))"
            " ORDER BY id DESC LIMIT 1",
            (
                *_place_values(record.setting),
                record.closed,
                record.setting.schedule,
                canonical(record.point),
            ),
        ).fetchone()
        return None if found is None else found["id"]

    def erase(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
        """Delete records by their numbers, with their samples and trials.

        Runs without trials and texts that nothing refers to go with them.
        """
        for number in numbers:
            for table in ("samples", "trials"):
                connection.execute(
                    f"DELETE FROM {table} WHERE measurement = ?", (number,)
                )
            connection.execute("DELETE FROM measurements WHERE id = ?", (number,))
        connection.execute("DELETE FROM runs WHERE id NOT IN (SELECT run FROM trials)")
        connection.execute(
            "DELETE FROM texts WHERE hash NOT IN (SELECT payload FROM measurements"
            " UNION SELECT schedule FROM measurements UNION SELECT payload FROM runs"
            " UNION SELECT schedule FROM runs)"
        )

    def record_final(
        self, record: Record, final: Final, each: Sequence[float] = ()
    ) -> None:
        """Add the final round's timing to a program's records, of any schedule.

        `each` has the medians at every size, if the round timed them one by one.
        """
        with self.writing() as connection:
            self.put_final(connection, record, final, each)

    def put_final(
        self,
        connection: sqlite3.Connection,
        record: Record,
        final: Final,
        each: Sequence[float] = (),
    ) -> None:
        """The same in the caller's transaction."""
        connection.execute(
            "UPDATE measurements SET final_median = ?, final_low = ?,"
            f" final_high = ?, each_p50 = ? WHERE {_PLACE} AND program = ?",
            (
                final.median,
                final.low,
                final.high,
                json.dumps(each or record.each),
                *_place_values(record.setting),
                record.program,
            ),
        )

    def record_features(self, record: Record, features: dict[str, float]) -> None:
        """Replace the features of a program's records, of any schedule."""
        with self.writing() as connection:
            connection.execute(
                f"UPDATE measurements SET features = ? WHERE {_PLACE} AND program = ?",
                (
                    json.dumps(features),
                    *_place_values(record.setting),
                    record.program,
                ),
            )

    def lookup(
        self, program: str, device: str, versions: Versions, sizes: str = ""
    ) -> Record | None:
        """The latest result of a program, of any point and schedule.

        Failures that the environment caused do not count. Since the time of a program
        depends on its sizes, only results at `sizes` count.
        """
        return self._first(
            f"program = ? AND device = ? AND sizes = ? AND {_VERSIONS}"
            " AND cause = 'candidate' ORDER BY id DESC",
            (program, device, sizes, *_version_values(versions)),
        )

    def lookup_point(
        self, setting: Setting, point: Point, closed: str = ""
    ) -> Record | None:
        """The latest result of a point with this very version of the compiler.

        The schedule that `closed` identifies may have other choices now, as long as
        this point of it closes to the same. Another version of the compiler may build a
        different program from the point: build it again, and look the program up.
        """
        values = (*_place_values(setting), setting.versions.sources)
        # `+id`: else SQLite reads all rows of the payload, to have them in order.
        last = "AND sources = ? AND cause = 'candidate'"
        if closed:
            found = self._first(
                f"{_PLACE} {last} AND {_CLOSED} ORDER BY +id DESC", (*values, closed)
            )
            if found is not None:
                return found
        return self._first(
            f"{_PLACE} {last} AND schedule = ? AND point = ? ORDER BY id DESC",
            (*values, setting.schedule, canonical(point)),
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
        """The fastest correct record; those of a final round come before all others."""
        found = self.ranked(payload, schedule, device, measured=measured, sizes=sizes)
        return found[0] if found else None

    def ranked(
        self,
        payload: str,
        schedule: str | None = None,
        device: str | None = None,
        *,
        measured: bool = True,
        sizes: str = "",
    ) -> list[Record]:
        """The correct records, those of final rounds first, then by time."""
        found = self.list(
            payload=payload,
            schedule=schedule,
            device=device,
            outcome="ok",
            sizes=sizes,
        )
        timed = [
            record
            for record in found
            if record.measured is measured and record.milliseconds is not None
        ]
        return sorted(
            timed, key=lambda record: (record.final is None, record.milliseconds)
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
        query = f"SELECT * FROM measurements WHERE {where} ORDER BY id"
        return self._records(self.select(query, values))

    def learnable(
        self, setting: Setting, *, measured: bool, limit: int
    ) -> list[Record]:
        """Correct records with features, the most useful ones for a setting first.

        These are its own, then those of its family, then those of its device; of equal
        use, the latest.
        """
        query = (
            "SELECT * FROM measurements WHERE outcome = 'ok' AND measured = ?"
            " AND features != '{}' ORDER BY (payload = ? AND schedule = ?"
            " AND sizes = ? AND device = ?) DESC, (family = ? AND family != '') DESC,"
            " (device = ?) DESC, id DESC LIMIT ?"
        )
        values = (
            int(measured),
            setting.payload,
            setting.schedule,
            setting.sizes,
            setting.device,
            setting.family,
            setting.device,
            limit,
        )
        return self._records(self.select(query, values))

    def salvage(self) -> list[tuple[int, Record]]:
        """All records that can be read, even from a file with broken pages.

        With each comes its number in the file.
        """
        found: dict[int, sqlite3.Row] = {}
        for order in ("id", "id DESC"):
            # Read from both ends, up to the broken page.
            with contextlib.suppress(sqlite3.DatabaseError), self._lock:
                for row in self._connection.execute(
                    f"SELECT * FROM measurements ORDER BY {order}"
                ):
                    found[row["id"]] = row
        return [
            (number, record)
            for number in sorted(found)
            for record in self._records([found[number]])
        ]

    def delete(
        self,
        *,
        payload: str | None = None,
        schedule: str | None = None,
        device: str | None = None,
        outcome: str | None = None,
    ) -> int:
        """Delete records that match; returns their number."""
        where, values = _filter(
            payload=payload, schedule=schedule, device=device, outcome=outcome
        )
        with self.writing() as connection:
            found = connection.execute(
                f"SELECT id FROM measurements WHERE {where}", values
            ).fetchall()
            self.erase(connection, [row["id"] for row in found])
        return len(found)

    def read(
        self, query: str, values: Sequence[Any]
    ) -> list[tuple[sqlite3.Row, Record]]:
        """The rows of a query for `measurements`, and their records.

        Rows that cannot be read are left out; their numbers are noted.
        """
        found: list[tuple[sqlite3.Row, Record]] = []
        for row in self.select(query, values):
            found += [(row, record) for record in self._records([row])]
        return found

    def _first(self, where: str, values: Sequence[Any]) -> Record | None:
        query = f"SELECT * FROM measurements WHERE {where} LIMIT 8"
        return next(iter(self._records(self.select(query, values))), None)

    def _records(self, rows: Sequence[sqlite3.Row]) -> list[Record]:
        """The records of the rows that can be read; notes the ids of the others."""
        found: list[Record] = []
        for row in rows:
            try:
                found.append(record_of(row))
            except BadRow:
                if row["id"] not in self.damaged:
                    self.damaged.append(row["id"])
        return found


def _filter(**wanted: str | None) -> tuple[str, list[str]]:
    given = {name: value for name, value in wanted.items() if value is not None}
    where = " AND ".join(f"{name} = ?" for name in given) or "1"
    return where, list(given.values())


def _version_values(versions: Versions) -> tuple[str, str, str]:
    return versions.torch, versions.triton, versions.tilewright


def _place_values(setting: Setting) -> tuple[str, ...]:
    return (
        setting.payload,
        setting.device,
        setting.sizes,
        *_version_values(setting.versions),
    )


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
