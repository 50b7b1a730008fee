"""The log of a tuning run: every trial is committed to the results file when it ends.

A record, its samples and the trial of the run are one transaction. A process that is
killed loses none that was committed, and leaves no half.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tilewright.tuning.results.database import Database, now
from tilewright.tuning.results.runs import (
    ALL_SIZES,
    Ending,
    Run,
    SampleKind,
    packed,
)

if TYPE_CHECKING:
    from tilewright.tuning.results.records import Final, Record
    from tilewright.tuning.results.tuning_result import Origin
    from tilewright.tuning.space.choices import Point

_LARGEST_TEXT = 16 << 20
"""Bytes of a payload or a schedule that is not kept: it has constants in its text."""


class RunLog:
    """Writes the trials of one run; the run is in the file from its first trial on."""

    def __init__(
        self,
        database: Database,
        run: Run,
        start: float | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """`start` is the beginning of the run, by `time.perf_counter`.

        `texts` are those of the payload and the schedule, by their hashes.
        """
        self.database = database
        self._start = time.perf_counter() if start is None else start
        began = datetime.now(UTC) - timedelta(seconds=time.perf_counter() - self._start)
        started = run.started or began.isoformat(timespec="seconds")
        self._run = replace(run, started=started)
        self._texts = texts or {}
        self._number: int | None = None

    def record(
        self,
        record: Record,
        number: int,
        origin: Origin,
        estimate: float | None = None,
        samples: Sequence[Sequence[float]] = (),
    ) -> Record:
        """Write a trial, its record and its samples, one list for each size.

        A duplicate of a recorded trial leaves that record as it is.
        """
        stamped = replace(record, created=now())
        with self.database.writing() as connection:
            run = self._begun(connection)
            place = self.database.put(connection, stamped, renew=origin == "new")
            self._add_trial(connection, run, number, place, record, origin, estimate)
            for size, taken in enumerate(samples):
                add_samples(connection, place, run, "trial", size, taken)
        return stamped

    def answered(
        self,
        record: Record,
        number: int,
        point: Point,
        origin: Origin = "database",
    ) -> None:
        """Write that the file has answered a trial."""
        with self.database.writing() as connection:
            place = self.database.place_of(connection, record)
            if place is not None:
                run = self._begun(connection)
                found = replace(record, point=point)
                self._add_trial(connection, run, number, place, found, origin)

    def record_final(
        self,
        record: Record,
        final: Final,
        each: Sequence[float] = (),
        samples: Sequence[float] = (),
    ) -> None:
        """Add the timing of the final round to a record."""
        with self.database.writing() as connection:
            self.database.put_final(connection, record, final, each)
            place = self.database.place_of(connection, record)
            if place is not None and samples:
                run = self._begun(connection)
                size = ALL_SIZES if len(record.each) > 1 else 0
                add_samples(connection, place, run, "final", size, samples)

    def end(
        self, ending: Ending, wall_seconds: float, seconds: Mapping[str, float]
    ) -> None:
        """Write how the run ended, and where its time went."""
        if self._number is None:
            return
        with self.database.writing() as connection:
            connection.execute(
                "UPDATE runs SET ending = ?, wall_seconds = ?, seconds = ?"
                " WHERE id = ?",
                (ending, wall_seconds, json.dumps(dict(seconds)), self._number),
            )

    @property
    def number(self) -> int | None:
        """The run's number in the file; None as long as it has no trial."""
        return self._number

    def _begun(self, connection: sqlite3.Connection) -> int:
        """The run's number; `results clear` may have deleted it meanwhile."""
        known = None
        if self._number is not None:
            known = connection.execute(
                "SELECT 1 FROM runs WHERE id = ?", (self._number,)
            ).fetchone()
        if self._number is None or known is None:
            self._number = insert_run(connection, self._run)
            for key, text in self._texts.items():
                if len(text) <= _LARGEST_TEXT:
                    connection.execute(
                        "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)",
                        (key, zlib.compress(text.encode(errors="backslashreplace"))),
                    )
        return self._number

    def _add_trial(
        self,
        connection: sqlite3.Connection,
        run: int,
        number: int,
        place: int,
        record: Record,
        origin: Origin,
        estimate: float | None = None,
    ) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO trials"
            " (run, number, measurement, point, origin, at_seconds, estimate)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                run,
                number,
                place,
                json.dumps(dict(record.point)),
                origin,
                time.perf_counter() - self._start,
                estimate,
            ),
        )


def add_samples(
    connection: sqlite3.Connection,
    place: int,
    run: int,
    kind: SampleKind,
    size: int,
    taken: Sequence[float],
    created: str = "",
) -> None:
    """Write the samples of one timing of a record."""
    if taken:
        connection.execute(
            "INSERT INTO samples (measurement, run, kind, size, created, milliseconds)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (place, run, kind, size, created or now(), packed(tuple(taken))),
        )


def insert_run(connection: sqlite3.Connection, run: Run) -> int:
    """Write a run; returns its number."""
    setting = run.setting
    row = {
        "payload": setting.payload,
        "schedule": setting.schedule,
        "device": setting.device,
        **asdict(setting.versions),
        "sizes": setting.sizes,
        "payload_name": setting.payload_name,
        "schedule_name": setting.schedule_name,
        "family": setting.family,
        "extents": json.dumps(setting.extents),
        "measured": int(run.measured),
        "strategy": run.strategy,
        "seed": run.seed,
        "command": run.command,
        "started": run.started,
        "ending": run.ending,
        "wall_seconds": run.wall_seconds,
        "seconds": json.dumps(run.seconds),
    }
    plain = [
        value.encode(errors="backslashreplace").decode()
        if isinstance(value, str)
        else value
        for value in row.values()
    ]
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    number = connection.execute(
        f"INSERT INTO runs ({names}) VALUES ({marks})", plain
    ).lastrowid
    assert number is not None
    return number
