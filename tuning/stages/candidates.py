"""A candidate on its way through the stages, and how it can end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.tuning.results.records import Cause, Outcome
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.build_jobs import BuiltPoint
    from tilewright.tuning.workers.pools import Finished


@dataclass
class Candidate:
    """A program that is compiled, checked and measured."""

    number: int
    point: Point
    built: BuiltPoint
    seconds: dict[str, float]
    stats: tuple[CompiledStats, ...] = ()
    estimate: float | None = None
    features: dict[str, float] = field(default_factory=dict[str, float])
    """Features of the compiled program."""
    estimates: tuple[float, ...] = ()
    """The estimate at every size that is timed."""
    duplicates: list[tuple[int, Point]] = field(default_factory=list)
    """Other points that gave the same program before this candidate ended."""
    alone: bool = False
    """Whether it is measured without loading other programs meanwhile."""
    retried: bool = False
    """Whether a job of this candidate failed by the environment and was repeated."""

    @property
    def program(self) -> GeneratedProgram:
        """The generated program."""
        return self.built.program

    def retry(self, done: Finished) -> bool:
        """Whether to repeat a job: the environment made it fail, for the first time."""
        if done.ending == "ok" or done.cause == "candidate" or self.retried:
            return False
        self.retried = True
        return True


@dataclass(frozen=True)
class Ending:
    """How a candidate ended."""

    outcome: Outcome
    error: str = ""
    cause: Cause = "candidate"
    times: tuple[float | None, float | None, float | None] = (None, None, None)
    """Milliseconds: 20th, 50th and 80th percentile."""
    each: tuple[float, ...] = ()
    """The median at every size that is timed."""
    repetitions: int = 0
    samples: tuple[tuple[float, ...], ...] = ()
    """The milliseconds of every repetition, at every size that is timed."""
    is_lasting: bool = True
    """Whether it holds for later runs too; if not, it is not recorded."""


def failed(done: Finished, activity: str = "") -> Ending:
    """The ending of a candidate whose job failed while it did `activity`."""
    # An exception while a program runs is its own fault, as much as a crash is.
    outcome: Outcome = "timeout" if done.ending == "timeout" else "crash"
    error = f"{activity}: {done.error}" if activity else done.error
    return Ending(outcome, error, done.cause)


def estimated(candidate: Candidate) -> Ending:
    """The ending of a candidate that no device runs: the cost model's estimate."""
    ms = candidate.estimate
    return Ending("ok", times=(ms, ms, ms), each=candidate.estimates)
