"""The build stage: points become generated programs, in forks of this process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.tuning.measure.pools import Finished, Pool, wait
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.stages.build_jobs import BuildJob, BuiltPoint, Refusal
from tilewright.tuning.stages.candidates import Ending, failed

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
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
        self._previews: dict[str, BuiltPoint] = {}
        """Programs that were built for a preview, by point."""
        self.waited = 0.0
        """Seconds that previews waited for workers."""

    @property
    def outstanding(self) -> int:
        """Points that are being built."""
        return len(self._pending)

    def start(self, number: int, point: Point) -> BuildOutcome | None:
        """Start to build a point; returns at once what a preview has built."""
        built = self._previews.pop(canonical(point), None)
        if built is not None:
            return BuildOutcome(number, point, built, dict(built.seconds))
        self._submit(_PendingBuild(number, point))
        return None

    def preview(
        self, points: Sequence[Point], seconds: float
    ) -> list[tuple[Point, GeneratedProgram]]:
        """Build points without making trials of them, as many as there is time for.

        Points that do not build are left out. The order is that of `points`.
        """
        tickets = {self._submit(_PendingBuild(None, point)) for point in points}
        until = time.monotonic() + seconds
        while tickets & set(self._pending) and time.monotonic() < until:
            self._collect_previews(until - time.monotonic())
        for ticket in tickets & set(self._pending):
            del self._pending[ticket]
            self._pool.forget(ticket)
        found = [(point, self._previews.get(canonical(point))) for point in points]
        return [(point, built.program) for point, built in found if built is not None]

    def finish(self, done: Finished) -> BuildOutcome | None:
        """Take the result of a build; None where it was dropped or is repeated."""
        pending = self._pending.pop(done.ticket, None)
        if pending is None:
            return None
        assert pending.number is not None
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
        ticket = self._pool.submit(BuildJob(pending.point), limit)
        self._pending[ticket] = pending
        return ticket

    def _collect_previews(self, seconds: float) -> None:
        start = time.perf_counter()
        finished = wait([self._pool], min(seconds, 0.5))
        self.waited += time.perf_counter() - start
        for done in finished:
            pending = self._pending.pop(done.ticket, None)
            if pending is None or not isinstance(done.value, BuiltPoint):
                continue
            self._previews[canonical(pending.point)] = done.value
            self._spend(done.value.seconds)

    def _spend(self, seconds: dict[str, float]) -> None:
        for stage, spent in seconds.items():
            self._seconds[stage] += spent
