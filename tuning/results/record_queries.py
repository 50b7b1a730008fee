"""The records of a results file, read: by program, by point, by time."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.records import Record, Setting, Versions
from tilewright.tuning.results.results_file import ResultsFile
from tilewright.tuning.results.rows import record_of
from tilewright.tuning.space.choices import Point, canonical

VERSIONS = "torch = ? AND triton = ? AND tilewright = ?"
"""The condition that versions are the same."""
PLACE = f"payload = ? AND device = ? AND sizes = ? AND {VERSIONS}"
"""A payload on a device, whatever the schedule."""
CLOSED = "closed = ? AND closed != ''"
"""The second term lets SQLite use the index of records with a closed schedule."""


class RecordQueries(ResultsFile):
    """Finds records of a results file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open a results file, or create it; see `ResultsFile`."""
        self.damaged: list[int] = []
        """Ids of the rows that cannot be read and are skipped."""
        super().__init__(path, read_only=read_only)

    def lookup(
        self, program: str, device: str, versions: Versions, sizes: str = ""
    ) -> Record | None:
        """The latest result of a program, of any point and schedule.

        Failures that the environment caused do not count. Since the time of a program
        depends on its sizes, only results at `sizes` count.
        """
        return self._first(
            f"program = ? AND device = ? AND sizes = ? AND {VERSIONS}"
            " AND cause = 'candidate' ORDER BY id DESC",
            (program, device, sizes, *version_values(versions)),
        )

    def lookup_point(
        self, setting: Setting, point: Point, closed: str = ""
    ) -> Record | None:
        """The latest result of a point with this very version of the compiler.

        The schedule that `closed` identifies may have other choices now, as long as
        this point of it closes to the same. Another version of the compiler may build a
        different program from the point: build it again, and look the program up.
        """
        values = (*place_values(setting), setting.versions.sources)
        # `+id`: else SQLite reads all rows of the payload, to have them in order.
        last = "AND sources = ? AND cause = 'candidate'"
        if closed:
            found = self._first(
                f"{PLACE} {last} AND {CLOSED} ORDER BY +id DESC", (*values, closed)
            )
            if found is not None:
                return found
        return self._first(
            f"{PLACE} {last} AND schedule = ? AND point = ? ORDER BY id DESC",
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
        where, values = matching(
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


def matching(**wanted: str | None) -> tuple[str, list[str]]:
    """The condition that columns have these values, and the values."""
    given = {name: value for name, value in wanted.items() if value is not None}
    where = " AND ".join(f"{name} = ?" for name in given) or "1"
    return where, list(given.values())


def version_values(versions: Versions) -> tuple[str, str, str]:
    """The values of `VERSIONS`."""
    return versions.torch, versions.triton, versions.tilewright


def place_values(setting: Setting) -> tuple[str, ...]:
    """The values of `PLACE`."""
    return (
        setting.payload,
        setting.device,
        setting.sizes,
        *version_values(setting.versions),
    )
