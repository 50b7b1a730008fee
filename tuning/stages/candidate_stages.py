"""The stages in their order: build, deduplicate, prune, compile, check or measure.

Points go in, trials come out, in whatever order they end. The stages overlap: each has
its own jobs in the worker pools.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.learning.features import ESTIMATE
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.stages.build import BuildOutcome, BuildStage
from tilewright.tuning.stages.build_jobs import (
    BuildJob,
    CheckJob,
    ExpectedResultsJob,
    NumpyResultsJob,
)
from tilewright.tuning.stages.candidates import Candidate, Ending, estimated
from tilewright.tuning.stages.check import CheckStage
from tilewright.tuning.stages.code_key import code_key
from tilewright.tuning.stages.compile import CompileStage
from tilewright.tuning.stages.device_idle import DeviceIdle
from tilewright.tuning.stages.environment_failures import EnvironmentFailures
from tilewright.tuning.stages.leaders import Leaders, has_leaders
from tilewright.tuning.stages.measure import MeasureStage
from tilewright.tuning.stages.slow_estimates import SlowEstimates
from tilewright.tuning.stages.trials import Trials
from tilewright.tuning.workers.jobs import CompileJob, PrepareJob, RetimeJob
from tilewright.tuning.workers.pools import Finished, Pool, wait

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.measure.references import Reference
    from tilewright.tuning.options import TuneOptions, TuningTask
    from tilewright.tuning.results.records import Setting
    from tilewright.tuning.results.run_log import RunLog
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.space.choices import Point


@dataclass(frozen=True)
class Pools:
    """The worker processes of a run."""

    building: Pool
    compiling: Pool
    measuring: Pool

    @property
    def all(self) -> tuple[Pool, Pool, Pool]:
        """All pools of the run."""
        return self.building, self.compiling, self.measuring

    @property
    def lost_workers(self) -> int:
        """Processes that had to be replaced because of a job."""
        return sum(pool.lost_workers for pool in self.all)


class CandidateStages:
    """Takes points through the stages of one tuning run."""

    def __init__(
        self,
        task: TuningTask[Any],
        options: TuneOptions,
        setting: Setting,
        log: RunLog | None,
        pools: Pools,
        scratch: Path,
    ) -> None:
        """Set up the stages; the folder `scratch` lives as long as the run."""
        self.setting = setting
        self.seconds: dict[str, float] = defaultdict(float)
        """Busy seconds of the workers, by stage."""
        self.warnings: dict[str, UserError] = {}
        """Warnings about candidates, by text."""
        self._task = task
        self._options = options
        self.pools = pools
        """The worker processes."""
        self._trials = Trials(
            setting,
            log,
            reuse=options.reuse,
            measured=options.device is not None,
            closed=task.closed,
        )
        self._programs: dict[str, GeneratedProgram] = {}
        building, compiling, measuring = pools.all
        self._build = BuildStage(building, options, self.seconds)
        self._compile = CompileStage(compiling, task, options, self.seconds)
        self._check = CheckStage(building, options, self.seconds)
        self._measure = MeasureStage(
            building, measuring, task, options, scratch, self.seconds
        )
        self._measure.prepare()
        self._leaders: Leaders | None = None
        if has_leaders(options, measuring):
            self._leaders = Leaders(measuring, options)
        self._slow = SlowEstimates(options.prune_slower)
        self._failures = EnvironmentFailures()
        self._error: UserError | None = None
        """Why the run cannot go on: a lost device, a full disk."""
        self.idle = DeviceIdle()
        """The time in which the device has no work."""
        self.first_ends: dict[str, float] = {}
        """When the first job of each kind ended."""
        self.waited = 0.0
        """Seconds this process did nothing but wait for workers."""
        self._ended: list[Trial] = []
        """Trials that ended during a preview."""

    @property
    def outstanding(self) -> int:
        """Candidates that are in some stage, or have ended and are not collected."""
        return len(self._ended) + sum(
            stage.outstanding
            for stage in (self._build, self._compile, self._check, self._measure)
        )

    def preview(
        self, points: Sequence[Point], seconds: float, *, patient: bool = True
    ) -> list[tuple[Point, GeneratedProgram]]:
        """Build points without making trials of them, as many as there is time for.

        Trials go on meanwhile. Points that do not build are left out. The order is that
        of `points`. A trial of such a point starts at the compiler. An impatient caller
        does not wait while the compilers want work, and may ask again later.
        """
        tickets = self._build.preview(points)
        until = time.monotonic() + seconds
        while self._build.under_way(tickets):
            if time.monotonic() >= until:
                self._build.drop_previews()
                break
            if not patient and self.pools.compiling.wants_jobs:
                # It must be read what has ended, although nobody waits for it.
                self._ended += self._take(0.0)
                break
            self._ended += self._take(min(until - time.monotonic(), 0.5))
        found = [(point, self._build.previewed(point)) for point in points]
        return [(point, built.program) for point, built in found if built is not None]

    def go_on(self) -> None:
        """Take finished jobs to their next stage, without waiting for any.

        For runs that share the workers with one that waits; the trials that end are
        collected later.
        """
        self._ended += self._take(0.0)

    def start_previews(self, points: Sequence[Point]) -> None:
        """Start to build points that are not described yet; `describe` waits."""
        known = self._build.features
        self._build.preview([p for p in points if canonical(p) not in known])

    def describe(
        self, points: Sequence[Point], seconds: float, *, patient: bool = True
    ) -> list[dict[str, float] | None]:
        """The features of points: none where they are not known, or not yet.

        None where a point has no program.
        """
        known = self._build.features
        new = [p for p in points if canonical(p) not in known]
        self.preview(new, seconds, patient=patient)
        return [known.get(canonical(point), {}) for point in points]

    def is_refused(self, point: Point) -> bool:
        """Whether a point was built and has no program."""
        return self._build.features.get(canonical(point), {}) is None

    def program_of(self, trial: Trial, seconds: float) -> GeneratedProgram | None:
        """The program of a trial; built again where the trial came from the file."""
        known = self._programs.get(trial.record.program)
        if known is not None:
            return known
        tickets = self._build.preview([trial.point])
        until = time.monotonic() + seconds
        while self._build.under_way(tickets) and time.monotonic() < until:
            # Candidates that time ran out for are not taken further.
            building = self.pools.building
            for done in wait([building], min(until - time.monotonic(), 0.5)):
                if isinstance(done.job, BuildJob):
                    self._build.finish(done)
        built = self._build.previewed(trial.point)
        return None if built is None else built.program

    def timed_references(self, program: GeneratedProgram) -> tuple[Reference, ...]:
        """The references that a program is timed on."""
        return self._measure.timed_references(program)

    def abandon(self) -> None:
        """Drop the candidates that wait for a worker; nobody collects the others."""
        for stage in (self._compile, self._measure, self._leaders):
            if stage is not None:
                stage.abandon()

    @property
    def times_again(self) -> dict[str, float]:
        """Milliseconds of the programs that were timed again during the search."""
        return {} if self._leaders is None else self._leaders.times

    @property
    def seconds_again(self) -> float:
        """Seconds in which the device timed programs again during the search."""
        return 0.0 if self._leaders is None else self._leaders.seconds

    @property
    def reference(self) -> str:
        """What computed the expected results, in words."""
        return self._measure.reference

    def put(self, number: int, point: Point) -> list[Trial]:
        """Start on a point; returns the trials that end at once."""
        recorded = self._trials.recorded(number, point)
        if recorded is not None:
            return [recorded]
        built = self._build.start(number, point)
        return [] if built is None else self._after_build(built)

    def collect(self, timeout: float) -> list[Trial]:
        """Trials that have ended; waits for one at most `timeout` seconds."""
        ended, self._ended = self._ended, []
        return ended + self._take(0.0 if ended else timeout)

    def _take(self, timeout: float) -> list[Trial]:
        """Take finished jobs to their next stage; returns the trials that they end.

        An error that ends the run is raised once those trials have been returned.
        """
        if self._error is not None:
            raise self._error
        if self._leaders is not None and self._lack() in ("compile", "build"):
            self._leaders.start()
        self.idle.note(self._lack())
        start = time.perf_counter()
        finished = wait(self.pools.all, timeout)
        self.waited += time.perf_counter() - start
        ended: list[Trial] = []
        for done in finished:
            try:
                made = self._advance(done)
                ended += made
                self._failures.note(made)
            except UserError as error:
                self._error = self._error or error
        self.idle.note(self._lack())
        if self._error is not None and not ended:
            raise self._error
        return ended

    def _lack(self) -> str | None:
        """What the device waits for; None while it has work."""
        if not self._measure.has_begun:
            return "start"
        if self._measure.is_busy or (self._leaders and self._leaders.is_busy):
            return None
        if self._measure.outstanding:
            return "reference"
        if self._compile.outstanding:
            return "compile"
        return "build" if self._build.outstanding else "search"

    def _advance(self, done: Finished) -> list[Trial]:
        """Take a finished job to the next stage; returns the trials that it ends."""
        self.first_ends.setdefault(type(done.job).__name__, time.perf_counter())
        match done.job:
            case BuildJob():
                built = self._build.finish(done)
                return [] if built is None else self._after_build(built)
            case CompileJob():
                compiled = self._compile.finish(done)
                return [] if compiled is None else self._after_compile(*compiled)
            case CheckJob():
                ended = self._check.finish(done)
            case ExpectedResultsJob():
                ended = self._measure.finish_expected(done)
            case PrepareJob():
                self._measure.finish_preparing(done)
                return []
            case NumpyResultsJob():
                self._measure.finish_numpy(done)
                return []
            case RetimeJob():
                if self._leaders is not None:
                    self._leaders.finish(done)
                return []
            case _:
                ended = self._measure.finish(done)
                self._learn(ended)
        return [] if ended is None else self._trials.end(*ended)

    def _learn(self, ended: tuple[Candidate, Ending] | None) -> None:
        """Compare a measured time with its estimate."""
        if ended is not None and ended[1].times[1] is not None:
            candidate, ending = ended
            estimate = candidate.built.features.get(ESTIMATE)
            milliseconds = ending.times[1]
            assert milliseconds is not None
            self._slow.add(estimate, milliseconds)
            if self._leaders is not None:
                references = self._measure.timed_references(candidate.program)
                self._leaders.add(candidate.program, references, milliseconds)

    def _after_build(self, built: BuildOutcome) -> list[Trial]:
        """Compile a program unless it is known already, or cannot run."""
        number, point, result = built.number, built.point, built.result
        if isinstance(result, Ending):
            return [self._trials.end_unbuilt(number, point, result, built.seconds)]
        self.warnings.update({str(warning): warning for warning in result.warnings})
        program = result.program
        self._programs[program.key] = program
        known = self._trials.same_program(number, point, program.key)
        if known is not None:
            return known
        candidate = Candidate(number, point, result, built.seconds)
        reason = prune_program(program, None, self._options.target)
        if reason is not None:
            return self._trials.end(candidate, Ending("pruned", reason))
        reason = self._slow.reason(result.features.get(ESTIMATE))
        if reason is not None:
            # The next run has another best time, and may measure it.
            ending = Ending("pruned", reason, is_lasting=False)
            return self._trials.end(candidate, ending)
        self._trials.begin(candidate)
        self._compile.start(candidate)
        return []

    def _after_compile(
        self, candidate: Candidate, ending: Ending | None
    ) -> list[Trial]:
        """Measure a compiled candidate; without a device, check or estimate it."""
        if ending is not None:
            return self._trials.end(candidate, ending)
        code = code_key(candidate.program, candidate.stats)
        if (known := self._trials.same_code(candidate, code)) is not None:
            return known
        if self._options.device is not None:
            self._measure.start(candidate)
        elif self._task.check is not None:
            self._check.start(candidate)
        else:
            return self._trials.end(candidate, estimated(candidate))
        return []
