"""The tuner: propose points, carry them through the stages, time the best few again.

The parent proposes while worker processes build and compile and one worker measures, so
the stages overlap. Every trial is recorded when it ends: interrupt at any time,
start again, and nothing recorded is measured twice.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.codegen.runtime.compile import source_file
from tilewright.tuning.final_round import choose_finalists, rank_finalists
from tilewright.tuning.measure.jobs import Contender, ProbeJob, RetimeJob
from tilewright.tuning.measure.scratch import scratch_folder
from tilewright.tuning.measure.worker_pool import Pool, wait
from tilewright.tuning.options import Progress, Silent, Subject, TuneOptions
from tilewright.tuning.results.records import Setting, Versions
from tilewright.tuning.results.tuning_result import (
    STAGES,
    Finalist,
    Trial,
    TuningResult,
    failure,
    rank,
)
from tilewright.tuning.search.feedback import InOrder
from tilewright.tuning.search.seeding import Guided, favourites, sample
from tilewright.tuning.search.strategies import STRATEGIES, make_strategy
from tilewright.tuning.stages.build_jobs import work_on
from tilewright.tuning.stages.candidate_stages import Conveyor

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.measure.jobs import Reference
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.search.strategies.base import Strategy
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

T = TypeVar("T")

_FAVOURITES_SHARE = 4
_MOST_FAVOURITES = 24
_FAVOURITES_SECONDS = 15.0
"""One trial in four begins with the cost model, at most so many, and so long."""

_FINAL_SHARE = 0.15
_MOST_FINAL_SECONDS = 20.0
"""What of a budget is kept for the final timing, and at most how much."""

_GRACE_SECONDS = 1.0
"""How long after the end of the search a candidate may still finish."""

_LAST_SHARE = 4
"""The last trials, one in four, go to the neighbours of the best point."""

_ASKED_AT_ONCE = 4
"""Few, so that a strategy that learns is asked again soon."""


def tune(
    subject: Subject[Any],
    options: TuneOptions,
    database: Database | None = None,
    progress: Progress | None = None,
) -> TuningResult:
    """Search the space for the fastest program that computes the right numbers.

    Raises `TuningFailedError` when no point works. An interrupt (Ctrl-C) ends the
    search and returns what there is, if there is anything.
    """
    if options.device is not None and not any(a.timed for a in subject.answers):
        raise ValueError("measuring needs an answer to check against")
    with (
        scratch_folder() as scratch,
        Pool(
            options.builders,
            "",
            limit=options.build_limit,
            fork=partial(work_on, subject),
            memory=options.build_memory,
        ) as building,
        Pool(options.workers, "compile", limit=options.compile_limit) as compiling,
        Pool(1, "measure", limit=options.measure_limit) as measuring,
    ):
        pools = _Pools(building, compiling, measuring)
        return _Run(subject, options, database, progress or Silent(), pools).run(
            scratch
        )


@dataclass(frozen=True)
class _Pools:
    """The worker processes of a run."""

    building: Pool
    compiling: Pool
    measuring: Pool

    @property
    def lost_workers(self) -> int:
        pools = (self.building, self.compiling, self.measuring)
        return sum(pool.lost_workers for pool in pools)


class _Run:
    """One tuning run."""

    def __init__(
        self,
        subject: Subject[Any],
        options: TuneOptions,
        database: Database | None,
        progress: Progress,
        pools: _Pools,
    ) -> None:
        self._subject = subject
        self._options = options
        self._database = database
        self._progress = progress
        self._pools = pools
        self._trials: list[Trial] = []
        self._warnings: list[str] = []
        self._seconds: dict[str, float] = {stage: 0.0 for stage in STAGES}
        self._exhausted = False
        self._start = time.perf_counter()
        began = self._start if options.started is None else options.started
        self._deadline = math.inf
        if options.budget is not None:
            self._deadline = began + options.budget

    def run(self, scratch: Path) -> TuningResult:
        interrupted = False
        finalists: tuple[Finalist, ...] = ()
        device = self._device()
        setting = Setting(
            self._subject.payload,
            self._subject.schedule,
            device,
            Versions.current(),
            self._subject.sizes,
            self._subject.payload_name,
            self._subject.schedule_name,
        )
        conveyor = Conveyor(
            self._subject,
            self._options,
            setting,
            self._database,
            self._pools.building,
            self._pools.compiling,
            self._pools.measuring,
            scratch,
        )
        try:
            self._progress.on_phase("search")
            self._search(conveyor)
            if self._has_final():
                self._progress.on_phase("final")
                finalists = self._final(conveyor)
        except KeyboardInterrupt:
            interrupted = True
        best = self._best(finalists)
        if best is None:
            if interrupted:
                raise KeyboardInterrupt
            raise failure(self._trials)
        return self._result(best, conveyor, device, finalists, interrupted)

    def _device(self) -> str:
        """The name results are filed under."""
        if self._options.device is None:
            return f"{self._options.target.name} (cost model)"
        if self._options.device_name is not None:
            return self._options.device_name
        # While the device wakes up, so may the compilers.
        self._pools.compiling.start()
        self._pools.measuring.submit(ProbeJob(self._options.device), limit=300.0)
        while True:
            for finished in wait([self._pools.measuring], 600.0):
                if finished.ending != "ok":
                    raise RuntimeError(f"cannot use the device: {finished.error}")
                return finished.value.name

    def _search(self, conveyor: Conveyor) -> None:
        options = self._options
        space = self._subject.space
        strategy: Strategy = make_strategy(
            options.strategy, space, options.seed, options.strategy_options
        )
        limit = options.planned(space)
        learns = STRATEGIES[options.strategy].learns and limit > 1
        first = self._recorded_best(space, conveyor.setting)
        if learns:
            first += self._favourites(conveyor, limit)
        guided = Guided(first, strategy)
        told = InOrder(guided)
        # Enough to keep every worker busy and the measuring one supplied; more would
        # only make a strategy that learns propose blindly.
        most_outstanding = 2 * options.workers + 4
        asked = 0
        queue: list[Point] = []
        while True:
            if not self._time_left():
                queue, limit = [], asked
            wanted = min(_ASKED_AT_ONCE, limit - asked)
            behind = asked + wanted - most_outstanding
            if not queue and wanted and self._timed("search", told.catch_up, behind):
                if learns and asked >= limit - limit // _LAST_SHARE:
                    self._refine(guided, told.trials)
                queue = self._timed("search", guided.ask, wanted)
                asked += len(queue)
                if not queue:
                    limit = asked
            ended: list[Trial] = []
            if queue and conveyor.outstanding < most_outstanding:
                ended += conveyor.put(asked - len(queue) + 1, queue.pop(0))
                ended += conveyor.collect(0.0)
            elif conveyor.outstanding and not self._past_grace():
                ended += conveyor.collect(min(0.5, self._until(self._search_end())))
            elif not queue:
                break
            for trial in ended:
                self._trials.append(trial)
                told.take(trial)
                self._progress.on_trial(trial)
        if conveyor.outstanding:
            self._warnings.append(
                f"{conveyor.outstanding} candidates were under way when time was up"
            )
        self._exhausted = len(self._trials) == space.count_valid()

    def _has_final(self) -> bool:
        wanted = self._options.device is not None and self._options.finalists > 0
        return wanted and bool(rank(self._trials))

    def _recorded_best(self, space: Space, setting: Setting) -> list[Point]:
        """What an earlier run found best: not to be lost to a run that is unlucky."""
        if self._database is None or not self._options.reuse:
            return []
        best = self._database.best(
            setting.payload,
            setting.schedule,
            setting.device,
            measured=self._options.device is not None,
            sizes=setting.sizes,
        )
        return [best.point] if best is not None and space.contains(best.point) else []

    def _refine(self, guided: Guided, trials: Sequence[Trial]) -> None:
        """Let the neighbours of the best point so far come next, once for each best."""
        ranking = rank(trials)
        if ranking:
            guided.add(self._subject.space.neighbours(ranking[0].point))

    def _favourites(self, conveyor: Conveyor, limit: int) -> list[Point]:
        """What the cost model would try first: a share of the trials."""
        options = self._options
        wanted = min(limit // _FAVOURITES_SHARE, _MOST_FAVOURITES)
        seconds = _FAVOURITES_SECONDS
        if options.budget is not None:
            seconds = min(seconds, self._until(self._search_end()) / 5)
        points = sample(self._subject.space, wanted, options.seed)
        built = conveyor.preview(points, seconds)
        return favourites(built, options.target, wanted)

    def _final(self, conveyor: Conveyor) -> tuple[Finalist, ...]:
        """Time the best few and the contenders in turn, in one worker."""
        chosen = {
            f"trial {trial.number}": trial
            for trial in choose_finalists(self._trials, self._options.finalists)
        }
        found = {
            name: conveyor.program_of(trial, min(self._until(self._deadline), 60.0))
            for name, trial in chosen.items()
        }
        programs = {name: p for name, p in found.items() if p is not None}
        chosen = {name: chosen[name] for name in programs}
        if not programs:
            return ()
        references = conveyor.timed_references(next(iter(programs.values())))
        rivals = dict(self._subject.contenders)
        samples = self._retime(references, {**programs, **rivals})
        if samples is None and rivals:
            samples = self._retime(references, programs)
        if samples is None:
            return ()
        points = {
            name: (trial.point, trial.record.program) for name, trial in chosen.items()
        }
        finalists = rank_finalists(
            samples, {**{name: (None, "") for name in rivals}, **points}
        )
        if self._database is not None:
            for finalist in finalists:
                if finalist.name in chosen:
                    record = chosen[finalist.name].record
                    self._database.record_final(record, finalist.final)
        return finalists

    def _retime(
        self,
        references: tuple[Reference, ...],
        programs: dict[str, GeneratedProgram],
    ) -> dict[str, list[float]] | None:
        start = time.perf_counter()
        options = self._options
        assert options.device is not None
        job = RetimeJob(
            tuple(
                Contender(name, source_file(program, options.cache_dir), program.entry)
                for name, program in programs.items()
            ),
            references,
            options.timing,
            options.final_rounds,
            options.device,
        )
        limit = options.measure_limit * len(programs)
        limit = max(1.0, min(limit, self._until(self._deadline)))
        ticket = self._pools.measuring.submit(job, limit)
        try:
            while True:
                for finished in wait([self._pools.measuring], 600.0):
                    # Candidates given up when the time was up may still end first.
                    if finished.ticket != ticket:
                        continue
                    if finished.ending == "ok":
                        return finished.value
                    self._warnings.append(f"the final timing failed: {finished.error}")
                    return None
        finally:
            self._seconds["final"] += time.perf_counter() - start

    def _best(self, finalists: tuple[Finalist, ...]) -> Trial | None:
        """The winner of the final timing, else the fastest trial."""
        ranked = rank(self._trials)
        for finalist in finalists:
            for trial in ranked:
                if finalist.program and trial.record.program == finalist.program:
                    final = replace(trial.record, final=finalist.final)
                    return replace(trial, record=final)
        return ranked[0] if ranked else None

    def _result(
        self,
        best: Trial,
        conveyor: Conveyor,
        device: str,
        finalists: tuple[Finalist, ...],
        interrupted: bool,
    ) -> TuningResult:
        wall = time.perf_counter() - self._start
        for stage, seconds in conveyor.seconds.items():
            self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds
        mine = self._seconds["search"] + self._seconds["final"]
        self._seconds["waiting"] = conveyor.waited
        self._seconds["overhead"] = max(wall - mine - conveyor.waited, 0.0)
        space = self._subject.space
        return TuningResult(
            best=best,
            trials=tuple(sorted(self._trials, key=lambda trial: trial.number)),
            measured=self._options.device is not None,
            device=device,
            strategy=self._options.strategy,
            space_size=space.size(),
            space_valid=space.count_valid(),
            exhausted=self._exhausted,
            interrupted=interrupted,
            finalists=finalists,
            seconds=self._seconds,
            wall_seconds=wall,
            lost_workers=self._pools.lost_workers,
            warnings=tuple(self._warnings),
            remarks=tuple(conveyor.warnings.values()),
        )

    def _until(self, moment: float) -> float:
        """Seconds left until a moment."""
        return max(0.0, moment - time.perf_counter())

    def _search_end(self) -> float:
        """When the search ends: in time for the final timing, where there is one."""
        budget = self._options.budget
        if budget is None or self._options.device is None:
            return self._deadline
        return self._deadline - min(_FINAL_SHARE * budget, _MOST_FINAL_SECONDS)

    def _time_left(self) -> bool:
        return self._until(self._search_end()) > 0

    def _past_grace(self) -> bool:
        """Whether candidates begun in time have had time enough to end."""
        return time.perf_counter() > self._search_end() + _GRACE_SECONDS

    def _timed(self, stage: str, call: Callable[..., T], *args: Any) -> T:
        start = time.perf_counter()
        try:
            return call(*args)
        finally:
            self._seconds[stage] += time.perf_counter() - start
