"""The search of one task, which proposes trials when a round is granted to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.tuning.results.tuning_result import GAIN, Trial, rank, trial_at
from tilewright.tuning.stages.measure import NoExpectedResultsError
from tilewright.tuning.tasks.allocation import NEAR, TaskHistory

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan
    from tilewright.tuning.results.tuning_result import Finalist
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.tasks.kernel_tasks import KernelTask
    from tilewright.tuning.tuner import TuningRun

_BESIDE = ("transform", "emit", "compile")
"""Stages that several workers run side by side."""

NO_GAIN = "with its best point the whole is wrong or not faster"
NO_REFERENCE = "there is no reference to check the whole against"
NO_TIME = "there was no time to try its best point in the whole; allow more time"

_DEVICE = ("check", "warm-up", "time", "load")

_TRIALS = ("compile", *_DEVICE)
"""Stages whose time grows with the trials. Points are also built to be estimated."""


@dataclass(frozen=True)
class TaskOutcome:
    """What the search of a task found."""

    task: KernelTask
    default_ms: float | None
    """The time of the planner's point; None where it was not tried or does not run."""
    best: Trial | None
    """The fastest trial; None where none was tried or works."""
    trials: int
    rounds: int
    seconds: float
    """Seconds of the workers; those that run side by side count by their share."""
    ended: str
    """Why it got no further round, in words."""
    failure: str = ""
    """Why the first trial failed, where none works."""
    left_out: str = ""
    """Why the whole program does not have its best point, in words; empty if it has."""
    spoils: bool = False
    """Whether a whole program with its best point is wrong or not faster."""

    @property
    def best_ms(self) -> float | None:
        """The time of the best point."""
        return None if self.best is None else self.best.record.milliseconds

    @property
    def gain_ms(self) -> float:
        """What the best point saves in the whole, over all uses."""
        if self.default_ms is None or self.best_ms is None:
            return 0.0
        return self.task.uses * (self.default_ms - self.best_ms)

    @property
    def change(self) -> Point | None:
        """The best point, if it is faster than the default point, beyond the noise."""
        if self.best is None or self.best.point == self.task.space.default_point():
            return None
        if self.default_ms is not None and self.best_ms is not None:
            is_gain = self.best_ms < self.default_ms * (1 - GAIN)
            return self.best.point if is_gain else None
        return self.best.point

    @property
    def used_ms(self) -> float | None:
        """The time of one run in a whole program: at the best point if it changes."""
        return self.best_ms if self.change is not None else self.default_ms

    @property
    def recorded(self) -> Point | None:
        """The point that later plans start from; None where no point works.

        It is the best one, unless it gains nothing or a whole program is wrong or
        slower with it.
        """
        if self.best is None:
            return None
        default = self.task.space.default_point()
        if default is not None and self.default_ms is not None:
            return self.change if self.change and not self.spoils else default
        return self.best.point


