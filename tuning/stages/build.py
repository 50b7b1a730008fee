"""The build stage: points become generated programs, in forks of this process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical
from tilewright.tuning.stages.build_jobs import BuildJob, BuiltPoint, Refusal
from tilewright.tuning.stages.candidates import Ending, failed
from tilewright.tuning.workers.pools import Finished, Pool

if TYPE_CHECKING:
    from tilewright.tuning.options import TuneOptions
    from tilewright.tuning.space.choices import Point


@dataclass(frozen=True)
class _PendingBuild:
    number: int | None
    """The trial's number; None for a preview."""
    point: Point
    retried: bool = False


@dataclass(frozen=True)
class BuildOutcome:
    """The program of a point, or how its trial ended without one."""

    number: int
    point: Point
    result: BuiltPoint | Ending
    seconds: dict[str, float]
    """Time taken, by stage."""


class BuildStage:
    """Builds the points of trials, and previews of points that may become trials."""

    def __init__(
        self, pool: Pool, options: TuneOptions, seconds: dict[str, float]
    ) -> None:
        self._pool = pool
        self._options = options
        self._seconds = seconds
        self._pending: dict[int, _PendingBuild] = {}
        self._previews: dict[str, BuiltPoint | Ending] = {}
        """What was built for a preview and is not a trial yet, by point."""
        self.features: dict[str, dict[str, float] | None] = {}
        """The features of every point that was built; None where it has no program."""

    @property
    def outstanding(self) -> int:
        """Points that are being built."""
        return len(self._pending)

    def start(self, number: int, point: Point) -> BuildOutcome | None:
        """Start to build a point; returns at once what a preview has built."""
        built = self._previews.pop(canonical(point), None)
        if isinstance(built, BuiltPoint):
            return BuildOutcome(number, point, built, dict(built.seconds))
        if built is not None:
            return BuildOutcome(number, point, built, {})
        self._submit(_PendingBuild(number, point))
        return None

    def preview(self, points: Iterable[Point]) -> set[int]:
        """Start to build points that may become trials; the tickets to wait for.

        A point whose trial is being built has its ticket among them.
        """
        current = {canonical(p.point): ticket for ticket, p in self._pending.items()}
        tickets: set[int] = set()
        for point in points:
            key = canonical(point)
            if key in self._previews:
                continue
            if key not in current:
                current[key] = self._submit(_PendingBuild(None, point))
            tickets.add(current[key])
        return tickets

    def under_way(self, tickets: set[int]) -> bool:
        """Whether one of them has not ended."""
        return not tickets.isdisjoint(self._pending)

    def previewed(self, point: Point) -> BuiltPoint | None:
        """The program of a preview that is not a trial yet."""
        built = self._previews.get(canonical(point))
        return built if isinstance(built, BuiltPoint) else None

    def drop_previews(self) -> None:
        """Give up the previews that have not ended."""
        for ticket, pending in list(self._pending.items()):
            if pending.number is None:
                del self._pending[ticket]
                self._pool.forget(ticket)

    def finish(self, done: Finished) -> BuildOutcome | None:
        """Take the result of a build.

        None where it was a preview, was dropped or is repeated.
        """
        pending = self._pending.pop(done.ticket, None)
        if pending is None:
            return None
        seconds = {"transform": done.seconds}
        if isinstance(done.value, BuiltPoint):
            seconds = dict(done.value.seconds)
            # Whatever the pipeline does not account for is schedule work too.
            rest = done.seconds - sum(seconds.values())
            seconds["transform"] = seconds.get("transform", 0.0) + max(rest, 0.0)
        self._spend(seconds)
        result = self._result(pending, done)
        if result is None:
            self._submit(replace(pending, retried=True))
            return None
        key = canonical(pending.point)
        if isinstance(result, BuiltPoint):
            self.features[key] = result.features
        elif result.cause == "candidate":
            self.features[key] = None
        if pending.number is None:
            if isinstance(result, BuiltPoint) or result.cause == "candidate":
                self._previews[key] = result
            return None
        return BuildOutcome(pending.number, pending.point, result, seconds)

    def _result(
        self, pending: _PendingBuild, done: Finished
    ) -> BuiltPoint | Ending | None:
        """The program or the ending; None where the build is to be repeated."""
        if isinstance(done.value, BuiltPoint):
            return done.value
        if isinstance(done.value, Refusal):
            return Ending("invalid", done.value.text)
        ending = failed(done, "building it")
        shortened = self._options.longest_build < self._options.build_limit
        if ending.outcome == "timeout" and shortened:
            # A run with a larger budget gives it more time; a second try now does not.
            return replace(ending, cause="environment")
        if ending.cause == "environment" and not pending.retried:
            return None
        return ending

    def _submit(self, pending: _PendingBuild) -> int:
        limit = self._options.longest_build
        # Compilers wait for trials; nobody has to wait for a preview.
        later = pending.number is None
        ticket = self._pool.submit(BuildJob(pending.point), limit, later=later)
        self._pending[ticket] = pending
        return ticket

    def _spend(self, seconds: dict[str, float]) -> None:
        for stage, spent in seconds.items():
            self._seconds[stage] += spent
