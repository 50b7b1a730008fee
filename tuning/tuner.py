"""The tuner: propose points, carry them through the stages, time the best few again.

The parent proposes and builds while worker processes compile and one worker measures,
so the stages overlap. Every trial is recorded when it ends: interrupt at any time,
start again, and nothing recorded is measured twice.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.codegen.compile import source_file
from tilewright.tuning.conveyor import Conveyor
from tilewright.tuning.favourites import Guided, favourites
from tilewright.tuning.final import choose_finalists, rank_finalists
from tilewright.tuning.jobs import Contender, ProbeJob, RetimeJob
from tilewright.tuning.options import Progress, Silent, Subject, TuneOptions
from tilewright.tuning.records import Setting, Versions
from tilewright.tuning.result import (
    STAGES,
    Finalist,
    Trial,
    TuningResult,
    failure,
    rank,
)
from tilewright.tuning.strategies import STRATEGIES, make_strategy
from tilewright.tuning.worker import Pool, wait

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.database import Database
    from tilewright.tuning.jobs import Reference
    from tilewright.tuning.space import Point, Space
    from tilewright.tuning.strategies.base import Strategy

T = TypeVar("T")

_FAVOURITES_SHARE = 4
_MOST_FAVOURITES = 24
_FAVOURITES_SECONDS = 15.0
"""One trial in four begins with the cost model, at most so many, and so long."""

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
        tempfile.TemporaryDirectory(prefix="tilewright-tune-") as scratch,
        Pool(options.workers, "compile", limit=options.compile_limit) as compiling,
        Pool(1, "measure", limit=options.measure_limit) as measuring,
    ):
        run = _Run(
            subject, options, database, progress or Silent(), compiling, measuring
        )
        return run.run(Path(scratch))


class _Run:
    """One tuning run."""

    def __init__(
        self,
        subject: Subject[Any],
        options: TuneOptions,
        database: Database | None,
        progress: Progress,
        compiling: Pool,
        measuring: Pool,
    ) -> None:
        self._subject = subject
        self._options = options
        self._database = database
        self._progress = progress
        self._compiling = compiling
        self._measuring = measuring
        self._trials: list[Trial] = []
        self._warnings: list[str] = []
        self._seconds: dict[str, float] = {stage: 0.0 for stage in STAGES}
        self._exhausted = False
        self._start = self._search_start = time.perf_counter()

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
        )
        conveyor = Conveyor(
            self._subject,
            self._options,
            setting,
            self._database,
            self._compiling,
            self._measuring,
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
        self._compiling.start()
        self._measuring.submit(ProbeJob(self._options.device), limit=300.0)
        while True:
            for finished in wait([self._measuring], 600.0):
                if finished.ending != "ok":
                    raise RuntimeError(f"cannot use the device: {finished.error}")
                return finished.value.name

    def _search(self, conveyor: Conveyor) -> None:
        options = self._options
        self._search_start = time.perf_counter()
        space = self._subject.space
        strategy: Strategy = make_strategy(
            options.strategy, space, options.seed, options.strategy_options
        )
        limit = options.planned(space)
        learns = STRATEGIES[options.strategy].learns and limit > 1
        first = self._recorded_best(space, conveyor.setting)
        if learns:
            first += self._favourites(limit)
        guided = strategy = Guided(first, strategy)
        # Enough to keep every compile worker busy and the measuring one supplied; more
        # would only make a strategy that learns propose blindly.
        most_outstanding = 2 * options.workers + 4
        asked = 0
        queue: list[Point] = []
        while True:
            if not self._time_left():
                queue, limit = [], asked
            if not queue and asked < limit:
                wanted = min(_ASKED_AT_ONCE, limit - asked)
                if learns and asked >= limit - limit // _LAST_SHARE:
                    self._refine(guided)
                queue = self._timed("search", strategy.ask, wanted)
                asked += len(queue)
                if not queue:
                    limit = asked
            ended: list[Trial] = []
            if queue and conveyor.outstanding < most_outstanding:
                ended += conveyor.put(asked - len(queue) + 1, queue.pop(0))
                ended += conveyor.collect(0.0)
            elif conveyor.outstanding and not self._past_grace():
                ended += conveyor.collect(0.5)
            elif not queue:
                break
            for trial in ended:
                self._trials.append(trial)
                self._timed("search", strategy.tell, trial.point, trial.milliseconds)
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

    def _refine(self, guided: Guided) -> None:
        """Let the neighbours of the best point so far come next, once for each best."""
        ranking = rank(self._trials)
        if ranking:
            guided.add(self._subject.space.neighbours(ranking[0].point))

    def _favourites(self, limit: int) -> list[Point]:
        """What the cost model would try first: a share of the trials."""
        options = self._options
        wanted = min(limit // _FAVOURITES_SHARE, _MOST_FAVOURITES)
        seconds = _FAVOURITES_SECONDS
        if options.budget is not None:
            seconds = min(seconds, options.budget / 10)
        return self._timed(
            "search",
            favourites,
            self._subject.space,
            self._subject.build,
            options.target,
            wanted,
            options.seed,
            seconds,
        )

    def _final(self, conveyor: Conveyor) -> tuple[Finalist, ...]:
        """Time the best few and the contenders in turn, in one worker."""
        chosen = {
            f"trial {trial.number}": trial
            for trial in choose_finalists(self._trials, self._options.finalists)
        }
        programs = {name: conveyor.program_of(trial) for name, trial in chosen.items()}
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
        ticket = self._measuring.submit(job, options.measure_limit * len(programs))
        try:
            while True:
                for finished in wait([self._measuring], 600.0):
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
        mine = conveyor.own_seconds + self._seconds["search"] + self._seconds["final"]
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
            lost_workers=self._compiling.lost_workers + self._measuring.lost_workers,
            warnings=tuple(self._warnings),
        )

    def _time_left(self) -> bool:
        budget = self._options.budget
        return budget is None or time.perf_counter() - self._search_start < budget

    def _past_grace(self) -> bool:
        """Whether candidates begun in time have had time enough to end."""
        budget = self._options.budget
        if budget is None:
            return False
        grace = max(5.0, 0.1 * budget)
        return time.perf_counter() - self._search_start > budget + grace

    def _timed(self, stage: str, call: Callable[..., T], *args: Any) -> T:
        start = time.perf_counter()
        try:
            return call(*args)
        finally:
            self._seconds[stage] += time.perf_counter() - start
