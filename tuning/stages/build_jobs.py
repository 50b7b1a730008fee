"""Jobs of the build workers: transform and emit a point, or check it on numpy.

The workers are forks of the parent, so each has the payload and the schedule as the
parent parsed them; a job is only a point. A candidate that takes too long or too much
memory ends its worker, or raises there, and costs one trial.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.learning.features import describe_program
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.targets import Target
    from tilewright.ir.tolerance import Comparison
    from tilewright.tuning.options import Built, ExpectedResults, TuningTask
    from tilewright.tuning.space.choices import Point


@dataclass(frozen=True)
class BuiltPoint:
    """The part of a built candidate that is sent to the parent."""

    program: GeneratedProgram
    seconds: dict[str, float]
    accepted: tuple[bool, ...]
    """For each of the task's expected results: whether the program takes its sizes."""
    warnings: tuple[UserError, ...] = ()
    rounding: str = ""
    """What the program rounds on purpose; equal texts have equal expected results."""
    features: dict[str, float] = field(default_factory=dict[str, float])
    """The program as numbers (`learning/features.py`)."""


@dataclass(frozen=True)
class Refusal:
    """The schedule does not apply at a point, or a value of it is not allowed."""

    text: str


class _Worker:
    """The state of this worker process."""

    task: TuningTask[Any] | None = None
    target: Target | None = None
    kept: dict[str, Built] = {}


def set_task(task: TuningTask[Any], target: Target | None = None) -> None:
    """Set the task of this worker's jobs; called when the worker starts.

    Programs are described for the target; without one they are not.
    """
    _Worker.task = task
    _Worker.target = target
    _Worker.kept = {}


@dataclass(frozen=True)
class BuildJob:
    """Build the program of a point."""

    point: Point

    def run(self) -> BuiltPoint | Refusal:
        """The program, or why there is none."""
        task = _task()
        try:
            built = _build(self.point)
        except UserError as refusal:
            # A value that is never allowed, such as 3 warps, costs one point too.
            return Refusal(str(refusal))
        except MemoryError:
            raise MemoryError("building it takes more memory than allowed") from None
        accepts = task.accepts
        return BuiltPoint(
            built.program,
            dict(built.seconds),
            tuple(
                expected.timed or accepts is None or accepts(built, expected)
                for expected in task.expected
            ),
            tuple(getattr(built, "warnings", ())),
            "" if task.rounding is None else task.rounding(built),
            _features(built.program, task),
        )


@dataclass(frozen=True)
class ExpectedResultsJob:
    """Compute the expected results of a candidate that rounds on purpose."""

    point: Point

    def run(self) -> tuple[ExpectedResults, ...]:
        """The candidate's own version of each of the task's expected results."""
        task = _task()
        assert task.expected_for is not None
        built = _kept(self.point)
        return tuple(task.expected_for(built, expected) for expected in task.expected)


@dataclass(frozen=True)
class NumpyResultsJob:
    """Compute the task's expected results with numpy, where the device could not."""

    def run(self) -> tuple[ExpectedResults, ...]:
        """Each of the task's expected results, with arrays."""
        on_numpy = _task().on_numpy
        assert on_numpy is not None
        return tuple(
            expected if expected.on_device is None else on_numpy(expected)
            for expected in _task().expected
        )


@dataclass(frozen=True)
class CheckJob:
    """Run a candidate on numpy and compare its results."""

    point: Point

    def run(self) -> Comparison:
        """The comparison with the reference."""
        check = _task().check
        assert check is not None
        return check(_kept(self.point))


def _features(program: GeneratedProgram, task: TuningTask[Any]) -> dict[str, float]:
    if _Worker.target is None:
        return {}
    shapes = [e.shapes for e in task.expected if e.timed and e.shapes is not None]
    return describe_program(program, _Worker.target, shapes)


def _task() -> TuningTask[Any]:
    assert _Worker.task is not None, "set_task was not called in this worker"
    return _Worker.task


def _kept(point: Point) -> Built:
    return _Worker.kept.get(canonical(point)) or _build(point)


def _build(point: Point) -> Built:
    built = _task().build(point)
    if _task().check is not None:
        while len(_Worker.kept) >= 32:
            del _Worker.kept[next(iter(_Worker.kept))]
        _Worker.kept[canonical(point)] = built
    return built
