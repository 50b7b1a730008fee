"""A results file as JSON, to keep, to move and to merge into another one.

An export has the records with every sample, the runs with their trials, and the texts
of payloads and schedules. Importing one twice changes nothing the second time; of two
records of the same trial the newer one stays, and the samples of both.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from tilewright.ir.errors import UserError
from tilewright.tuning.results import checked_values as checked
from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.database import Database, now
from tilewright.tuning.results.reader import (
    read_runs,
    read_samples_at,
    read_text,
    read_trials,
)
from tilewright.tuning.results.records import Record, text_hash
from tilewright.tuning.results.rows import record_from_json, setting_from_json
from tilewright.tuning.results.run_log import add_samples, insert_run
from tilewright.tuning.results.runs import (
    Run,
    RunTrial,
    Samples,
    packed,
    run_from_data,
    samples_from_data,
    trial_from_data,
)

T = TypeVar("T")

EXPORT_FORMAT = "tilewright-results-2"
OLDER_FORMAT = "tilewright-results-1"
"""Had records alone, without samples."""


@dataclass(frozen=True)
class Imported:
    """What an import has added."""

    records: int
    """Records of the export; some may have been there before."""
    runs: int
    samples: int


def export_json(database: Database, runs: Sequence[Run] | None = None) -> str:
    """The records of some runs, or all that can be read, as JSON text.

    Of a file with broken pages, the rest is exported.
    """
    chosen = _readable(lambda: read_runs(database), []) if runs is None else runs
    trials = [
        (run, _readable(partial(read_trials, database, run), [])) for run in chosen
    ]
    places: dict[int, Record] = {}
    if runs is None:
        places = dict(database.salvage())
    for _, tried in trials:
        places.update({trial.place: trial.record for trial in tried})
    order = {place: index for index, place in enumerate(places)}
    hashes = dict.fromkeys(
        key
        for record in places.values()
        for key in (record.setting.payload, record.setting.schedule)
    )
    texts = {key: _readable(partial(read_text, database, key), None) for key in hashes}

    def samples_at(place: int) -> list[Samples]:
        return _readable(partial(read_samples_at, database, place), [])

    data = {
        "format": EXPORT_FORMAT,
        "records": [
            {
                **record.as_json(),
                "samples": [asdict(one) for one in samples_at(place)],
            }
            for place, record in places.items()
        ],
        "runs": [
            {**asdict(run), "trials": [_trial_data(one, order) for one in tried]}
            for run, tried in trials
            if run.is_recorded
        ],
        "texts": {key: text for key, text in texts.items() if text is not None},
    }
    return _text(data)


def _text(data: dict[str, Any]) -> str:
    """The document with a line for each entry of a list: readable, and quick."""
    parts: list[str] = []
    for name, value in data.items():
        if isinstance(value, list):
            entries = ",\n".join(map(json.dumps, value))
            written = f"[\n{entries}\n]" if entries else "[]"
        else:
            written = json.dumps(value)
        parts.append(f"{json.dumps(name)}: {written}")
    return "{\n" + ",\n".join(parts) + "\n}"


def import_json(database: Database, text: str) -> Imported:
    """Add an export to a results file, in one transaction."""
    try:
        data = json.loads(text)
        if data["format"] not in (EXPORT_FORMAT, OLDER_FORMAT):
            raise ValueError(f"its format is '{data['format']}'")
        entries = checked.items(data["records"], "records")
        records = [record_from_json(entry) for entry in entries]
        samples = [_samples_in(entry) for entry in entries]
        runs = [
            _run_in(entry, records)
            for entry in checked.items(data.get("runs", []), "runs")
        ]
        texts = _texts_in(data.get("texts", {}))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            f"this is not an export of results: {error}",
            remedy=f"expected JSON of format '{EXPORT_FORMAT}'",
        ) from error
    with database.writing() as connection:
        places = [_merge(database, connection, record) for record in records]
        numbers: dict[int, int] = {}
        added = 0
        for run, trials in runs:
            known = _known_run(connection, run, trials)
            if known is None:
                known = insert_run(connection, run)
                added += 1
                for trial in trials:
                    _add_trial(connection, known, places[trial.place], trial)
            numbers[run.number] = known
        taken = 0
        for place, each in zip(places, samples, strict=True):
            for one in each:
                taken += _add_samples(connection, place, numbers.get(one.run, 0), one)
        for key, content in texts.items():
            connection.execute(
                "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)",
                (key, zlib.compress(content.encode())),
            )
    return Imported(len(records), added, taken)


def _readable(read: Callable[[], T], otherwise: T) -> T:
    """What can be read; `otherwise` where a page of the file is broken."""
    try:
        return read()
    except UserError:
        return otherwise


def _trial_data(trial: RunTrial, order: dict[int, int]) -> dict[str, Any]:
    return {
        "number": trial.number,
        "record": order[trial.place],
        "point": dict(trial.point),
        "origin": trial.origin,
        "at_seconds": trial.at_seconds,
        "estimate": trial.estimate,
    }


def _samples_in(entry: Any) -> list[Samples]:
    found: list[Samples] = []
    for data in checked.items(entry.get("samples", []), "samples"):
        table = checked.table(data, "samples")
        times = checked.items(table.get("milliseconds"), "milliseconds")
        found.append(samples_from_data(table, tuple(map(checked.a_number, times))))
    return found


def _run_in(data: Any, records: Sequence[Record]) -> tuple[Run, list[RunTrial]]:
    """A run, and its trials; the place of each is that of its record in the export."""
    table = checked.table(data, "a run")
    run = run_from_data(table, setting_from_json(table.get("setting")))
    trials: list[RunTrial] = []
    for entry in checked.items(table.get("trials"), "trials"):
        trial = checked.table(entry, "a trial")
        place = checked.whole_number(trial.get("record"))
        if not 0 <= place < len(records):
            raise BadRow(f"a trial has the record {place} of {len(records)}")
        trials.append(trial_from_data(trial, records[place], place))
    return run, trials


def _texts_in(data: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, text in checked.table(data, "texts").items():
        content = checked.plain_text(text, "a text")
        if text_hash(content) != key:
            raise BadRow(f"the text of '{key}' has another hash")
        found[key] = content
    return found


def _merge(database: Database, connection: sqlite3.Connection, record: Record) -> int:
    """Write a record unless the file has a newer one of the same trial."""
    place = database.place_of(connection, record, same_program=False)
    if place is not None:
        row = connection.execute(
            "SELECT created FROM measurements WHERE id = ?", (place,)
        ).fetchone()
        if row["created"] >= record.created:
            return place
    return database.put(connection, replace(record, created=record.created or now()))


def _known_run(
    connection: sqlite3.Connection, run: Run, trials: Sequence[RunTrial]
) -> int | None:
    """The number of the same run in the file, if it is there.

    Two runs may start in the same second; their trials do not end at the same moments.
    """
    setting = run.setting
    found = connection.execute(
        "SELECT id FROM runs WHERE started = ? AND payload = ? AND schedule = ?"
        " AND device = ? AND sizes = ? AND strategy = ? AND seed = ?",
        (
            *(run.started, setting.payload, setting.schedule, setting.device),
            *(setting.sizes, run.strategy, run.seed),
        ),
    ).fetchall()
    ends = {(trial.number, trial.at_seconds) for trial in trials}
    for row in found:
        there = connection.execute(
            "SELECT number, at_seconds FROM trials WHERE run = ?", (row["id"],)
        ).fetchall()
        if ends & {(one["number"], one["at_seconds"]) for one in there}:
            return row["id"]
    return None


def _add_trial(
    connection: sqlite3.Connection, run: int, place: int, trial: RunTrial
) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO trials"
        " (run, number, measurement, point, origin, at_seconds, estimate)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            *(run, trial.number, place, json.dumps(dict(trial.point))),
            *(trial.origin, trial.at_seconds, trial.estimate),
        ),
    )


def _add_samples(
    connection: sqlite3.Connection, place: int, run: int, samples: Samples
) -> bool:
    """Write samples that the file does not have; whether it did not."""
    found = connection.execute(
        "SELECT 1 FROM samples WHERE measurement = ? AND kind = ? AND size = ?"
        " AND created = ? AND milliseconds = ?",
        (
            *(place, samples.kind, samples.size, samples.created),
            packed(samples.milliseconds),
        ),
    ).fetchone()
    if found is None:
        add_samples(
            *(connection, place, run, samples.kind, samples.size),
            *(samples.milliseconds, samples.created),
        )
    return found is None
