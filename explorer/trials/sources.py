"""Results files, exports and recorded spaces as runs whose trials are rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.explorer.trials.schedule_text import ScheduleText, schedule_text
from tilewright.ir.errors import UserError
from tilewright.tuning.explaining.readers import (
    ended_trials,
    log_of,
    recorded_log,
    recorded_order,
)
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs, read_samples_at, read_text
from tilewright.tuning.results.runs import Run, RunTrial, Samples
from tilewright.tuning.results.selection import (
    moment,
    payload_name,
    schedule_name,
    select_runs,
    sizes_name,
)
from tilewright.tuning.transfer.winners import open_known


@dataclass(frozen=True)
class Row:
    """A trial of a run: its log entry, and what only the file knows."""

    number: int
    """In the order in which points were proposed."""
    trial: LoggedTrial
    origin: str = "new"
    estimate: float | None = None
    stats: tuple[CompiledStats, ...] = ()
    final_interval: tuple[float, float] | None = None
    repetitions: int = 0
    place: int = 0
    """The number of the record in the file."""
    samples: tuple[float, ...] = ()
    """Those of a recorded space; a results file is asked by `place`."""


@dataclass(frozen=True)
class RunSource:
    """A run of a file, read when it is asked for."""

    key: str
    """Names the run in this file: `#3`; `0.1` for results that belong to no run."""
    about: Mapping[str, Any]
    """What the list of runs shows."""

    @cached_property
    def rows(self) -> list[Row]:
        """The trials in the order in which they ended."""
        raise NotImplementedError

    @cached_property
    def log(self) -> TuningLog:
        """The same trials as a log."""
        raise NotImplementedError

    @cached_property
    def payload(self) -> str | None:
        """The payload as MLIR, if the file has it."""
        raise NotImplementedError

    @cached_property
    def schedule(self) -> ScheduleText | None:
        """The schedule with its choices open, if the file has it."""
        raise NotImplementedError

    def samples(self, row: Row) -> list[Samples]:
        """Every timing of a trial."""
        raise NotImplementedError


@dataclass(frozen=True)
class _DatabaseRun(RunSource):
    database: Database = field(repr=False)
    run: Run = field(repr=False)

    @cached_property
    def _trials(self) -> list[RunTrial]:
        return ended_trials(self.database, self.run)

    @cached_property
    def rows(self) -> list[Row]:
        return [
            _row_of(trial, logged)
            for trial, logged in zip(self._trials, self.log.trials, strict=True)
        ]

    @cached_property
    def log(self) -> TuningLog:
        return log_of(self.database, self.run, self.database.path, self._trials)

    @cached_property
    def payload(self) -> str | None:
        return read_text(self.database, self.run.setting.payload)

    @cached_property
    def schedule(self) -> ScheduleText | None:
        setting = self.run.setting
        text = read_text(self.database, setting.schedule)
        return schedule_text(text, schedule_name(setting), setting.schedule, self.run)

    def samples(self, row: Row) -> list[Samples]:
        return read_samples_at(self.database, row.place)


def _row_of(trial: RunTrial, logged: LoggedTrial) -> Row:
    record = trial.record
    final = record.final
    return Row(
        trial.number,
        logged,
        trial.origin,
        trial.estimate,
        record.stats,
        None if final is None else (final.low, final.high),
        record.repetitions,
        trial.place,
    )


@dataclass(frozen=True)
class _RecordedRun(RunSource):
    recorded: RecordedSpace = field(repr=False)
    path: Path = field(repr=False)

    @cached_property
    def rows(self) -> list[Row]:
        points = self.recorded.points
        order, _ = recorded_order(self.recorded)
        return [
            Row(
                place + 1,
                logged,
                estimate=points[place].estimate,
                samples=points[place].samples,
            )
            for place, logged in zip(order, self.log.trials, strict=True)
        ]

    @cached_property
    def log(self) -> TuningLog:
        return replace(recorded_log(self.recorded), source=str(self.path))

    @cached_property
    def payload(self) -> str | None:
        return self.recorded.payload or None

    @cached_property
    def schedule(self) -> ScheduleText | None:
        return schedule_text(self.recorded.schedule or None, f"{self.recorded.name}.tw")

    def samples(self, row: Row) -> list[Samples]:
        taken = row.samples
        return [Samples("trial", 0, taken, 0, "")] if taken else []


def is_results_file(name: str) -> bool:
    """Whether a name is that of a results file, an export or a recorded space."""
    return name.endswith((".db", ".json", SUFFIX))


@contextmanager
def open_runs(path: Path) -> Iterator[list[RunSource]]:
    """The runs of a file, oldest first."""
    if not path.exists():
        raise UserError(
            f"no such file: {path}",
            remedy="name a results file of `tune`, its export, or a recorded space",
        )
    if path.name.endswith(SUFFIX):
        recorded = RecordedSpace.load(path)
        yield [_RecordedRun("#1", _about_recorded(recorded), recorded, path)]
        return
    with open_known(path) as database:
        loose = 0
        found: list[RunSource] = []
        for run in read_runs(database):
            loose += not run.is_recorded
            key = f"#{run.number}" if run.is_recorded else f"0.{loose}"
            found.append(_DatabaseRun(key, _about(run), database, run))
        yield found


def chosen_run(runs: Sequence[RunSource], words: Sequence[str]) -> int:
    """The position of the newest run that words name; raises where they name none."""
    stored = [one for one in runs if isinstance(one, _DatabaseRun)]
    if not stored:
        if words and runs:
            raise UserError(
                "a recorded space has one run", remedy=f"leave out '{' '.join(words)}'"
            )
        return 0
    chosen = select_runs([one.run for one in stored], words)
    newest = max(chosen, key=lambda run: (run.started, run.number))
    return next(i for i, one in enumerate(stored) if one.run is newest)


def damaged_results(runs: Sequence[RunSource]) -> int:
    """The results of the file that could not be read so far."""
    return max(
        (len(one.database.damaged) for one in runs if isinstance(one, _DatabaseRun)),
        default=0,
    )


def _about(run: Run) -> dict[str, Any]:
    setting, versions = run.setting, run.setting.versions
    return {
        "payload": payload_name(setting),
        "schedule": schedule_name(setting),
        "sizes": sizes_name(setting),
        "device": setting.device,
        "versions": f"torch {versions.torch}, triton {versions.triton}",
        "measured": run.measured,
        "strategy": run.strategy,
        "seed": run.seed,
        "command": run.command,
        "started": moment(run.started),
        "ending": run.ending,
        "wall_seconds": run.wall_seconds,
    }


def _about_recorded(recorded: RecordedSpace) -> dict[str, Any]:
    return {
        "payload": f"{recorded.name}.mlir",
        "schedule": f"{recorded.name}.tw",
        "sizes": "",
        "device": recorded.device,
        "versions": recorded.versions,
        "measured": True,
        "strategy": "random order",
        "seed": None,
        "command": "",
        "started": "",
        "ending": "finished",
        "wall_seconds": None,
    }


def report_of(row: Row) -> dict[str, float | None]:
    """Registers, spilled bytes, shared bytes, instructions: of all kernels together.

    Registers and shared memory are those of the kernel that needs most. Where a file
    has no reports, the features of the program have the same numbers.
    """
    stats, features = row.stats, row.trial.features
    if stats:
        return {
            "registers": max(one.registers for one in stats),
            "spills": sum(one.spill_bytes for one in stats),
            "shared": max(one.shared_bytes for one in stats),
            "wgmma": sum(one.wgmma for one in stats),
            "tma": sum(one.tma_loads for one in stats),
            "code": sum(one.code_bytes for one in stats),
        }
    shared, limit = features.get("compiled.shared"), features.get("device.shared_kib")
    return {
        "registers": features.get("compiled.registers"),
        "spills": _counted(features.get("compiled.spills")),
        "shared": None
        if shared is None or limit is None
        else round(shared * limit * 1024),
        "wgmma": _counted(features.get("compiled.wgmma")),
        "tma": _counted(features.get("compiled.tma")),
        "code": _counted(features.get("compiled.code")),
    }


def _counted(logarithm: float | None) -> int | None:
    """The count whose `log2(1 + count)` a feature is."""
    return None if logarithm is None else round(math.exp2(logarithm) - 1.0)
