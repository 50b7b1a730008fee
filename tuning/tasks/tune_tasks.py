"""Tuning a payload kernel by kernel: rounds of trials, then the whole program.

All tasks share one set of workers. While the trials of one task are compiled, those of
others are measured.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.planning.ranking import kernel_points
from tilewright.tuning.search.strategies import STRATEGIES
from tilewright.tuning.tasks.allocation import next_task
from tilewright.tuning.tasks.shared_pools import SharedPools, set_tasks
from tilewright.tuning.tasks.task_search import TaskOutcome, TaskSearch
from tilewright.tuning.tasks.whole import WholeProgram
from tilewright.tuning.time_budget import TimeBudget
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.tuner import TuningRun, device_name, open_pools
from tilewright.tuning.workers.scratch import scratch_folder

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan
    from tilewright.tuning.options import TuneOptions, TuningTask
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.tuning_result import Trial, TuningResult
    from tilewright.tuning.stages.candidate_stages import Pools
    from tilewright.tuning.tasks.kernel_tasks import KernelTask
    from tilewright.tuning.workers.run_workers import Workers

FIRST_ROUND = 4
"""Trials of a task's first round: the default, and the planner's next candidates."""

MOST_IN_A_ROUND = 16

WHOLE_SHARE = 0.15
"""Share of the budget that is kept for the whole program, until its time is known."""

WHOLE_FINAL_SECONDS = 1.5
"""Seconds that the final round of the whole may need."""

FINAL_SECONDS = 0.5
"""Seconds that the final round of a task may need."""

FINALS_SHARE = 0.06
"""Share of the budget that is kept for the final rounds of tasks."""

_NO_GAIN = "with its best point the whole is wrong or not faster"
_NO_TIME = "there was no time to try its best point in the whole; allow more time"

_SAMPLE = 96
"""Points that a strategy may estimate before its first trials of a task."""

_WHOLE = -1
"""The number of the whole payload among the tasks."""


class TasksProgress(Protocol):
    """Is called as a run proceeds."""

    def on_phase(self, name: str) -> None:
        """Called when a phase begins: a task's round, the whole."""
        ...

    def on_trial(self, trial: Trial) -> None:
        """Called when a trial has ended."""
        ...


@dataclass(frozen=True)
class TasksResult:
    """The outcome of tuning a payload kernel by kernel."""

    whole: TuningResult
    """Of the whole program; its best point is the winner."""
    tasks: tuple[TaskOutcome, ...]
    """The longest task, as planned, first."""
    seconds: float
    """Wall time of the whole run."""
    interrupted: bool

    @property
    def trials(self) -> int:
        """Trials of all tasks."""
        return sum(outcome.trials for outcome in self.tasks)


def tune_tasks(
    plan: Plan,
    tasks: Sequence[tuple[KernelTask, TuningTask[Any]]],
    whole: TuningTask[Any],
    options: TuneOptions,
    database: Database | None,
    progress: TasksProgress,
    workers: Workers | None = None,
) -> TasksResult:
    """Tune every task, then check and time the whole program with the best points.

    `workers` are those that the caller has started. `options.trials` are the trials of
    all tasks together. Raises `TuningFailedError` if no whole program works. A first
    interrupt ends the search of the tasks, a second one the run.
    """
    numbered: Mapping[int, TuningTask[Any]] = {
        **{number: task for number, (_, task) in enumerate(tasks)},
        _WHOLE: whole,
    }
    setup = partial(set_tasks, numbered, options.target)
    with (
        scratch_folder() as scratch,
        open_pools(options, setup, workers) as pools,
    ):
        named = replace(options, device_name=device_name(options, pools))
        run = _Run(plan, tasks, whole, named, database, progress, pools, scratch)
        return run.run()


