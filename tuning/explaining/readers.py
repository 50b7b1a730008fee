"""Results files and recorded spaces as logs of tuning runs.

log = read_log(Path("results.db"), ["gemm", "h200"])
logs = read_alike(Path("results.db"), log)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
from tilewright.tuning.replay.machine import Machine, SimulatedStages, Work
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace
from tilewright.tuning.results.reader import read_runs, read_text, read_trials
from tilewright.tuning.results.selection import (
    LATEST,
    payload_name,
    schedule_name,
    select_one,
    sizes_name,
)
from tilewright.tuning.space.read import read_space
from tilewright.tuning.transfer.winners import open_known

if TYPE_CHECKING:
    from tilewright.tuning.replay.recorded_space import RecordedPoint
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.runs import Run, RunTrial
    from tilewright.tuning.space.space import Space

_MEASURED = ("load", "check", "warm-up", "time")
"""The stages that keep the device busy."""


def read_log(path: Path, words: Sequence[str] = ()) -> TuningLog:
    """The run that words name (`results/selection.py`); without words, the newest.

    The file is a results file, its export, or a recorded space, which is one run.
    """
    if not path.exists():
        raise UserError(
            f"no such file: {path}",
            remedy="name a results file of `tune`, or a recorded space",
        )
    if path.name.endswith(SUFFIX):
        if words:
            raise UserError(
                f"{path} has one run", remedy=f"leave out '{' '.join(words)}'"
            )
        return replace(recorded_log(RecordedSpace.load(path)), source=str(path))
    with open_known(path) as database:
        run, _ = select_one(read_runs(database), words or [LATEST])
        return log_of(database, run, path)


def read_alike(path: Path, log: TuningLog) -> list[TuningLog]:
    """The runs of a file over the same payload at the same sizes on the same device."""
    if path.name.endswith(SUFFIX):
        return [log]
    with open_known(path) as database:
        found = [log_of(database, run, path) for run in read_runs(database)]
    return [other for other in found if other.subject == log.subject]


def count_runs(path: Path) -> int:
    """The number of runs in a file."""
    if path.name.endswith(SUFFIX):
        return 1
    with open_known(path) as database:
        return len(read_runs(database))


def with_schedule(log: TuningLog, path: Path) -> TuningLog:
    """The log with the space of a schedule, whose untried options are then known."""
    space = read_space(Schedule.from_path(path).module)
    unknown = {n for trial in log.trials for n in trial.point} - set(space.choices)
    if unknown:
        raise UserError(
            f"{path} has no choice '{min(unknown)}', which the run '{log.name}' made",
            remedy="give the schedule that was tuned",
        )
    return replace(log, known_space=space)


def ended_trials(database: Database, run: Run) -> list[RunTrial]:
    """The trials of a run in the order in which they ended, if the file knows it."""
    trials = read_trials(database, run)
    if _is_timed(trials):
        trials.sort(key=lambda trial: trial.at_seconds or 0.0)
    return trials


def _is_timed(trials: Sequence[RunTrial]) -> bool:
    return all(trial.at_seconds is not None for trial in trials)


def log_of(
    database: Database,
    run: Run,
    path: Path,
    trials: Sequence[RunTrial] | None = None,
) -> TuningLog:
    """A run of a results file as a log; `trials` are its `ended_trials`, if known."""
    trials = ended_trials(database, run) if trials is None else trials
    setting = run.setting
    versions = setting.versions
    return TuningLog(
        f"#{run.number}" if run.is_recorded else payload_name(setting),
        payload_name(setting),
        schedule_name(setting),
        setting.device,
        f"torch {versions.torch}, triton {versions.triton}",
        run.measured,
        tuple(map(_logged, trials)),
        source=str(path),
        started=run.started,
        strategy=run.strategy,
        sizes=sizes_name(setting),
        stage_seconds=run.seconds,
        wall_seconds=run.wall_seconds,
        clock="the run's own clock" if _is_timed(trials) else "",
        known_space=_space(read_text(database, setting.schedule)),
        damaged=len(database.damaged),
    )


def _space(schedule: str | None) -> Space | None:
    """The space of a schedule's MLIR; None where it cannot be read any more."""
    if schedule is None:
        return None
    try:
        return read_space(Schedule.from_text(schedule, "schedule.mlir").module)
    except UserError:
        return None


def _logged(trial: RunTrial) -> LoggedTrial:
    record = trial.record
    return LoggedTrial(
        trial.point,
        record.outcome,
        record.program,
        record.p20,
        record.p50,
        record.p80,
        None if record.final is None else record.final.median,
        record.error,
        record.cause,
        # Others cost nothing in this run.
        record.seconds if trial.origin == "new" else {},
        record.features,
        trial.at_seconds,
    )


def recorded_log(recorded: RecordedSpace, machine: Machine | None = None) -> TuningLog:
    """The log of a recorded space, tried in the order of the recording.

    A recording has the seconds of every stage and no clock, so the moments at which
    trials end are those of a simulated machine.
    """
    machine = machine or Machine()
    order, ends = recorded_order(recorded, machine)
    return TuningLog(
        recorded.name,
        f"{recorded.name}.mlir",
        f"{recorded.name}.tw",
        recorded.device,
        recorded.versions,
        True,
        tuple(
            LoggedTrial(
                one.point,
                one.outcome,
                one.program,
                one.p20,
                one.p50,
                one.p80,
                error=one.error,
                seconds=one.seconds,
                features=one.description,
                ended=ends[place],
            )
            for place in order
            for one in [recorded.points[place]]
        ),
        strategy="random order",
        wall_seconds=max(ends, default=None),
        clock=f"simulated: {machine.start_up:.0f} s to start, {machine.builders} "
        f"builders, {machine.compilers} compilers, one device",
        known_space=recorded.space,
    )


def recorded_order(
    recorded: RecordedSpace, machine: Machine | None = None
) -> tuple[list[int], list[float]]:
    """The points in the order in which they end, and when each point ends."""
    ends = _simulated_ends(recorded.points, machine or Machine())
    return sorted(range(len(ends)), key=lambda place: ends[place]), ends


def _simulated_ends(points: Sequence[RecordedPoint], machine: Machine) -> list[float]:
    """When each point ends, if they are proposed one after the other."""
    stages = SimulatedStages(machine)
    stages.advance(machine.start_up)
    ends = [0.0] * len(points)
    for place, point in enumerate(points):
        if stages.outstanding >= machine.outstanding:
            _end_one(stages, ends)
        stages.put(place, _work(point))
    while stages.outstanding:
        _end_one(stages, ends)
    return ends


def _end_one(stages: SimulatedStages, ends: list[float]) -> None:
    number = stages.next_end()
    assert number is not None
    ends[number] = stages.now


def _work(point: RecordedPoint) -> Work:
    seconds = point.seconds
    build = seconds.get("transform", 0.0) + seconds.get("emit", 0.0)
    measure = sum(seconds.get(stage, 0.0) for stage in _MEASURED)
    return Work(build, seconds.get("compile", 0.0), measure)
