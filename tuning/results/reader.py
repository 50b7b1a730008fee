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
from collections.abc import Iterable
from typing import Any

from tilewright.tuning.results import checked_values as checked
from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record, text_hash
from tilewright.tuning.results.rows import setting_of
from tilewright.tuning.results.runs import Run, RunTrial, Samples, unpacked

_ENDINGS = ("", "finished", "interrupted", "failed")
_ORIGINS = ("new", "database", "duplicate")
_KINDS = ("trial", "final")

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
    runs = _runs_of(_loose_records(database))
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
    records = [
        record
        for record in _loose_records(database)
        if record.setting == run.setting and record.measured is run.measured
    ]
    return [
        RunTrial(number, record.point, record, "new")
        for number, record in enumerate(records, 1)
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
    found: list[Samples] = []
    for row in database.select(_SAMPLES, values):
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


def _loose_records(database: Database) -> list[Record]:
    """The records that belong to no run."""
    where = _OF_NO_RUN if database.has_runs else "1"
    query = f"SELECT * FROM measurements WHERE {where} ORDER BY id"
    return [record for _, record in database.read(query, ())]


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
    return Run(
        checked.whole_number(row["id"]),
        setting_of(row),
        bool(checked.whole_number(row["measured"])),
        checked.plain_text(row["strategy"], "the strategy"),
        checked.whole_number(row["seed"]),
        checked.plain_text(row["command"], "the command"),
        checked.plain_text(row["started"], "the start"),
        checked.one_of(row["ending"], _ENDINGS),
        checked.optional_time(row["wall_seconds"]),
        {
            checked.plain_text(stage, "a stage"): checked.a_number(value)
            for stage, value in checked.table(spent, "seconds").items()
        },
    )


def _trial_of(row: sqlite3.Row, record: Record) -> RunTrial | None:
    try:
        point: Any = json.loads(row["trial_point"])
        return RunTrial(
            checked.whole_number(row["trial_number"]),
            {
                checked.plain_text(name, "a choice"): checked.choice_value(value)
                for name, value in checked.table(point, "point").items()
            },
            record,
            checked.one_of(row["origin"], _ORIGINS),
            checked.optional_time(row["at_seconds"]),
            checked.optional_time(row["estimate"]),
        )
    except (ValueError, TypeError, RecursionError):
        return None


def _samples_of(row: sqlite3.Row) -> Samples:
    return Samples(
        checked.one_of(row["kind"], _KINDS),
        checked.whole_number(row["size"]),
        unpacked(row["milliseconds"]),
        checked.whole_number(row["run"]),
        checked.plain_text(row["created"], "the time"),
    )
