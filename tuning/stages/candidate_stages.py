"""Carrying candidates through the stages: build, deduplicate, compile, prune, measure.

Points go in, finished trials come out, in whatever order they finish. Each is recorded
on its way out.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import CompiledStats, source_file
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.measure.jobs import CompileJob, MeasureJob, Reference
from tilewright.tuning.measure.worker_pool import Finished, Pool, wait
from tilewright.tuning.model.cost import estimate_each
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.results.records import Cause, Outcome, Record, Setting
from tilewright.tuning.results.tuning_result import Origin, Trial
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.stages.build_jobs import (
    AnswerJob,
    BuildJob,
    BuiltPoint,
    CheckJob,
    Refusal,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilewright.codegen.program import GeneratedProgram, Shapes, TensorSpec
    from tilewright.ir.errors import UserError
    from tilewright.tuning.options import Answer, Subject, TuneOptions
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.space.choices import Point


@dataclass
class _Candidate:
    """A program on its way."""

    number: int
    point: Point
    built: BuiltPoint
    seconds: dict[str, float]
    stats: tuple[CompiledStats, ...] = ()
    estimate: float | None = None
    each: tuple[float, ...] = ()
    """The estimate at every size that is timed."""
    twins: list[tuple[int, Point]] = field(default_factory=list)
    """Other points that gave the same program while it was on its way."""
    tried_again: bool = False
    """Whether something happened to it once already."""

    @property
    def program(self) -> GeneratedProgram:
        return self.built.program


@dataclass
class _Order:
    """A point that is being built; without a number, only to see what comes of it."""

    number: int | None
    point: Point
    tried_again: bool = False


class Conveyor:
    """The stages of one tuning run."""

    def __init__(
        self,
        subject: Subject[Any],
        options: TuneOptions,
        setting: Setting,
        database: Database | None,
        building: Pool,
        compiling: Pool,
        measuring: Pool,
        scratch: Path,
    ) -> None:
        """Set up for a run; `scratch` is a folder that lives as long as the run."""
        self._subject = subject
        self._options = options
        self.setting = setting
        self._database = database
        self._building = building
        self._compiling = compiling
        self._measuring = measuring
        self._scratch = scratch
        self._files: dict[int, tuple[Answer, tuple[Path, ...]]] = {}
        """Each answer that was needed so far, by its identity, and its files."""
        self._builds: dict[int, _Order] = {}
        self._built: dict[str, BuiltPoint] = {}
        """What was built to see what comes of it, by its point."""
        self._checks: dict[int, _Candidate] = {}
        self._asked: dict[int, _Candidate] = {}
        """Candidates that wait for the right answers of programs that round."""
        self._answers: dict[str, Sequence[Answer]] = {"": subject.answers}
        self._compiles: dict[int, _Candidate] = {}
        self._measures: dict[int, _Candidate] = {}
        self._under_way: dict[str, _Candidate] = {}
        self._done: dict[str, Trial] = {}
        self._programs: dict[str, GeneratedProgram] = {}
        self.seconds: dict[str, float] = {}
        """Busy seconds of the workers, by stage."""
        self.waited = 0.0
        """Seconds this process did nothing but wait for workers."""
        self.warnings: dict[str, UserError] = {}
        """What candidates have to say, each once."""

    @property
    def outstanding(self) -> int:
        """Candidates that are in some stage or waiting for one."""
        working = (self._compiles, self._checks, self._asked, self._measures)
        return len(self._builds) + sum(map(len, working))

    def program_of(self, trial: Trial, seconds: float) -> GeneratedProgram | None:
        """The program of a trial; built again where the trial came from the file."""
        known = self._programs.get(trial.record.program)
        if known is not None:
            return known
        for _, program in self.preview([trial.point], seconds):
            return program
        return None

    def preview(
        self, points: Sequence[Point], seconds: float
    ) -> list[tuple[Point, GeneratedProgram]]:
        """Build points, as many as there is time for, without making trials of them.

        Those that do not build are left out. The order is that of the points.
        """
        tickets = {self._submit_build(_Order(None, point)): point for point in points}
        until = time.monotonic() + seconds
        while set(tickets) & set(self._builds) and time.monotonic() < until:
            self._wait_for_builds(until - time.monotonic())
        for ticket in set(tickets) & set(self._builds):
            del self._builds[ticket]
            self._building.forget(ticket)
        found = [(point, self._built.get(canonical(point))) for point in points]
        return [(point, built.program) for point, built in found if built is not None]

    def _wait_for_builds(self, seconds: float) -> None:
        start = time.perf_counter()
        ended = wait([self._building], min(seconds, 0.5))
        self.waited += time.perf_counter() - start
        for finished in ended:
            order = self._builds.pop(finished.ticket, None)
            if order is None or not isinstance(finished.value, BuiltPoint):
                continue
            self._built[canonical(order.point)] = finished.value
            for stage, spent in finished.value.seconds.items():
                self._spend(stage, spent)

    def put(self, number: int, point: Point) -> list[Trial]:
        """Start on a point; returns the trials that this finished at once."""
        if self._database is not None and self._options.reuse:
            found = self._database.lookup_point(self.setting, point)
            if found is not None:
                # The file keeps names sorted; people want the schedule's order.
                return [self._reuse(number, replace(found, point=point))]
        built = self._built.pop(canonical(point), None)
        if built is not None:
            return self._generated(number, point, built, dict(built.seconds))
        self._submit_build(_Order(number, point))
        return []

    def _submit_build(self, order: _Order) -> int:
        limit = self._options.longest_build
        ticket = self._building.submit(BuildJob(order.point), limit)
        self._builds[ticket] = order
        return ticket

    def collect(self, timeout: float) -> list[Trial]:
        """Trials that finished, waiting for one at most `timeout` seconds."""
        trials: list[Trial] = []
        start = time.perf_counter()
        ended = wait([self._building, self._compiling, self._measuring], timeout)
        self.waited += time.perf_counter() - start
        for finished in ended:
            match finished.job:
                case BuildJob():
                    order = self._builds.pop(finished.ticket, None)
                    if order is not None:
                        trials += self._build_ended(order, finished)
                case CheckJob():
                    candidate = self._checks.pop(finished.ticket)
                    trials += self._checked(candidate, finished)
                case AnswerJob():
                    candidate = self._asked.pop(finished.ticket)
                    trials += self._answered(candidate, finished)
                case CompileJob():
                    candidate = self._compiles.pop(finished.ticket)
                    trials += self._compiled(candidate, finished)
                case _:
                    candidate = self._measures.pop(finished.ticket)
                    trials += self._measured(candidate, finished)
        return trials

    def _build_ended(self, order: _Order, done: Finished) -> list[Trial]:
        number, point = order.number, order.point
        assert number is not None
        seconds = {"transform": done.seconds}
        if isinstance(done.value, BuiltPoint):
            seconds = dict(done.value.seconds)
            # Whatever the pipeline does not account for is schedule work too.
            rest = done.seconds - sum(seconds.values())
            seconds["transform"] = seconds.get("transform", 0.0) + max(rest, 0.0)
        for stage, spent in seconds.items():
            self._spend(stage, spent)
        if isinstance(done.value, BuiltPoint):
            return self._generated(number, point, done.value, seconds)
        if isinstance(done.value, Refusal):
            record = self._record(point, "", "invalid", error=done.value.text)
            return [self._finish(number, replace(record, seconds=seconds), "new")]
        cause, outcome = done.cause, _outcome(done)
        hurried = self._options.longest_build < self._options.build_limit
        if outcome == "timeout" and hurried:
            # A longer run gives it more time; another try now does not.
            cause, order = "environment", replace(order, tried_again=True)
        if cause == "environment" and not order.tried_again:
            self._submit_build(replace(order, tried_again=True))
            return []
        error = f"building it: {done.error}"
        record = self._record(point, "", outcome, error=error, cause=cause)
        return [self._finish(number, replace(record, seconds=seconds), "new")]

    def _generated(
        self, number: int, point: Point, built: BuiltPoint, seconds: dict[str, float]
    ) -> list[Trial]:
        """Go on with a program, unless it is known already."""
        self.warnings.update({str(warning): warning for warning in built.warnings})
        program = built.program
        self._programs[program.key] = program
        if program.key in self._done:
            return [self._copy(number, point, self._done[program.key], "duplicate")]
        if program.key in self._under_way:
            self._under_way[program.key].twins.append((number, point))
            return []
        if self._database is not None and self._options.reuse:
            found = self._database.lookup(
                program.key,
                self.setting.device,
                self.setting.versions,
                self.setting.sizes,
            )
            if found is not None:
                known = Trial(number, found, "database")
                return [self._copy(number, point, known, "database")]
        candidate = _Candidate(number, point, built, seconds)
        reason = prune_program(program, None, self._options.target)
        if reason is not None:
            return self._end(candidate, "pruned", error=reason)
        self._under_way[program.key] = candidate
        self._compile(candidate)
        return []

    def _compile(self, candidate: _Candidate) -> None:
        job = CompileJob(
            candidate.program,
            self._options.target,
            self._options.cache_dir,
            self._shapes(candidate),
        )
        self._compiles[self._compiling.submit(job)] = candidate

    def _is_tried_again(self, candidate: _Candidate, done: Finished) -> bool:
        """Whether something happened to a candidate, for the first time."""
        if done.ending == "ok" or done.cause == "candidate" or candidate.tried_again:
            return False
        candidate.tried_again = True
        return True

    def timed_references(self, program: GeneratedProgram) -> tuple[Reference, ...]:
        """The right answers that programs are timed on, where a worker finds them."""
        return tuple(
            self._reference(program, answer)
            for answer in self._subject.answers
            if answer.timed
        )

    def _references(self, built: BuiltPoint) -> tuple[Reference, ...]:
        """Those, and the ones of further sizes that the program takes."""
        answers = self._answers.get(built.rounding, self._subject.answers)
        return tuple(
            self._reference(built.program, answer)
            for answer, taken in zip(answers, built.takes, strict=True)
            if taken
        )

    def _shapes(self, candidate: _Candidate) -> tuple[Shapes, ...]:
        """The sizes that a program will run at, those that are timed first."""
        on_device = self._options.device is not None
        answers = sorted(
            zip(self._subject.answers, candidate.built.takes, strict=True),
            key=lambda pair: not pair[0].timed,
        )
        return tuple(
            answer.shapes
            for answer, taken in answers
            if answer.shapes is not None and (answer.timed or (on_device and taken))
        )

    def _reference(self, program: GeneratedProgram, answer: Answer) -> Reference:
        if id(answer) not in self._files:
            folder = self._scratch / str(len(self._files))
            folder.mkdir(exist_ok=True)
            self._files[id(answer)] = answer, write_answer(answer.arrays, folder)
        arguments, results = program.arguments, program.results
        if answer.shapes is not None:
            arguments = with_shapes(arguments, answer.shapes)
            results = with_shapes(results, [array.shape for array in answer.arrays])
        return Reference(
            arguments,
            results,
            answer.seed,
            self._files[id(answer)][1],
            answer.reduction,
            program.precision or answer.precision,
            answer.timed,
            answer.title,
            answer.slack,
        )

    def _compiled(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        candidate.seconds["compile"] = done.seconds
        self._spend("compile", done.seconds)
        if self._is_tried_again(candidate, done):
            self._compile(candidate)
            return []
        if done.ending != "ok":
            outcome: Outcome = (
                "compile_error" if done.ending == "error" else done.ending
            )
            return self._end(candidate, outcome, error=done.error, cause=done.cause)
        target = self._options.target
        candidate.stats = done.value
        costs = estimate_each(candidate.program, done.value, target)
        candidate.each = tuple(cost.milliseconds for cost in costs)
        candidate.estimate = geometric_mean(candidate.each)
        reason = prune_program(candidate.program, done.value, target)
        if reason is not None:
            return self._end(candidate, "pruned", error=reason)
        if self._options.device is None and self._subject.check is not None:
            self._check(candidate)
            return []
        if self._options.device is None:
            return self._estimated(candidate)
        self._measure(candidate)
        return []

    def _check(self, candidate: _Candidate) -> None:
        limit = self._options.build_limit + self._options.measure_limit
        job = CheckJob(candidate.point)
        self._checks[self._building.submit(job, limit)] = candidate

    def _answered(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        self._spend("check", done.seconds)
        if done.ending == "ok":
            self._answers.setdefault(candidate.built.rounding, done.value)
        elif not self._is_tried_again(candidate, done):
            outcome = _outcome(done)
            error = f"computing its reference on numpy: {done.error}"
            return self._end(candidate, outcome, error=error, cause=done.cause)
        self._measure(candidate)
        return []

    def _measure(self, candidate: _Candidate) -> None:
        if candidate.built.rounding not in self._answers:
            limit = self._options.build_limit + self._options.measure_limit
            ticket = self._building.submit(AnswerJob(candidate.point), limit)
            self._asked[ticket] = candidate
            return
        program = candidate.program
        assert self._options.device is not None
        job = MeasureJob(
            source_file(program, self._options.cache_dir),
            program.entry,
            self._references(candidate.built),
            self._options.timing,
            self._options.device,
        )
        self._measures[self._measuring.submit(job)] = candidate

    def _estimated(self, candidate: _Candidate) -> list[Trial]:
        """End a candidate that no device will run."""
        ms = candidate.estimate
        return self._end(candidate, "ok", times=(ms, ms, ms), each=candidate.each)

    def _checked(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        candidate.seconds["check"] = done.seconds
        self._spend("check", done.seconds)
        if self._is_tried_again(candidate, done):
            self._check(candidate)
            return []
        if done.ending != "ok":
            outcome = _outcome(done)
            error = f"checking it on numpy: {done.error}"
            return self._end(candidate, outcome, error=error, cause=done.cause)
        if not done.value.ok:
            return self._end(candidate, "wrong", error=done.value.message)
        return self._estimated(candidate)

    def _measured(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        if self._is_tried_again(candidate, done):
            self._measure(candidate)
            return []
        if done.ending != "ok":
            # An exception while running is the program's fault as much as a crash.
            outcome = _outcome(done)
            self._spend("time", done.seconds)
            return self._end(candidate, outcome, error=done.error, cause=done.cause)
        measurement = done.value
        for stage, spent in measurement.seconds.items():
            candidate.seconds[stage] = spent
            self._spend(stage, spent)
        timing = measurement.timing
        if timing is None:
            return self._end(candidate, "wrong", error=measurement.comparison.message)
        return self._end(
            candidate,
            "ok",
            times=(timing.p20, timing.p50, timing.p80),
            each=tuple(one.p50 for one in measurement.each),
            repetitions=timing.repetitions,
        )

    def _end(
        self,
        candidate: _Candidate,
        outcome: Outcome,
        *,
        error: str = "",
        cause: Cause = "candidate",
        times: tuple[float | None, ...] = (None, None, None),
        each: tuple[float, ...] = (),
        repetitions: int = 0,
    ) -> list[Trial]:
        """Record a candidate and the twins that waited for it."""
        key = candidate.program.key
        self._under_way.pop(key, None)
        record = replace(
            self._record(candidate.point, key, outcome, error=error, cause=cause),
            p20=times[0],
            p50=times[1],
            p80=times[2],
            each=each if len(each) > 1 else (),
            repetitions=repetitions,
            stats=candidate.stats,
            seconds=candidate.seconds,
        )
        trial = self._finish(candidate.number, record, "new", candidate.estimate)
        twins = [
            self._copy(number, point, trial, "duplicate")
            for number, point in candidate.twins
        ]
        return [trial, *twins]

    def _record(
        self,
        point: Point,
        key: str,
        outcome: Outcome,
        *,
        error: str,
        cause: Cause = "candidate",
    ) -> Record:
        measured = self._options.device is not None
        return Record(
            self.setting, point, key, outcome, measured, error=error, cause=cause
        )

    def _copy(self, number: int, point: Point, known: Trial, origin: Origin) -> Trial:
        """A trial of another point that gave a program already known."""
        record = replace(known.record, setting=self.setting, point=point, seconds={})
        return self._finish(number, record, origin, known.estimate)

    def _reuse(self, number: int, record: Record) -> Trial:
        trial = Trial(number, record, "database")
        if record.program:
            self._done.setdefault(record.program, trial)
        return trial

    def _finish(
        self,
        number: int,
        record: Record,
        origin: Origin,
        estimated: float | None = None,
    ) -> Trial:
        if self._database is not None:
            record = self._database.record(record)
        trial = Trial(number, record, origin, estimated)
        if record.program and record.cause == "candidate":
            self._done.setdefault(record.program, trial)
        return trial

    def _spend(self, stage: str, seconds: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


def _outcome(done: Finished) -> Outcome:
    """Of a job that did not end well."""
    return "timeout" if done.ending == "timeout" else "crash"


def with_shapes(
    specs: Sequence[TensorSpec], shapes: Sequence[Sequence[int]]
) -> tuple[TensorSpec, ...]:
    """Specs with the shapes that arrays have."""
    return tuple(
        replace(spec, shape=tuple(shape))
        for spec, shape in zip(specs, shapes, strict=True)
    )


def write_answer(arrays: Sequence[np.ndarray], folder: Path) -> tuple[Path, ...]:
    """Save the reference arrays; numpy's format has no bf16, f32 holds it exactly."""
    files: list[Path] = []
    for position, array in enumerate(arrays):
        plain = np.asarray(array)
        narrow = plain.dtype.itemsize < 4 and plain.dtype.kind not in "iub"
        path = folder / f"result{position}.npy"
        np.save(path, plain.astype(np.float32) if narrow else plain)
        files.append(path)
    return tuple(files)