class _Run:
    """One run over all tasks."""

    def __init__(
        self,
        plan: Plan,
        tasks: Sequence[tuple[KernelTask, TuningTask[Any]]],
        whole: TuningTask[Any],
        options: TuneOptions,
        database: Database | None,
        progress: TasksProgress,
        pools: Pools,
        scratch: Path,
    ) -> None:
        self._plan = plan
        self._database = database
        self._options = options
        self._progress = progress
        self._shared = SharedPools(pools, self._go_on)
        self._round = max(FIRST_ROUND, min(options.workers + 2, MOST_IN_A_ROUND))
        # The final rounds are counted in what is kept for the whole.
        unkept = replace(options, device=None)
        self._budget = TimeBudget(unkept)
        self._whole_budget = TimeBudget(unkept)
        if options.budget is not None:
            self._budget.keep(WHOLE_SHARE * options.budget)
            self._whole_budget.keep(min(0.05 * options.budget, 4.0))
        single = replace(
            options,
            trials=None,
            finalists=3,
            strategy_options={
                option.name: _SAMPLE
                for option in STRATEGIES[options.strategy].options
                if option.name == "sample"
            },
        )
        self._searches = [
            TaskSearch(
                task,
                partial(self._begun, number, each, single, database, scratch),
                options.workers,
                self._round,
            )
            for number, (task, each) in enumerate(tasks)
        ]
        # A program of hundreds of kernels takes as many times longer than one kernel.
        kernels = max(1, plan.kernel_count)
        given = replace(
            options,
            trials=None,
            budget=None,
            strategy="random",
            until_no_gain=None,
            strategy_options={},
            build_limit=options.build_limit * kernels,
            compile_limit=options.compile_limit * kernels,
        )
        lanes = self._shared.lanes(_WHOLE, options.workers)
        budget = self._whole_budget
        run = TuningRun(whole, given, database, None, lanes, scratch, budget)
        self._whole = WholeProgram(run, whole.space, budget)
        self._began = time.perf_counter()

    def _begun(
        self,
        number: int,
        task: TuningTask[Any],
        options: TuneOptions,
        database: Database | None,
        scratch: Path,
    ) -> TuningRun:
        """The run of a task, which begins now: it loads the reference."""
        folder = scratch / f"task{number}"
        folder.mkdir()
        lanes = self._shared.lanes(number)
        return TuningRun(task, options, database, None, lanes, folder, self._budget)

    def run(self) -> TasksResult:
        """The search of the tasks, their final rounds, and the whole."""
        interrupted = False
        try:
            self._whole.start({})
            self._began = time.perf_counter()
            self._search()
            self._final_rounds()
        except KeyboardInterrupt:
            interrupted = True
        outcomes = [search.outcome() for search in self._searches]
        self._record(outcomes)
        self._progress.on_phase("the whole")
        while self._whole.advance(0.5):
            pass
        outcomes = self._adopted(outcomes)
        result = self._whole.result(interrupted=interrupted)
        wall = time.perf_counter() - self._budget.start
        return TasksResult(result, tuple(outcomes), wall, interrupted)

    def _go_on(self, waiting: int) -> None:
        """Let all tasks but the one that waits, and the whole, use the workers."""
        for number, search in enumerate(self._searches):
            if number != waiting:
                search.go_on()
        if waiting != _WHOLE:
            self._whole.go_on()

    def _search(self) -> None:
        """Grant rounds until the time, the trials or the gains are exhausted."""
        searches = self._searches
        capacity = 2 * self._options.workers + 4
        while self._budget.search_left():
            while sum(search.under_way for search in searches) < capacity:
                if not self._grant():
                    break
            active = [search for search in searches if search.under_way]
            if not active:
                break
            ended = [trial for search in active for trial in search.advance()]
            self._whole.advance()
            self._budget.keep(self._whole_seconds + self._final_seconds)
            for trial in ended:
                self._progress.on_trial(trial)
            if not ended:
                self._shared.wait(min(0.1, self._budget.search_left()))
        for search in searches:
            search.update()
            search.abandon()

    @property
    def _whole_seconds(self) -> float:
        """Seconds that the whole program will need at the end: half of all at most."""
        spent = self._whole.seconds or time.perf_counter() - self._began
        needed = 1.2 * spent + WHOLE_FINAL_SECONDS
        return min(needed, (self._options.budget or math.inf) / 2)

    @property
    def _final_seconds(self) -> float:
        """Seconds for the final rounds of the tasks, on a device."""
        if self._options.device is None:
            return 0.0
        most = FINALS_SHARE * (self._options.budget or math.inf)
        return min(FINAL_SECONDS * len(self._searches), most)

    def _grant(self) -> bool:
        """Give a round to the task that promises most; False if none does."""
        searches = self._searches
        free = [number for number, search in enumerate(searches) if search.is_free]
        for number in free:
            searches[number].update()
        chosen = next_task([search.history for search in searches], free)
        if chosen is None:
            return False
        search = searches[chosen]
        size = self._round if search.history.rounds else FIRST_ROUND
        if self._options.trials is not None:
            granted = sum(search.granted for search in searches)
            size = min(size, self._options.trials - granted)
        if size <= 0:
            return False
        search.grant(size)
        self._progress.on_phase(f"kernel {search.task.name}")
        return True

    def _final_rounds(self) -> None:
        """Time the best trials of each task in turn, while there is time."""
        if self._options.device is None:
            return
        kept = self._whole_seconds
        ordered = sorted(self._searches, key=lambda s: -s.history.total_ms)
        for search in ordered:
            if self._budget.left() < kept + FINAL_SECONDS:
                break
            search.final_round()

    def _record(self, outcomes: Sequence[TaskOutcome]) -> None:
        """Keep the best point of each kernel that was measured, for later plans."""
        if self._database is None or self._options.device is None:
            return
        recorder = PlannedKernels(self._database)
        for outcome in outcomes:
            if outcome.best is not None:
                alone = outcome.task.alone.plan
                for kernel in kernel_points(alone, outcome.best.point):
                    recorder.record(*kernel)

    def _adopted(self, outcomes: Sequence[TaskOutcome]) -> list[TaskOutcome]:
        """The outcomes, with those marked that the whole program has."""
        changed = sorted(
            (outcome for outcome in outcomes if outcome.change is not None),
            key=lambda outcome: -outcome.gain_ms,
        )
        points = [
            outcome.task.in_whole(self._plan, outcome.change or {})
            for outcome in changed
        ]
        taken = self._whole.adopt(points)
        left_out = {
            outcome.task.name: _NO_TIME if is_taken is None else _NO_GAIN
            for outcome, is_taken in zip(changed, taken, strict=True)
            if not is_taken
        }
        return [
            replace(outcome, left_out=left_out.get(outcome.task.name, ""))
            for outcome in outcomes
        ]
