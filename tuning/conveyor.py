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

from tilewright.codegen.compile import CompiledStats, source_file
from tilewright.ir.errors import SilenceableFailure
from tilewright.tuning.cost import estimate_each
from tilewright.tuning.jobs import CompileJob, MeasureJob, Reference
from tilewright.tuning.means import geometric_mean
from tilewright.tuning.occupancy import prune_program
from tilewright.tuning.records import Outcome, Record, Setting
from tilewright.tuning.result import Origin, Trial
from tilewright.tuning.worker import Finished, Pool, wait

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilewright.codegen.program import GeneratedProgram, Shapes, TensorSpec
    from tilewright.tuning.database import Database
    from tilewright.tuning.options import Answer, Built, Subject, TuneOptions
    from tilewright.tuning.space import Point


@dataclass
class _Candidate:
    """A program on its way."""

    number: int
    point: Point
    built: Built
    seconds: dict[str, float]
    stats: tuple[CompiledStats, ...] = ()
    estimate: float | None = None
    each: tuple[float, ...] = ()
    """The estimate at every size that is timed."""
    twins: list[tuple[int, Point]] = field(default_factory=list)
    """Other points that gave the same program while it was on its way."""

    @property
    def program(self) -> GeneratedProgram:
        return self.built.program


class Conveyor:
    """The stages of one tuning run."""

    def __init__(
        self,
        subject: Subject[Any],
        options: TuneOptions,
        setting: Setting,
        database: Database | None,
        compiling: Pool,
        measuring: Pool,
        scratch: Path,
    ) -> None:
        """Set up for a run; `scratch` is a folder that lives as long as the run."""
        self._subject = subject
        self._options = options
        self.setting = setting
        self._database = database
        self._compiling = compiling
        self._measuring = measuring
        self._scratch = scratch
        self._files: dict[int, tuple[Answer, tuple[Path, ...]]] = {}
        """Each answer that was needed so far, by its identity, and its files."""
        self._compiles: dict[int, _Candidate] = {}
        self._measures: dict[int, _Candidate] = {}
        self._under_way: dict[str, _Candidate] = {}
        self._done: dict[str, Trial] = {}
        self._programs: dict[str, GeneratedProgram] = {}
        self.seconds: dict[str, float] = {}
        """Busy seconds by stage, of this process and the workers."""
        self.own_seconds = 0.0
        """The part of them that this process spent."""
        self.waited = 0.0
        """Seconds this process did nothing but wait for workers."""

    @property
    def outstanding(self) -> int:
        """Candidates that are compiling, measuring or waiting to."""
        return len(self._compiles) + len(self._measures)

    def program_of(self, trial: Trial) -> GeneratedProgram:
        """The program of a trial; built again where the trial came from the file."""
        known = self._programs.get(trial.record.program)
        return known or self._subject.build(trial.point).program

    def put(self, number: int, point: Point) -> list[Trial]:
        """Start on a point; returns the trials that this finished at once."""
        if self._database is not None and self._options.reuse:
            found = self._database.lookup_point(self.setting, point)
            if found is not None:
                # The file keeps names sorted; people want the schedule's order.
                return [self._reuse(number, replace(found, point=point))]
        try:
            built, seconds = self._build(point)
        except SilenceableFailure as refusal:
            record = self._record(point, "", "invalid", error=str(refusal))
            return [self._finish(number, record, "new")]
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
        job = CompileJob(
            program,
            self._options.target,
            self._options.cache_dir,
            self._shapes(candidate),
        )
        self._compiles[self._compiling.submit(job)] = candidate
        return []

    def collect(self, timeout: float) -> list[Trial]:
        """Trials that finished, waiting for one at most `timeout` seconds."""
        trials: list[Trial] = []
        start = time.perf_counter()
        ended = wait([self._compiling, self._measuring], timeout)
        self.waited += time.perf_counter() - start
        for finished in ended:
            if isinstance(finished.job, CompileJob):
                trials += self._compiled(self._compiles.pop(finished.ticket), finished)
            else:
                trials += self._measured(self._measures.pop(finished.ticket), finished)
        return trials

    def timed_references(self, program: GeneratedProgram) -> tuple[Reference, ...]:
        """The right answers that programs are timed on, where a worker finds them."""
        return tuple(
            self._reference(program, answer)
            for answer in self._subject.answers
            if answer.timed
        )

    def _references(self, built: Built) -> tuple[Reference, ...]:
        """Those, and the ones of further sizes that the program takes."""
        return tuple(
            self._reference(built.program, self._answer_for(built, answer))
            for answer in self._subject.answers
            if answer.timed or self._accepts(built, answer)
        )

    def _answer_for(self, built: Built, answer: Answer) -> Answer:
        answer_for = self._subject.answer_for
        return answer if answer_for is None else answer_for(built, answer)

    def _accepts(self, built: Built, answer: Answer) -> bool:
        accepts = self._subject.accepts
        return accepts is None or accepts(built, answer)

    def _shapes(self, candidate: _Candidate) -> tuple[Shapes, ...]:
        """The sizes that a program will run at, those that are timed first."""
        on_device = self._options.device is not None
        answers = sorted(self._subject.answers, key=lambda answer: not answer.timed)
        return tuple(
            answer.shapes
            for answer in answers
            if answer.shapes is not None
            and (answer.timed or (on_device and self._accepts(candidate.built, answer)))
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

    def _build(self, point: Point) -> tuple[Built, dict[str, float]]:
        start = time.perf_counter()
        try:
            built = self._subject.build(point)
        except SilenceableFailure:
            self._spend_own("transform", time.perf_counter() - start)
            raise
        seconds = dict(built.seconds)
        # Whatever the pipeline does not account for is schedule work too.
        rest = time.perf_counter() - start - sum(seconds.values())
        seconds["transform"] = seconds.get("transform", 0.0) + max(rest, 0.0)
        for stage, spent in seconds.items():
            self._spend_own(stage, spent)
        return built, seconds

    def _compiled(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        candidate.seconds["compile"] = done.seconds
        self._spend("compile", done.seconds)
        if done.ending != "ok":
            outcome: Outcome = (
                "compile_error" if done.ending == "error" else done.ending
            )
            return self._end(candidate, outcome, error=done.error)
        target = self._options.target
        candidate.stats = done.value
        costs = estimate_each(candidate.program, done.value, target)
        candidate.each = tuple(cost.milliseconds for cost in costs)
        candidate.estimate = geometric_mean(candidate.each)
        reason = prune_program(candidate.program, done.value, target)
        if reason is not None:
            return self._end(candidate, "pruned", error=reason)
        if self._options.device is None:
            return self._estimated(candidate)
        program = candidate.program
        job = MeasureJob(
            source_file(program, self._options.cache_dir),
            program.entry,
            self._references(candidate.built),
            self._options.timing,
            self._options.device,
        )
        self._measures[self._measuring.submit(job)] = candidate
        return []

    def _estimated(self, candidate: _Candidate) -> list[Trial]:
        """End a candidate that no device will run: check what can be checked."""
        if self._subject.check is not None:
            start = time.perf_counter()
            comparison = self._subject.check(candidate.built)
            candidate.seconds["check"] = time.perf_counter() - start
            self._spend_own("check", candidate.seconds["check"])
            if not comparison.ok:
                return self._end(candidate, "wrong", error=comparison.message)
        ms = candidate.estimate
        return self._end(candidate, "ok", times=(ms, ms, ms), each=candidate.each)

    def _measured(self, candidate: _Candidate, done: Finished) -> list[Trial]:
        if done.ending != "ok":
            # An exception while running is the program's fault as much as a crash.
            outcome: Outcome = "timeout" if done.ending == "timeout" else "crash"
            self._spend("time", done.seconds)
            return self._end(candidate, outcome, error=done.error)
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
        times: tuple[float | None, ...] = (None, None, None),
        each: tuple[float, ...] = (),
        repetitions: int = 0,
    ) -> list[Trial]:
        """Record a candidate and the twins that waited for it."""
        key = candidate.program.key
        self._under_way.pop(key, None)
        record = replace(
            self._record(candidate.point, key, outcome, error=error),
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
        self, point: Point, key: str, outcome: Outcome, *, error: str
    ) -> Record:
        measured = self._options.device is not None
        return Record(self.setting, point, key, outcome, measured, error=error)

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
        if record.program:
            self._done.setdefault(record.program, trial)
        return trial

    def _spend(self, stage: str, seconds: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds

    def _spend_own(self, stage: str, seconds: float) -> None:
        self._spend(stage, seconds)
        self.own_seconds += seconds


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
