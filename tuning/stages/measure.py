"""The measure stage: a worker with the device checks a candidate, then times it.

Expected results come first. Where torch computes them on the device, candidates wait
until the worker has them, or until numpy has them because the device could not. A
candidate that rounds on purpose has expected results of its own, computed once for all
candidates that round alike.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import source_file
from tilewright.ir.errors import UserError
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.measure.references import Reference, save_results, with_shapes
from tilewright.tuning.stages.build_jobs import (
    BuiltPoint,
    ExpectedResultsJob,
    NumpyResultsJob,
)
from tilewright.tuning.stages.candidates import Candidate, Ending, failed
from tilewright.tuning.workers.jobs import MeasureJob, PrepareJob, ProbeJob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilewright.codegen.program import GeneratedProgram, TensorSpec
    from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
    from tilewright.tuning.workers.pools import Finished, Pool


class NoExpectedResultsError(UserError):
    """Neither the device nor numpy computes what candidates are checked against."""


def device_lost(done: Finished) -> UserError:
    """The error of a run whose device has gone; nothing is recorded against a point."""
    line = (done.error.strip().splitlines() or ["no device"])[0]
    return UserError(
        f"the device is lost: {line}",
        remedy="look at it with nvidia-smi, then run the same command again: trials "
        "that have ended are in the results file",
    )


class MeasureStage:
    """Measures candidates on the device, one at a time."""

    def __init__(
        self,
        building: Pool,
        measuring: Pool,
        task: TuningTask[Any],
        options: TuneOptions,
        scratch: Path,
        seconds: dict[str, float],
    ) -> None:
        self._building = building
        self._measuring = measuring
        self._task = task
        self._options = options
        self._scratch = scratch
        self._seconds = seconds
        self._expected: dict[str, Sequence[ExpectedResults]] = {"": task.expected}
        """Expected results, by what a program rounds on purpose."""
        self._files: dict[int, tuple[ExpectedResults, tuple[Path, ...]]] = {}
        """Expected results that were saved, by their identity, and their files."""
        self._waiting: dict[int, Candidate] = {}
        """Candidates whose expected results are being computed."""
        self._pending: dict[int, Candidate] = {}
        self._suspects: dict[int, tuple[Candidate, Finished]] = {}
        """Candidates that broke the worker, by the ticket of a look at the device."""
        self._preparing: dict[int, ExpectedResults] = {}
        """References that the device is computing, by ticket."""
        self._held: list[Candidate] = []
        """Candidates that wait for these references."""
        self.has_begun = False
        """Whether the worker with the device has ended a job."""
        self.reference = "numpy"
        """What computed the expected results, in words."""
        self._best: tuple[float, ...] = ()
        """The times of the fastest candidate so far, at every size that is timed; of
        different candidates, where each size is tuned for itself."""

    @property
    def outstanding(self) -> int:
        """Candidates that are being measured or wait for their expected results."""
        waiting = (self._waiting, self._pending, self._suspects, self._held)
        return sum(map(len, waiting))

    @property
    def is_busy(self) -> bool:
        """Whether the device has work."""
        return bool(self._pending or self._suspects)

    def prepare(self) -> None:
        """Let the device compute the expected results that it can."""
        for expected in self._expected[""]:
            if (given := expected.on_device) is None:
                continue
            assert self._options.device is not None
            specs = given.arguments, given.results
            reference = self._made(*specs, expected, expected.precision)
            job = PrepareJob(reference, given.witness, self._options.device)
            limit = self._options.build_limit
            self._preparing[self._measuring.submit(job, limit)] = expected
            self.reference = "torch in float64 on the device" + (
                "; numpy agrees at small sizes" if given.witness is not None else ""
            )

    def finish_preparing(self, done: Finished) -> None:
        """Go on with the candidates that waited; without the device, use numpy."""
        self.has_begun = True
        if self._preparing.pop(done.ticket, None) is None:
            return
        self._seconds["check"] += done.seconds
        reason = done.value if done.ending == "ok" else done.error
        if reason is not None:
            self.reference = f"numpy, because of torch on the device: {reason}"
            self._preparing.clear()
            limit = self._options.build_limit + self._options.measure_limit
            ticket = self._building.submit(NumpyResultsJob(), limit)
            self._preparing[ticket] = self._expected[""][0]
        self._go_on()

    def finish_numpy(self, done: Finished) -> None:
        """Use the expected results that numpy has computed."""
        if self._preparing.pop(done.ticket, None) is None:
            return
        self._seconds["check"] += done.seconds
        if done.ending != "ok":
            raise NoExpectedResultsError(
                f"there is no reference to check candidates against: {self.reference}; "
                f"numpy: {done.error}",
                remedy="tune smaller sizes, or allow more memory and time",
            )
        self._expected[""] = done.value
        self._go_on()

    def _go_on(self) -> None:
        if not self._preparing:
            held, self._held = self._held, []
            for candidate in held:
                self.start(candidate)

    def start(self, candidate: Candidate) -> None:
        """Start to measure, once there are expected results for the candidate."""
        if self._preparing:
            self._held.append(candidate)
            return
        if candidate.built.rounding not in self._expected:
            limit = self._options.build_limit + self._options.measure_limit
            job = ExpectedResultsJob(candidate.point)
            self._waiting[self._building.submit(job, limit)] = candidate
            return
        program = candidate.program
        assert self._options.device is not None
        job = MeasureJob(
            source_file(program, self._options.cache_dir),
            program.entry,
            self._references(candidate.built),
            self._options.timing,
            self._options.device,
            self._best,
            alone=candidate.alone,
        )
        ticket = self._measuring.submit(job, self._options.measure_limit)
        self._pending[ticket] = candidate

    def abandon(self) -> None:
        """Drop the candidates that wait for the device."""
        for ticket in self._pending:
            self._measuring.forget(ticket)

    def finish_expected(self, done: Finished) -> tuple[Candidate, Ending] | None:
        """Go on to measure; the candidate and its ending where that is impossible."""
        candidate = self._waiting.pop(done.ticket, None)
        if candidate is None:
            return None
        self._seconds["check"] += done.seconds
        if done.ending == "ok":
            self._expected.setdefault(candidate.built.rounding, done.value)
        elif not candidate.retry(done):
            return candidate, failed(done, "computing its reference on numpy")
        self.start(candidate)
        return None

    def finish(self, done: Finished) -> tuple[Candidate, Ending] | None:
        """The candidate and its ending; None where the measurement is repeated."""
        self.has_begun = True
        if done.ticket in self._suspects:
            return self._judge(done)
        candidate = self._pending.pop(done.ticket, None)
        if candidate is None:
            return None
        if done.is_doubtful and not candidate.alone:
            candidate.alone = True
            self.start(candidate)
            return None
        if candidate.retry(done):
            self.start(candidate)
            return None
        if done.lost:
            raise device_lost(done)
        if done.broke_worker and self._options.device == "cuda":
            # Either this candidate broke the device's context, or the device is gone.
            ticket = self._measuring.submit(ProbeJob("cuda"), 60.0)
            self._suspects[ticket] = candidate, done
            return None
        if done.ending != "ok":
            self._seconds["time"] += done.seconds
            return candidate, failed(done)
        measurement = done.value
        for stage, spent in measurement.seconds.items():
            candidate.seconds[stage] = spent
            self._seconds[stage] += spent
        timing = measurement.timing
        if timing is None:
            return candidate, Ending("wrong", measurement.comparison.message)
        each = tuple(one.p50 for one in measurement.each)
        if self._best and self._options.per_size:
            self._best = tuple(map(min, self._best, each))
        elif not self._best or timing.p50 < geometric_mean(self._best):
            self._best = each
        return candidate, Ending(
            "ok",
            times=(timing.p20, timing.p50, timing.p80),
            each=each,
            repetitions=timing.repetitions,
            samples=tuple(one.samples for one in measurement.each),
        )

    def _judge(self, looked: Finished) -> tuple[Candidate, Ending] | None:
        """The candidate that broke the worker, unless the device itself is gone."""
        candidate, done = self._suspects.pop(looked.ticket)
        if looked.lost:
            raise device_lost(looked)
        self._seconds["time"] += done.seconds
        return candidate, failed(done)

    def timed_references(self, program: GeneratedProgram) -> tuple[Reference, ...]:
        """The references that a program is timed on."""
        return tuple(
            self._reference(program, expected)
            for expected in self._expected[""]
            if expected.timed
        )

    def _references(self, built: BuiltPoint) -> tuple[Reference, ...]:
        """The references at every size that the program accepts."""
        return tuple(
            self._reference(built.program, expected)
            for expected, accepted in zip(
                self._expected[built.rounding], built.accepted, strict=True
            )
            if accepted
        )

    def _reference(
        self, program: GeneratedProgram, expected: ExpectedResults
    ) -> Reference:
        return self._made(
            program.arguments,
            program.results,
            expected,
            program.precision or expected.precision,
        )

    def _made(
        self,
        arguments: tuple[TensorSpec, ...],
        results: tuple[TensorSpec, ...],
        expected: ExpectedResults,
        precision: str | None,
    ) -> Reference:
        given = expected.on_device
        if given is None and id(expected) not in self._files:
            folder = self._scratch / str(len(self._files))
            folder.mkdir(exist_ok=True)
            self._files[id(expected)] = expected, save_results(expected.arrays, folder)
        if expected.shapes is not None:
            shapes = (
                [array.shape for array in expected.arrays]
                if given is None
                else [spec.shape for spec in given.results]
            )
            arguments = with_shapes(arguments, expected.shapes)
            results = with_shapes(results, shapes)
        return Reference(
            arguments,
            results,
            expected.seed,
            () if given is not None else self._files[id(expected)][1],
            expected.reduction,
            precision,
            expected.timed,
            expected.title,
            expected.slack,
            "" if given is None else given.source,
            expected.inputs,
        )
