"""Deleting results: those of some runs, failed ones, losers, and those of old versions.

What to delete is found first, so that a command can say it and ask.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_trials
from tilewright.tuning.results.records import Record, Versions
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.selection import subject_of


@dataclass(frozen=True)
class Unwanted:
    """What to prune; the fastest record that is left of a subject always stays."""

    failed: bool = False
    """Trials that failed."""
    losers: int | None = None
    """Correct trials beyond this many of the fastest of each subject."""
    other_versions: Versions | None = None
    """Trials with other versions of torch, Triton or tilewright than these."""
    before: str = ""
    """Trials recorded before this time, UTC, ISO 8601."""


@dataclass(frozen=True)
class Found:
    """Results to delete: their numbers in the file, by the reason."""

    reasons: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

    @property
    def places(self) -> set[int]:
        """The numbers of all of them."""
        return {place for found in self.reasons.values() for place in found}


def find_unwanted(database: Database, runs: Sequence[Run], unwanted: Unwanted) -> Found:
    """The results of some runs that are not wanted any more."""
    trials: dict[object, dict[int, Record]] = defaultdict(dict)
    for run in runs:
        for trial in read_trials(database, run):
            trials[subject_of(run)][trial.place] = trial.record
    reasons: dict[str, set[int]] = defaultdict(set)
    for records in trials.values():
        best = _ranked(records)[:1]
        left = dict(records)
        for reason, places in _reasons(records, unwanted):
            reasons[reason] |= set(places)
            left = {p: record for p, record in left.items() if p not in places}
        if unwanted.losers is not None:
            losers = _ranked(left)[max(unwanted.losers, 1) :]
            reasons[f"not among the {unwanted.losers} fastest"] |= set(losers)
        if not _ranked(left):
            for places in reasons.values():
                places -= set(best)
    return Found({reason: places for reason, places in reasons.items() if places})


def find_runs_results(database: Database, runs: Sequence[Run]) -> Found:
    """The results of some runs that no other run has."""
    own: set[int] = set()
    for run in runs:
        own |= {trial.place for trial in read_trials(database, run)}
    if not database.has_runs:
        return Found({"of these runs": own})
    numbers = {run.number for run in runs if run.is_recorded}
    rows = database.select("SELECT run, measurement FROM trials", ())
    others = {row["measurement"] for row in rows if row["run"] not in numbers}
    return Found({"of these runs": own - others})


def delete_found(database: Database, found: Found, runs: Sequence[Run] = ()) -> None:
    """Delete results and whole runs, in one transaction, and make the file smaller."""
    with database.writing() as connection:
        for run in runs:
            if run.is_recorded:
                connection.execute("DELETE FROM trials WHERE run = ?", (run.number,))
        database.erase(connection, sorted(found.places))
    shrink(database)


def shrink(database: Database) -> None:
    """Give free pages back to the disk, unless another process uses the file."""
    with contextlib.suppress(sqlite3.OperationalError):
        database.vacuum()


def _ranked(records: dict[int, Record]) -> list[int]:
    """The numbers of correct records, fastest first, those of final rounds before."""
    timed = [
        (record.final is None, record.milliseconds, place)
        for place, record in records.items()
        if record.outcome == "ok" and record.milliseconds is not None
    ]
    return [place for _, _, place in sorted(timed)]


def _reasons(
    records: dict[int, Record], unwanted: Unwanted
) -> Iterable[tuple[str, Sequence[int]]]:
    if unwanted.failed:
        yield "failed", [p for p, record in records.items() if record.outcome != "ok"]
    if (versions := unwanted.other_versions) is not None:
        others = [
            place
            for place, record in records.items()
            if _packages(record.setting.versions) != _packages(versions)
        ]
        yield "of other versions", others
    if unwanted.before:
        old = [p for p, r in records.items() if r.created < unwanted.before]
        yield f"from before {unwanted.before[:10]}", old


def _packages(versions: Versions) -> tuple[str, str, str]:
    return versions.torch, versions.triton, versions.tilewright
