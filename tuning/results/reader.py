"""Reading a results file: its runs, their trials, every sample, and the texts.

    with Database(path, read_only=True) as database:
        for run in read_runs(database):
            for trial in read_trials(database, run):
                print(trial.number, trial.at_seconds, trial.milliseconds)
                read_samples(database, trial.record)

Results that belong to no run (imported ones, and those of older files) are one run for
each setting, with the number 0. Rows that cannot be read are left out, and counted in
`database.damaged`.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record, text_hash
from tilewright.tuning.results.rows import setting_of
from tilewright.tuning.results.runs import (
    Run,
    RunTrial,
    Samples,
    run_from_data,
    samples_from_data,
    trial_from_data,
    unpacked,
)

_OF_NO_RUN = "id NOT IN (SELECT measurement FROM trials)"

_TRIALS = """
SELECT measurements.*, trials.number AS trial_number, trials.point AS trial_point,
  trials.origin, trials.at_seconds, trials.estimate
FROM trials JOIN measurements ON measurements.id = trials.measurement
WHERE trials.run = ? ORDER BY trials.number
"""

_SAMPLES = """
SELECT samples.* FROM samples JOIN measurements
  ON measurements.id = samples.measurement
WHERE measurements.program = ? AND device = ? AND sizes = ? AND torch = ?
  AND triton = ? AND tilewright = ? ORDER BY samples.id
"""


def read_runs(database: Database) -> list[Run]:
    """The runs of a file, oldest first; results without a run come before them."""
    runs = _runs_of(record for _, record in _loose(database))
    if database.has_runs:
        for row in database.select("SELECT * FROM runs ORDER BY id", ()):
            try:
                runs.append(_run_of(row))
            except BadRow:
                continue
    return runs


def read_trials(database: Database, run: Run) -> list[RunTrial]:
    """The trials of a run, in the order in which points were proposed."""
    if run.is_recorded:
        found = [
            _trial_of(row, record)
            for row, record in database.read(_TRIALS, (run.number,))
        ]
        return [trial for trial in found if trial is not None]
    setting, versions = run.setting, run.setting.versions
    found = [
        (row["id"], record)
        for row, record in _loose(
            database,
            "payload = ? AND schedule = ? AND device = ? AND torch = ? AND triton = ?"
            " AND tilewright = ? AND sources = ?",
            (
                *(setting.payload, setting.schedule, setting.device, versions.torch),
                *(versions.triton, versions.tilewright, versions.sources),
            ),
        )
        if record.setting == setting and record.measured is run.measured
    ]
    return [
        RunTrial(number, record.point, record, "new", place=place)
        for number, (place, record) in enumerate(found, 1)
    ]


def read_samples(database: Database, record: Record) -> list[Samples]:
    """Every timing that was ever taken of a record's program here, oldest first.

    Points with the same program share its samples. Records of older versions have
    none.
    """
    if not database.has_runs or not record.program:
        return []
    setting = record.setting
    versions = setting.versions
    values = (
        *(record.program, setting.device, setting.sizes),
        *(versions.torch, versions.triton, versions.tilewright),
    )
    return _samples(database.select(_SAMPLES, values))


def read_samples_at(database: Database, place: int) -> list[Samples]:
    """Every timing of the record with a number in the file, oldest first."""
    if not database.has_runs:
        return []
    query = "SELECT * FROM samples WHERE measurement = ? ORDER BY id"
    return _samples(database.select(query, (place,)))


def _samples(rows: Iterable[sqlite3.Row]) -> list[Samples]:
    found: list[Samples] = []
    for row in rows:
        try:
            found.append(_samples_of(row))
        except (BadRow, TypeError, ValueError):
            continue
    return found


def read_text(database: Database, key: str) -> str | None:
    """The payload or the schedule, as MLIR, that a hash of a setting stands for.

    None where the file does not have it: older records, and very large payloads.
    """
    if not database.has_runs:
        return None
    rows = database.select("SELECT text FROM texts WHERE hash = ?", (key,))
    if not rows:
        return None
    try:
        text = _inflated(rows[0]["text"])
    except (zlib.error, ValueError, TypeError):
        return None
    return text if text_hash(text) == key else None


def _inflated(data: bytes) -> str:
    # A file from anywhere could hold a text that fills the memory.
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, 64 << 20)
    if unpacker.unconsumed_tail:
        raise ValueError("the text is too long")
    return text.decode()


def _loose(
    database: Database, condition: str = "1", values: Sequence[str] = ()
) -> list[tuple[sqlite3.Row, Record]]:
    """The records that belong to no run."""
    where = _OF_NO_RUN if database.has_runs else "1"
    query = f"SELECT * FROM measurements WHERE {where} AND {condition} ORDER BY id"
    return database.read(query, values)


def _runs_of(records: Iterable[Record]) -> list[Run]:
    runs: dict[Any, Run] = {}
    for record in records:
        run = Run(0, record.setting, record.measured, started=record.created)
        runs.setdefault((record.setting, record.measured), run)
    return list(runs.values())


def _run_of(row: sqlite3.Row) -> Run:
    try:
        spent: Any = json.loads(row["seconds"])
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRow(str(error)) from error
    data = {name: row[name] for name in row.keys()}  # noqa: SIM118
    given = {"number": row["id"], "measured": row["measured"] == 1, "seconds": spent}
    return run_from_data({**data, **given}, setting_of(row))


def _trial_of(row: sqlite3.Row, record: Record) -> RunTrial | None:
    try:
        point: Any = json.loads(row["trial_point"])
        data = {
            "number": row["trial_number"],
            "point": point,
            "origin": row["origin"],
            "at_seconds": row["at_seconds"],
            "estimate": row["estimate"],
        }
        return trial_from_data(data, record, row["id"])
    except (ValueError, TypeError, RecursionError):
        return None


def _samples_of(row: sqlite3.Row) -> Samples:
    data = {name: row[name] for name in ("kind", "size", "run", "created")}
    return samples_from_data(data, unpacked(row["milliseconds"]))
