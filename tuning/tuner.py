"""The tuner: search the space, then time the best candidates once more.

Every trial is recorded when it ends. A run can be interrupted at any time; the next one
does not measure a recorded trial again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.final_round import FinalRound
from tilewright.tuning.options import NoProgress, Progress, TuneOptions, TuningTask
from tilewright.tuning.results.records import Setting, Versions
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.tuning_result import (
    STAGES,
    Finalist,
    Trial,
    TuningResult,
    failure,
    rank,
)
from tilewright.tuning.search_loop import SearchLoop
from tilewright.tuning.stages.build_jobs import set_task
from tilewright.tuning.stages.candidate_stages import CandidateStages, Pools
from tilewright.tuning.stages.measure import device_lost
from tilewright.tuning.time_budget import TimeBudget
from tilewright.tuning.transfer.nearness import ESTIMATE
from tilewright.tuning.workers.jobs import ProbeJob
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.run_workers import Workers, local_workers, remote_workers
from tilewright.tuning.workers.scratch import scratch_folder
from tilewright.tuning.workers.worker_pool import ProcessPool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilewright.tuning.results.database import Database


def tune(
    task: TuningTask[Any],
    options: TuneOptions,
    database: Database | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> TuningResult:
    """Search the space for the fastest program that computes the right numbers.

    `workers` are those that the caller has started; without them the run has its own.
    Raises `TuningFailedError` when no point works. An interrupt (Ctrl-C) ends the
    search and returns the results so far, if there are any.
    """
    if options.device is not None and not any(e.timed for e in task.expected):
        raise ValueError("measuring needs expected results to check against")
    with (
        scratch_folder() as scratch,
        open_pools(options, partial(set_task, task, options.target), workers) as pools,
    ):
        return TuningRun(task, options, database, progress, pools, scratch).run()


@contextmanager
def open_pools(
    options: TuneOptions, fork: Callable[[], None], workers: Workers | None = None
) -> Iterator[Pools]:
    """The worker processes of a run; build workers call `fork` when they start.

    `workers` are compilers and a device that run already, and that stay.
    """
    with (
        _given_or_own(workers, options) as shared,
        ProcessPool(
            options.builders,
            "",
            limit=options.build_limit,
            fork=fork,
            memory=options.build_memory,
        ) as building,
    ):
        yield Pools(building, shared.compiling, shared.measuring)


def _given_or_own(
    workers: Workers | None, options: TuneOptions
) -> AbstractContextManager[Workers]:
    if workers is not None:
        return nullcontext(workers)
    if options.machines is not None:
        return remote_workers(
            options.machines,
            compile_limit=options.compile_limit,
            measure_limit=options.measure_limit,
        )
    return local_workers(options.workers, with_device=options.device is not None)


class TuningRun:
    """One tuning run on pools that others may use too."""

    def __init__(
        self,
        task: TuningTask[Any],
        options: TuneOptions,
        database: Database | None,
        progress: Progress | None,
        pools: Pools,
        scratch: Path,
        budget: TimeBudget | None = None,
    ) -> None:
        """Set up the run; the folder `scratch` lives as long as it does."""
        self._task = task
        self._options = options
        self._progress = progress or NoProgress()
        self._pools = pools
        self._budget = budget or TimeBudget(options)
        self._device = device_name(options, pools)
        setting = Setting(
            task.payload,
            task.schedule,
            self._device,
            Versions.current(),
            task.sizes,
            task.payload_name,
            task.schedule_name,
            task.family,
            task.extents,
        )
        self._log: RunLog | None = None
        if database is not None:
            run = Run(
                0,
                setting,
                measured=options.device is not None,
                strategy=options.strategy,
                seed=options.seed,
                command=options.command,
            )
            self._log = RunLog(database, run, self._budget.start, task.texts)
        self.stages = CandidateStages(task, options, setting, self._log, pools, scratch)
        self.search = SearchLoop(
            task, options, database, self._progress, self._budget, self.stages
        )
        self._final = FinalRound(
            task, options, self._log, self._budget, self.stages, pools.measuring
        )

    def run(self) -> TuningResult:
        """Search, then time the best candidates in turn."""
        interrupted = False
        finalists: tuple[Finalist, ...] = ()
        stopped: UserError | None = None
        try:
            self._progress.on_phase("search")
            self.search.run()
            finalists = self.final_round()
        except KeyboardInterrupt:
            interrupted = True
        except UserError as error:
            stopped = error
        return self.result(finalists, interrupted, stopped)

    def final_round(self) -> tuple[Finalist, ...]:
        """Time the best candidates in turn, on a device."""
        if not self._final.is_wanted(self.search.trials):
            return ()
        self._progress.on_phase("final")
        return self._final.run(self.search.trials)

    def result(
        self,
        finalists: tuple[Finalist, ...],
        interrupted: bool,
        stopped: UserError | None = None,
    ) -> TuningResult:
        """The outcome so far; raises if no trial worked.

        `stopped` is the error that ended the run before its time.
        """
        task, options = self._task, self._options
        search = self.search
        best = _best(search.trials, finalists)
        wall = time.perf_counter() - self._budget.start
        seconds = _seconds(search, self._final, self.stages, wall)
        if self._log is not None:
            ending = "finished" if best is not None and stopped is None else "failed"
            with suppress(UserError) if stopped is not None else nullcontext():
                self._log.end("interrupted" if interrupted else ending, wall, seconds)
        if best is None:
            if interrupted:
                raise KeyboardInterrupt
            raise stopped or failure(search.trials)
        warnings = [*search.warnings, *self._final.warnings]
        if search.unfinished:
            warnings.insert(
                0, f"{search.unfinished} candidates were under way when time was up"
            )
        return TuningResult(
            best=best,
            trials=tuple(sorted(search.trials, key=lambda trial: trial.number)),
            measured=options.device is not None,
            device=self._device,
            strategy=options.strategy,
            space_size=task.space.size(),
            space_valid=task.space.count_valid(),
            exhausted=len(search.trials) == task.space.count_valid(),
            interrupted=interrupted,
            finalists=finalists,
            seconds=seconds,
            wall_seconds=wall,
            device_use=self._device_use(wall),
            milestones=self._milestones(),
            lost_workers=self._pools.lost_workers,
            warnings=tuple(warnings),
            remarks=tuple(self.stages.warnings.values()),
            reference=self.stages.reference if options.device is not None else "",
            default_point=task.space.default_point(),
            run_number=None if self._log is None else self._log.number,
            stopped=stopped,
        )

    def _milestones(self) -> dict[str, float]:
        """Seconds from the start to the search, and to the first end of each job."""
        moments = {"search": self.stages.idle.began, **self.stages.first_ends}
        return {name: at - self._budget.start for name, at in moments.items()}

    def _device_use(self, wall: float) -> dict[str, float]:
        """Seconds of the device: its work by kind, and its idle time by reason."""
        spent, idle = self.stages.seconds, dict(self.stages.idle.seconds)
        before = self.stages.idle.began - self._budget.start
        idle["start"] = idle.get("start", 0.0) + before
        use = {
            "timing": spent["warm-up"] + spent["time"] + self._final.seconds,
            "timing again": self.stages.seconds_again,
            "checking": spent["check"],
            "loading": spent["load"],
            **{f"idle: {reason}": seconds for reason, seconds in idle.items()},
        }
        use["other"] = max(wall - sum(use.values()), 0.0)
        return use


def device_name(options: TuneOptions, pools: Pools) -> str:
    """The device's name in the results file."""
    if options.device is None:
        return f"{options.target.name}{ESTIMATE}"
    if options.device_name is not None:
        return options.device_name
    # The compile workers start while the device does.
    pools.compiling.start()
    pools.measuring.submit(ProbeJob(options.device), limit=300.0)
    while True:
        for finished in wait([pools.measuring], 600.0):
            if finished.ending != "ok":
                raise device_lost(finished)
            return finished.value.name


def _best(trials: Sequence[Trial], finalists: Sequence[Finalist]) -> Trial | None:
    """The winner of the final round, else the fastest trial."""
    ranked = rank(trials)
    for finalist in finalists:
        for trial in ranked:
            if finalist.program and trial.record.program == finalist.program:
                final = replace(trial.record, final=finalist.final)
                return replace(trial, record=final)
    return ranked[0] if ranked else None


def _seconds(
    search: SearchLoop, final: FinalRound, stages: CandidateStages, wall: float
) -> dict[str, float]:
    """Seconds by stage; the rest of this process's time is overhead."""
    seconds: dict[str, float] = {stage: 0.0 for stage in STAGES}
    for spent in (search.seconds, {"final": final.seconds}, stages.seconds):
        for stage, value in spent.items():
            seconds[stage] = seconds.get(stage, 0.0) + value
    own = seconds["search"] + seconds["final"]
    seconds["waiting"] = stages.waited
    seconds["overhead"] = max(wall - own - stages.waited, 0.0)
    return seconds
