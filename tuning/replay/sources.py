"""Reads whatever can be replayed: recorded spaces, results files, tuning costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.ir.errors import UserError
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace
from tilewright.tuning.replay.recording import recorded_space
from tilewright.tuning.replay.tuning_cost import SUFFIXES as TUNING_COST
from tilewright.tuning.replay.tuning_cost import TuningCost
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import (
    read_runs,
    read_samples,
    read_text,
    read_trials,
)

if TYPE_CHECKING:
    from tilewright.tuning.results.records import Record
    from tilewright.tuning.results.runs import Run

_SQLITE = b"SQLite format 3\0"


def read_recordings(path: Path) -> list[RecordedSpace]:
    """The recordings of a file, or those of all recorded spaces of a folder."""
    if path.is_dir():
        files = sorted(path.glob(f"*{SUFFIX}"))
        if not files:
            raise UserError(
                f"{path}: no recorded space in this folder",
                remedy=f"name a folder that has files NAME{SUFFIX}",
            )
        return [RecordedSpace.load(file) for file in files]
    try:
        with path.open("rb") as file:
            begin = file.read(len(_SQLITE))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if begin == _SQLITE:
        return _of_results(path)
    if path.name.endswith(TUNING_COST):
        return TuningCost.load(path).spaces()
    return [RecordedSpace.load(path)]


def _of_results(path: Path) -> list[RecordedSpace]:
    """A recording for each payload, schedule, device and size of a results file."""
    with Database(path, read_only=True) as database:
        groups: dict[tuple[str, ...], list[Run]] = {}
        runs = read_runs(database)
        # Estimates are replayed only where nothing was measured: both in one table
        # would mix two kinds of times.
        measured = [run for run in runs if run.measured]
        for run in measured or runs:
            one = run.setting
            key = (one.payload, one.schedule, one.device, one.sizes)
            groups.setdefault(key, []).append(run)
        if not groups:
            raise UserError(
                f"{path}: no results", remedy="tilewright tune PAYLOAD --db FILE"
            )
        found = [_of_runs(database, runs) for runs in groups.values()]
    if not any(found):
        raise UserError(
            f"{path}: the schedules of these results are not in the file",
            remedy="tune once more with this version, which keeps them",
        )
    return [one for one in found if one is not None]


def _of_runs(database: Database, runs: Sequence[Run]) -> RecordedSpace | None:
    """The runs of one setting; None where the file does not have their schedule."""
    setting = runs[-1].setting
    schedule = read_text(database, setting.schedule)
    if schedule is None:
        return None
    records: list[Record] = []
    for run in runs:
        for trial in read_trials(database, run):
            records.append(replace(trial.record, point=trial.point))
    payload = read_text(database, setting.payload) or ""
    names = filter(None, (setting.payload_name, setting.schedule_name, setting.sizes))
    return recorded_space(
        ", ".join(names) or setting.payload[:8],
        payload,
        schedule,
        records,
        lambda record: launches_of(database, record),
    )


def launches_of(database: Database, record: Record) -> list[float]:
    """The milliseconds of every launch of a record; none where it has several sizes."""
    timings = read_samples(database, record)
    if len({timing.size for timing in timings}) != 1:
        return []
    return [ms for timing in timings for ms in timing.milliseconds]
