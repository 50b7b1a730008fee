"""Building candidates in worker processes: transform, emit, and check on numpy.

The workers are forks of the parent, so each has payload and schedule as the parent
parsed them; a job is a point. A candidate that takes too long or too much memory ends
its worker, or raises there, and costs one trial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.ir.tolerance import Comparison
    from tilewright.tuning.options import Answer, Built, Subject
    from tilewright.tuning.space.choices import Point

_KEPT = 32
"""Candidates that a worker keeps, to check them when they have compiled."""


@dataclass(frozen=True)
class BuiltPoint:
    """What the parent needs to know of a candidate; pickles."""

    program: GeneratedProgram
    seconds: dict[str, float]
    takes: tuple[bool, ...]
    """For every answer: whether the program takes its sizes."""
    warnings: tuple[UserError, ...] = ()
    rounding: str = ""
    """What it rounds on purpose: programs with the same have the same answers."""


@dataclass(frozen=True)
class Refusal:
    """The schedule does not apply at a point, or a value of it is not allowed."""

    text: str


class _Bench:
    """What a worker works on."""

    subject: Subject[Any] | None = None
    kept: dict[str, Built] = {}


def work_on(subject: Subject[Any]) -> None:
    """Say what jobs in this process are about; called in a worker when it starts."""
    _Bench.subject = subject
    _Bench.kept = {}


@dataclass(frozen=True)
class BuildJob:
    """Make a point a program."""

    point: Point

    def run(self) -> BuiltPoint | Refusal:
        """The program, or why there is none."""
        subject = _subject()
        try:
            built = _build(self.point)
        except UserError as refusal:
            # Also a value that is never allowed, 3 warps: it is one point's mistake.
            return Refusal(str(refusal))
        except MemoryError:
            raise MemoryError("building it takes more memory than allowed") from None
        accepts = subject.accepts
        return BuiltPoint(
            built.program,
            dict(built.seconds),
            tuple(
                answer.timed or accepts is None or accepts(built, answer)
                for answer in subject.answers
            ),
            tuple(getattr(built, "warnings", ())),
            "" if subject.rounding is None else subject.rounding(built),
        )


@dataclass(frozen=True)
class AnswerJob:
    """Compute the right answers for a candidate that rounds on purpose."""

    point: Point

    def run(self) -> tuple[Answer, ...]:
        """An answer for each of the subject's."""
        subject, answer_for = _subject(), _subject().answer_for
        assert answer_for is not None
        built = _kept(self.point)
        return tuple(answer_for(built, answer) for answer in subject.answers)


@dataclass(frozen=True)
class CheckJob:
    """Run a candidate on numpy, and compare."""

    point: Point

    def run(self) -> Comparison:
        """The comparison with the reference."""
        check = _subject().check
        assert check is not None
        return check(_kept(self.point))


def _subject() -> Subject[Any]:
    assert _Bench.subject is not None, "the worker was not told what to work on"
    return _Bench.subject


def _kept(point: Point) -> Built:
    return _Bench.kept.get(canonical(point)) or _build(point)


def _build(point: Point) -> Built:
    built = _subject().build(point)
    if _subject().check is not None:
        while len(_Bench.kept) >= _KEPT:
            del _Bench.kept[next(iter(_Bench.kept))]
        _Bench.kept[canonical(point)] = built
    return built
