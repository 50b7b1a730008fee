"""A whole payload: the points of all tasks together, checked and timed.

A kernel may be slower among others than alone: they share the L2 cache. If the whole is
wrong or not faster with all new points, halves of them are tried, then halves of those.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.results.tuning_result import GAIN, rank, trial_at
from tilewright.tuning.stages.measure import NoExpectedResultsError

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan
    from tilewright.tuning.results.tuning_result import Trial, TuningResult
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space
    from tilewright.tuning.time_budget import TimeBudget
    from tilewright.tuning.tuner import TuningRun

LONGEST = 4.0
"""A promised program is given up after so many times the seconds of the last one."""

LEAST_SECONDS = 10.0
"""A promised program is not given up before."""

FINAL_SECONDS = 1.5
"""Seconds that the final round may need."""

MOST_TRIALS = 12
"""Most programs of the whole payload that are tried."""


class WholeProgram:
    """The run of a whole payload; its points are given, not searched."""

    def __init__(
        self,
        plan: Plan,
        space: Space,
        make: Callable[[], TuningRun],
        budget: TimeBudget,
    ) -> None:
        """`make` makes the run, when it begins: it loads the reference."""
        covers = sum(len(region.covers) for region in plan.regions)
        self._most = MOST_TRIALS + 2 * covers
        self.plan = plan
        self._space = space
        self._make = make
        self._run: TuningRun | None = None
        self._budget = budget
        self.stopped: NoExpectedResultsError | None = None
        """Why no program can be checked."""
        self.seconds = 0.0
        """Seconds that the last program took, from building it to its time."""

    @property
    def has_begun(self) -> bool:
        """Whether a program was started."""
        return self._run is not None

    @property
    def spent(self) -> float:
        """Seconds since the first program was built; 0 before: the workers start."""
        if self._run is None:
            return 0.0
        built = self._run.stages.first_ends.get("BuildJob")
        return 0.0 if built is None else time.perf_counter() - built

    @property
    def run(self) -> TuningRun:
        """The run, which begins now if it has not."""
        if self._run is None:
            self._run = self._make()
            self._run.search.allowed = 0
        return self._run

    def start(self, point: Point) -> None:
        """Start to build, check and time a point; open choices get their defaults."""
        search = self.run.search
        search.suggest([self._space.completed(point)])
        search.allowed = (search.allowed or 0) + 1

    def advance(self, seconds: float = 0.0) -> bool:
        """Go on with the point; False if it has ended."""
        search = self.run.search
        if self.stopped is not None or len(search.trials) >= (search.allowed or 0):
            return False
        try:
            goes_on = search.step(seconds)
        except NoExpectedResultsError as error:
            self.stopped, goes_on = error, False
        goes_on = goes_on and len(search.trials) < (search.allowed or 0)
        if not goes_on and search.trials:
            # Without the time in queues, behind the candidates of tasks.
            self.seconds = sum(search.trials[-1].record.seconds.values())
        return goes_on

    def go_on(self) -> None:
        """Let finished jobs go to their next stage."""
        if self._run is None or self.stopped is not None:
            return
        try:
            self._run.stages.go_on()
        except NoExpectedResultsError as error:
            self.stopped = error

    def milliseconds(self, point: Point) -> float | None:
        """The time of a point; None if it does not work, or time is up."""
        trial = self._trial(point)
        if trial is None:
            self.start(point)
            while self.advance(0.5):
                pass
            trial = self._trial(point)
        return None if trial is None else trial.milliseconds

    def has_tried(self, point: Point) -> bool:
        """Whether a point was built, and has its time or its failure."""
        return self._trial(point) is not None

    def failure(self, point: Point) -> str:
        """Why a point does not work."""
        trial = self._trial(point)
        if trial is None:
            return "" if self.stopped is None else self.stopped.fact
        return f"{trial.outcome}: {trial.record.error}".strip(": ")

    def _trial(self, point: Point) -> Trial | None:
        return trial_at(self.run.search.trials, self._space.completed(point))

    def adopt(
        self, changes: Sequence[Point], base: Point | None = None
    ) -> list[bool | None]:
        """Which changes make the whole faster than what was timed before.

        A change is a set of choices; those with the most gain come first. They come on
        top of `base`. None for those that there was no time to try. All together are
        tried even if the budget is over: what was found so far is lost without.
        """
        is_promised = (
            bool(changes)
            and self.stopped is None
            and (self.run.search.allowed or 0) < 2
        )
        if is_promised:
            point: dict[str, Value] = dict(base or {})
            for change in changes:
                point |= change
            self._try_promised(point)
        known = rank(self.run.search.trials)
        before = known[0].milliseconds if known else None

        def timed(part: Collection[int]) -> float | None:
            point: Point = dict(base or {})
            for place in sorted(part):
                point |= changes[place]
            return self.milliseconds(point)

        free = iter([True] * is_promised)
        return adopt(
            len(changes), before, timed, lambda: next(free, False) or self.has_time()
        )

    def _try_promised(self, point: Point) -> None:
        """Try a point, past the end of the budget if need be."""
        search = self.run.search
        with self._budget.at_least(max(LONGEST * self.seconds, LEAST_SECONDS)):
            self.milliseconds(point)
        if self._trial(point) is not None and not self._budget.search_left():
            search.warnings.append(
                "the budget was over before the tuned kernels had run in the whole; "
                "they were waited for"
            )

    def result(self, *, interrupted: bool) -> TuningResult:
        """Time the best programs in turn; raises if none works."""
        if self.stopped is not None:
            raise self.stopped
        with self._budget.at_least(FINAL_SECONDS):
            finalists = self.run.final_round()
        return self.run.result(finalists, interrupted)

    def has_time(self) -> bool:
        """Whether another program fits into the budget; the first change does."""
        if self.stopped is not None:
            return False
        granted = self.run.search.allowed or 0
        if granted < 2:
            return self._budget.search_left() > 0
        return granted < self._most and self._budget.search_left() > self.seconds


def adopt(
    count: int,
    before: float | None,
    time: Callable[[Collection[int]], float | None],
    has_time: Callable[[], bool],
) -> list[bool | None]:
    """Which of `count` changes to make: all, or halves that make the whole faster.

    `time` gives the time with some of the changes, None if that does not work. `before`
    is the time without any. A program that is slower within the noise is kept, since
    the final round times both. None for changes that were not tried for lack of time.
    """
    made: set[int] = set()
    refused: set[int] = set()
    best = math.inf if before is None else before
    parts = [range(count)] if count else []
    while parts and has_time():
        part = parts.pop(0)
        found = time(made | set(part))
        if found is not None and found < best * (1 + GAIN):
            best = min(best, found)
            made |= set(part)
        elif found is None and not has_time():
            break
        elif len(part) > 1:
            half = len(part) // 2
            parts[:0] = [part[:half], part[half:]]
        else:
            refused |= set(part)
    return [
        place in made if place in made | refused else None for place in range(count)
    ]
