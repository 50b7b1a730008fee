"""Tuning payloads kernel by kernel: rounds of trials, then the whole programs.

All tasks share one set of workers. While the trials of one task are compiled, those of
others are measured.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.planning.ranking import kernel_points
from tilewright.planning.recorded import STRUCTURE, signature_of_structure, words_of
from tilewright.tuning.search.strategies import STRATEGIES
from tilewright.tuning.tasks.allocation import next_task
from tilewright.tuning.tasks.run_description import (
    TasksProgress,
    TasksResult,
    WholePayload,
)
from tilewright.tuning.tasks.shared_pools import SharedPools, set_tasks
from tilewright.tuning.tasks.structures import StructureOutcome, StructureSearch
from tilewright.tuning.tasks.task_search import (
    NO_GAIN,
    NO_REFERENCE,
    NO_TIME,
    TaskOutcome,
    TaskSearch,
    changed_in,
    leave_out,
)
from tilewright.tuning.tasks.whole import FINAL_SECONDS as FINAL_SECONDS_OF_WHOLE
from tilewright.tuning.tasks.whole import WholeProgram
from tilewright.tuning.time_budget import TimeBudget
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.tuner import TuningRun, device_name, open_pools
from tilewright.tuning.workers.scratch import scratch_folder

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan
    from tilewright.tuning.options import TuneOptions, TuningTask
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.tuning_result import TuningResult
    from tilewright.tuning.stages.candidate_stages import Pools
    from tilewright.tuning.tasks.kernel_tasks import KernelTask
    from tilewright.tuning.workers.run_workers import Workers

FIRST_ROUND = 4
"""Trials of a task's first round: the default, and the planner's next candidates."""

MOST_IN_A_ROUND = 16

WHOLE_SHARE = 0.15
"""Share of the budget that is kept for the whole program, until its time is known."""

FINAL_SECONDS = 0.5
"""Seconds that the final round of a task may need."""

FINALS_SHARE = 0.06
"""Share of the budget that is kept for the final rounds of tasks."""

_WHOLE = -1
"""The number of the first whole payload among the tasks; others have lower ones."""

_UNKNOWN_WHOLE = 0.6
"""Seconds kept for the whole, over those that its first program takes so far."""


def tune_tasks(
    payloads: Sequence[WholePayload],
    tasks: Sequence[tuple[KernelTask, TuningTask[Any]]],
    options: TuneOptions,
    database: Database | None,
    progress: TasksProgress,
    workers: Workers | None = None,
) -> TasksResult:
    """Tune every task, then check and time the whole programs with the best points.

    `workers` are those that the caller has started. `options.trials` are the trials of
    all tasks together. Of one payload, raises `TuningFailedError` if no whole program
    works; of several, such a payload keeps its defaults. A first interrupt ends the
    search of the tasks, a second one the run.
    """
    numbered: Mapping[int, TuningTask[Any]] = {
        **{number: task for number, (_, task) in enumerate(tasks)},
        **{_WHOLE - place: one.task for place, one in enumerate(payloads)},
    }
    setup = partial(set_tasks, numbered, options.target)
    with (
        scratch_folder() as scratch,
        open_pools(options, setup, workers) as pools,
    ):
        named = replace(options, device_name=device_name(options, pools))
        run = _Run(payloads, tasks, named, database, progress, pools, scratch)
        return run.run()


class _Run:
    """One run over all tasks."""

    def __init__(
        self,
        payloads: Sequence[WholePayload],
        tasks: Sequence[tuple[KernelTask, TuningTask[Any]]],
        options: TuneOptions,
        database: Database | None,
        progress: TasksProgress,
        pools: Pools,
        scratch: Path,
    ) -> None:
        self._payloads = payloads
        self._database = database
        self._options = options
        self._progress = progress
        self._scratch = scratch
        self._structures: list[StructureOutcome] = []
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
            # Points that a strategy may estimate before its first trials of a task.
            strategy_options={
                option.name: 96
                for option in STRATEGIES[options.strategy].options
                if option.name == "sample"
            },
        )
        self._searches = [
            TaskSearch(
                task,
                partial(self._begun, number, each, single),
                options.workers,
                self._round,
            )
            for number, (task, each) in enumerate(tasks)
        ]
        self._wholes = [
            WholeProgram(
                one.plan,
                one.task.space,
                partial(self._begun_whole, place, one),
                self._whole_budget,
            )
            for place, one in enumerate(payloads)
        ]

    def _begun(
        self, number: int, task: TuningTask[Any], options: TuneOptions
    ) -> TuningRun:
        """The run of a task, which begins now: it loads the reference."""
        folder = self._scratch / f"task{number}"
        folder.mkdir()
        lanes, database = self._shared.lanes(number), self._database
        return TuningRun(task, options, database, None, lanes, folder, self._budget)

    def _begun_whole(self, place: int, one: WholePayload) -> TuningRun:
        """The run of a whole payload."""
        options, folder = self._options, self._scratch / f"whole{place}"
        folder.mkdir()
        given = replace(
            options,
            trials=None,
            budget=None,
            strategy="random",
            until_no_gain=None,
            strategy_options={},
            # A program of hundreds of kernels takes as many times longer than one.
            build_limit=options.build_limit * one.kernels,
            compile_limit=options.compile_limit * one.kernels,
        )
        lanes = self._shared.lanes(_WHOLE - place, options.workers)
        budget, database = self._whole_budget, self._database
        return TuningRun(one.task, given, database, None, lanes, folder, budget)

    def run(self) -> TasksResult:
        """The search of the tasks, their final rounds, and the wholes."""
        interrupted = False
        first = self._wholes[0] if self._payloads[0].is_composed else None
        try:
            if first is not None:
                first.start({})
            self._search()
            self._final_rounds()
        except KeyboardInterrupt:
            interrupted = True
        outcomes = [search.outcome() for search in self._searches]
        self._progress.on_phase("the whole")
        results: list[TuningResult | None] = [None] * len(self._wholes)
        for place in self._by_gain(outcomes):
            results[place] = self._checked(place, outcomes, interrupted)
        self._record(outcomes)
        wall = time.perf_counter() - self._budget.start
        measured = self._options.device is not None
        return TasksResult(
            tuple(results),
            tuple(outcomes),
            wall,
            interrupted,
            measured,
            tuple(self._structures),
        )

    def _go_on(self, waiting: int) -> None:
        """Let all tasks but the one that waits, and the wholes, use the workers."""
        for number, search in enumerate(self._searches):
            if number != waiting:
                search.go_on()
        for place, whole in enumerate(self._wholes):
            if waiting != _WHOLE - place:
                whole.go_on()

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
            if self._wholes[0].has_begun:
                self._wholes[0].advance()
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
        """Seconds that the whole programs will need at the end: half of all at most.

        The first payload has run at its defaults by then; the others have not.
        """
        budget, first = self._options.budget or math.inf, self._wholes[0]
        payloads = [one for one in self._payloads if one.is_composed]
        if not payloads:
            return 0.0
        if first.seconds:
            each = 1.2 * first.seconds / self._payloads[0].kernels
        elif first.has_begun:
            share = 0.0 if budget == math.inf else WHOLE_SHARE * budget
            spent = _UNKNOWN_WHOLE * first.spent
            each = max(share, spent) / self._payloads[0].kernels
        else:
            each = 1.0
        programs = sum((2 + one.covers) * one.kernels for one in payloads)
        programs -= self._payloads[0].kernels if first.has_begun else 0
        needed = each * programs + FINAL_SECONDS_OF_WHOLE * len(payloads)
        return min(needed, budget / 2)

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

    def _by_gain(self, outcomes: Sequence[TaskOutcome]) -> list[int]:
        """The payloads that must be checked as a whole, the largest gain first.

        The first payload always is, if it has begun.
        """
        gains = [0.0] * len(self._wholes)
        wanted = {0} if self._wholes[0].has_begun else set[int]()
        for place, one in enumerate(self._payloads):
            changed = changed_in(one.plan, outcomes)
            gains[place] = sum(outcomes[number].gain_ms for number in changed)
            if (changed and one.is_composed) or one.covers:
                wanted.add(place)
        return sorted(wanted, key=lambda place: -gains[place])

    def _checked(
        self, place: int, outcomes: list[TaskOutcome], interrupted: bool
    ) -> TuningResult | None:
        """Check and time a whole payload; marks the outcomes that it does not have."""
        whole = self._wholes[place]
        changed = changed_in(whole.plan, outcomes)
        if not whole.has_begun:
            if not self._whole_budget.search_left():
                leave_out(outcomes, changed, NO_TIME)
                return None
            whole.start({})
        while whole.advance(0.5):
            pass
        points = [
            outcomes[number].task.in_whole(whole.plan, outcomes[number].change or {})
            for number in changed
        ]
        taken = whole.adopt(points)
        structures = StructureSearch(whole, outcomes)
        structures.run([p for p, kept in zip(points, taken, strict=True) if kept])
        try:
            result = whole.result(interrupted=interrupted)
        except UserError:
            if len(self._wholes) == 1:
                raise
            reason = NO_GAIN if whole.stopped is None else NO_REFERENCE
            leave_out(outcomes, changed, reason)
            return None
        winner = result.best.point
        found = list(structures.outcomes(winner))
        self._structures += found
        self._record_structure(whole.plan, found)
        for number, point, is_taken in zip(changed, points, taken, strict=True):
            # A choice that the winner's structure does not reach is not left out.
            if any(winner.get(name, value) != value for name, value in point.items()):
                reason = NO_TIME if is_taken is None else NO_GAIN
                leave_out(outcomes, [number], reason)
        return result

    def _record_structure(self, plan: Plan, found: Sequence[StructureOutcome]) -> None:
        """Keep the structure of a payload if it is faster than the planned one."""
        faster = [one.best.cover.changes for one in found if one.is_faster]
        if self._database is None or self._options.device is None or not faster:
            return
        ops, target = plan.analysis.plannable, plan.target.name
        words: dict[str, int | str] = {**words_of(plan.changes.union(*faster))}
        recorder = PlannedKernels(self._database)
        recorder.record(signature_of_structure(ops, target), STRUCTURE, words)

    def _record(self, outcomes: Sequence[TaskOutcome]) -> None:
        """Keep the point of each kernel that was measured, for later plans.

        It is the best one, unless it spoils a whole program or gains nothing.
        """
        if self._database is None or self._options.device is None:
            return
        recorder = PlannedKernels(self._database)
        for outcome in outcomes:
            point = outcome.recorded
            if point is not None:
                alone = outcome.task.alone.plan
                for kernel in kernel_points(alone, point):
                    recorder.record(*kernel)