class TaskSearch:
    """A task's run on the shared workers."""

    def __init__(
        self, task: KernelTask, make: Callable[[], TuningRun], workers: int, size: int
    ):
        """`make` makes the run, when it begins; `size` is the trials of a round."""
        self.task = task
        self.history = TaskHistory(
            task.uses, task.planned_ms, task.bound_ms, task.is_planned
        )
        self._make = make
        self._run: TuningRun | None = None
        self._workers = workers
        self._size = size
        self._finalists: tuple[Finalist, ...] = ()
        self._stopped: NoExpectedResultsError | None = None
        """Why no candidate can be checked."""

    @property
    def granted(self) -> int:
        """Trials that were granted."""
        return 0 if self._run is None else self._run.search.allowed or 0

    @property
    def under_way(self) -> int:
        """Trials that were granted and have not ended."""
        if self._run is None or self._stopped is not None:
            return 0
        search = self._run.search
        granted = search.started if search.exhausted else search.allowed or 0
        return granted - len(search.trials)

    @property
    def is_free(self) -> bool:
        """Whether enough of its trials have ended to decide about a further round.

        A search that has proposed every point has no use for one.
        """
        if self._run is not None and self._run.search.exhausted:
            return not self.under_way
        return self.under_way <= self._size // 2

    def grant(self, trials: int) -> None:
        """Let the search propose so many trials more."""
        self.history.rounds += 1
        if self._run is None:
            self._run = self._make()
            self._run.search.most_outstanding = self._size
        self._run.search.allowed = (self._run.search.allowed or 0) + trials

    def advance(self) -> list[Trial]:
        """Start what may start and take what has ended; does not wait."""
        assert self._run is not None, "no round was granted"
        search = self._run.search
        known = len(search.trials)
        try:
            while True:
                started = search.started
                if not search.step(0.0) or search.started == started:
                    break
        except NoExpectedResultsError as error:
            self._stopped = error
        return search.trials[known:]

    def update(self) -> None:
        """Bring the history up to date."""
        if self._run is None:
            return
        search = self._run.search
        ranked = rank(search.trials)
        best = ranked[0].milliseconds if ranked else None
        self.history.end_round(len(search.trials), best, self._seconds(_TRIALS))
        is_over = search.exhausted or self._stopped is not None
        self.history.exhausted = is_over and not self.under_way

    def _seconds(self, stages: Sequence[str]) -> float:
        """Seconds of the workers; those that run side by side count by their share."""
        if self._run is None:
            return 0.0
        spent = self._run.stages.seconds
        return sum(
            spent.get(stage, 0.0) / (self._workers if stage in _BESIDE else 1)
            for stage in stages
        )

    def final_round(self) -> None:
        """Time the best trials in turn."""
        if self._run is not None and self._stopped is None:
            self._finalists = self._run.final_round()

    def go_on(self) -> None:
        """Let finished jobs go to their next stage."""
        if self._run is None or self._stopped is not None:
            return
        try:
            self._run.stages.go_on()
        except NoExpectedResultsError as error:
            self._stopped = error

    def abandon(self) -> None:
        """Drop the candidates that wait for a worker."""
        if self._run is not None:
            self._run.stages.abandon()

    def outcome(self) -> TaskOutcome:
        """What was found."""
        trials = [] if self._run is None else self._run.search.trials
        default = trial_at(trials, self.task.space.default_point())
        best = self._best(trials)
        default_ms = None if default is None else default.milliseconds
        finals = {one.program: one.final.median for one in self._finalists}
        if default is not None and default.record.program in finals:
            default_ms = finals[default.record.program]
        return TaskOutcome(
            self.task,
            default_ms,
            best,
            len(trials),
            self.history.rounds,
            self._seconds((*_BESIDE, *_DEVICE)),
            self._ended(),
            self._failure(trials) if best is None else "",
        )

    def _best(self, trials: Sequence[Trial]) -> Trial | None:
        if self._run is None or not rank(trials):
            return None
        return self._run.result(self._finalists, interrupted=False).best

    def _ended(self) -> str:
        history = self.history
        if self._stopped is not None:
            return "no reference to check against"
        if not history.rounds:
            return "not tried: the budget was used up"
        if history.exhausted:
            return "every point was tried"
        if history.best and history.ms <= NEAR * history.bound_ms:
            return "near its bound"
        return "no further gain" if history.is_done else "the budget was used up"

    def _failure(self, trials: Sequence[Trial]) -> str:
        """The outcome of the first trial, and its reason."""
        if self._stopped is not None:
            return self._stopped.fact
        for trial in trials:
            return f"{trial.outcome}: {trial.record.error}".strip(": ")
        return ""


def changed_in(plan: Plan, outcomes: Sequence[TaskOutcome]) -> list[int]:
    """The outcomes that change planned kernels, those with the most gain first."""
    found = [
        number
        for number, outcome in enumerate(outcomes)
        if outcome.change is not None
        and any(owner is plan and k in plan.kernels for owner, k in outcome.task.places)
    ]
    return sorted(found, key=lambda number: -outcomes[number].gain_ms)


def leave_out(outcomes: list[TaskOutcome], numbers: Sequence[int], reason: str) -> None:
    """Mark outcomes whose best point a whole program does not have."""
    for number in numbers:
        spoils = outcomes[number].spoils or reason == NO_GAIN
        outcomes[number] = replace(outcomes[number], left_out=reason, spoils=spoils)
