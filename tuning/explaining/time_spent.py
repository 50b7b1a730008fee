"""Where the seconds of a run went, and the best time so far against seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.results.tuning_result import STAGES

if TYPE_CHECKING:
    from tilewright.tuning.explaining.tuning_log import TuningLog
    from tilewright.tuning.space.choices import Point

NEAR = (0.10, 0.05, 0.02, 0.01, 0.0)
"""Distances from the best whose moments are reported."""
STOPS = (0.1, 0.25, 0.5, 0.75, 1.0)
"""Shares of the run after which one might have stopped."""


@dataclass(frozen=True)
class StageSeconds:
    """The seconds of one stage."""

    stage: str
    seconds: float
    failed_seconds: float | None
    """Of these, those of trials that failed; None where trials do not account for
    the stage."""
    mean_seconds: float | None
    """Of a trial that had the stage."""


@dataclass(frozen=True)
class Improvement:
    """A trial that was faster than all before it."""

    trial: int
    """In the order in which trials ended, from 1."""
    seconds: float | None
    """When it ended."""
    milliseconds: float
    point: Point


@dataclass(frozen=True)
class Moment:
    """The state of a run at one time."""

    seconds: float | None
    trials: int
    """Trials that had ended."""
    milliseconds: float | None
    """The best so far; None before the first that worked."""
    behind: float | None
    """How much slower that is than the best of the run, as a share of it."""


def stage_seconds(log: TuningLog) -> tuple[StageSeconds, ...]:
    """The seconds by stage, in the order of the stages.

    The run's own account is used where the file has it. Otherwise the seconds of the
    trials are added up, which leaves out the start and the waiting.
    """
    whole: dict[str, list[float]] = defaultdict(list)
    failed: dict[str, float] = defaultdict(float)
    for trial in log.trials:
        for stage, seconds in trial.seconds.items():
            whole[stage].append(seconds)
            if trial.milliseconds is None:
                failed[stage] += seconds
    account = {**{stage: sum(s) for stage, s in whole.items()}, **log.stage_seconds}
    order = [*STAGES, *account]
    return tuple(
        StageSeconds(
            stage,
            account[stage],
            failed[stage] if stage in whole else None,
            sum(whole[stage]) / len(whole[stage]) if stage in whole else None,
        )
        for stage in sorted(account, key=order.index)
        if account[stage] > 0
    )


def improvements(log: TuningLog) -> tuple[Improvement, ...]:
    """The trials that were faster than all before them."""
    found: list[Improvement] = []
    for number, trial in enumerate(log.trials, 1):
        time = trial.milliseconds
        if time is not None and (not found or time < found[-1].milliseconds):
            found.append(Improvement(number, trial.ended, time, trial.point))
    return tuple(found)


def reached(steps: Sequence[Improvement], near: float) -> Improvement | None:
    """The first trial that was within a share of the best of the run."""
    if not steps:
        return None
    limit = steps[-1].milliseconds * (1.0 + near)
    return next(step for step in steps if step.milliseconds <= limit)


def stopped_after(
    log: TuningLog, steps: Sequence[Improvement], share: float
) -> Moment | None:
    """What the run would have found in a share of its time, or of its trials."""
    if not log.trials:
        return None
    ends = [trial.ended for trial in log.trials]
    last = None if None in ends else max(end or 0.0 for end in ends)
    if last is None:
        count = max(1, round(share * len(ends)))
        done = [step for step in steps if step.trial <= count]
        return _moment(None, count, done, steps)
    limit = share * max(last, log.wall_seconds or 0.0)
    count = sum(end is not None and end <= limit for end in ends)
    done = [
        step for step in steps if step.seconds is not None and step.seconds <= limit
    ]
    return _moment(limit, count, done, steps)


def _moment(
    seconds: float | None,
    trials: int,
    done: Sequence[Improvement],
    steps: Sequence[Improvement],
) -> Moment:
    if not done:
        return Moment(seconds, trials, None, None)
    behind = done[-1].milliseconds / steps[-1].milliseconds - 1.0
    return Moment(seconds, trials, done[-1].milliseconds, behind)
