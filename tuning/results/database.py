"""The results file: the records of all trials, in SQLite.

Each record is committed on its own, so an interrupt loses nothing, and several
processes may write at the same time. A tuning run starts from it: a program that is
recorded for the same device and versions is not measured again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tilewright.tuning.results.record_queries import (
    CLOSED,
    PLACE,
    RecordQueries,
    matching,
    place_values,
)
from tilewright.tuning.results.records import Final, Record
from tilewright.tuning.results.rows import row_of
from tilewright.tuning.space.choices import canonical


class Database(RecordQueries):
    """The records of a results file, to read and to write."""

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
        values = (*place_values(record.setting), record.program)
        if record.closed:
            found = connection.execute(
                f"SELECT id FROM measurements WHERE {PLACE} AND program = ?"
                f" AND {CLOSED}",
                (*values, record.closed),
            ).fetchall()
            if found:
                return found
        # Records of older versions have no closed schedule; they get one now.
        return connection.execute(
            f"SELECT id FROM measurements WHERE {PLACE} AND program = ?"
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
                f"SELECT id FROM measurements WHERE {PLACE} AND program = ?"
                " ORDER BY id DESC LIMIT 1",
                (*place_values(record.setting), record.program),
            ).fetchall()
        return found[0]["id"] if found else None

    def _verdict(self, connection: sqlite3.Connection, record: Record) -> int | None:
        """The row of this trial, with any program, that is not a chance failure."""
        found = connection.execute(
            f"SELECT id FROM measurements WHERE {PLACE} AND cause = 'candidate'"
            f" AND (({CLOSED}) OR (schedule = ? AND point = ?))"
            " ORDER BY id DESC LIMIT 1",
            (
                *place_values(record.setting),
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
            f" final_high = ?, each_p50 = ? WHERE {PLACE} AND program = ?",
            (
                final.median,
                final.low,
                final.high,
                json.dumps(each or record.each),
                *place_values(record.setting),
                record.program,
            ),
        )

    def record_features(self, record: Record, features: dict[str, float]) -> None:
        """Replace the features of a program's records, of any schedule."""
        with self.writing() as connection:
            connection.execute(
                f"UPDATE measurements SET features = ? WHERE {PLACE} AND program = ?",
                (
                    json.dumps(features),
                    *place_values(record.setting),
                    record.program,
                ),
            )

    def delete(
        self,
        *,
        payload: str | None = None,
        schedule: str | None = None,
        device: str | None = None,
        outcome: str | None = None,
    ) -> int:
        """Delete records that match; returns their number."""
        where, values = matching(
            payload=payload, schedule=schedule, device=device, outcome=outcome
        )
        with self.writing() as connection:
            found = connection.execute(
                f"SELECT id FROM measurements WHERE {where}", values
            ).fetchall()
            self.erase(connection, [row["id"] for row in found])
        return len(found)


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
