"""The whole payload: the points of all tasks together, checked and timed.

A kernel may be slower among others than alone: they share the L2 cache. If the whole is
wrong or not faster with all new points, halves of them are tried, then halves of those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.results.tuning_result import rank, trial_at

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import TuningResult
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space
    from tilewright.tuning.time_budget import TimeBudget
    from tilewright.tuning.tuner import TuningRun

MOST_TRIALS = 12
"""Most programs of the whole payload that are tried."""


class WholeProgram:
    """The run of the whole payload; its points are given, not searched."""

    def __init__(self, run: TuningRun, space: Space, budget: TimeBudget) -> None:
        """Take a run that has not begun."""
        self._run = run
        self._space = space
        self._budget = budget
        run.search.allowed = 0

    def start(self, point: Point) -> None:
        """Start to build, check and time a point; open choices get their defaults."""
        search = self._run.search
        search.suggest([self._space.completed(point)])
        search.allowed = (search.allowed or 0) + 1

    def advance(self, seconds: float = 0.0) -> bool:
        """Go on with the point; False if it has ended."""
        search = self._run.search
        return search.step(seconds) and len(search.trials) < (search.allowed or 0)

    def go_on(self) -> None:
        """Let finished jobs go to their next stage."""
        self._run.stages.go_on()

    def milliseconds(self, point: Point) -> float | None:
        """The time of a point; None if it does not work, or time is up."""
        self.start(point)
        while self.advance(0.5):
            pass
        wanted = self._space.completed(point)
        trial = trial_at(self._run.search.trials, wanted)
        return None if trial is None else trial.milliseconds

    @property
    def seconds(self) -> float:
        """Seconds that the slowest program took, from building it to its time."""
        trials = self._run.search.trials
        return max((sum(t.record.seconds.values()) for t in trials), default=0.0)

    def adopt(self, changes: Sequence[Point]) -> list[bool | None]:
        """Which changes make the whole faster than what was timed before.

        A change is a set of choices; those with the most gain come first. None for
        those that there was no time to try.
        """
        known = rank(self._run.search.trials)
        before = known[0].milliseconds if known else None

        def time(part: Collection[int]) -> float | None:
            point: Point = {}
            for place in sorted(part):
                point |= changes[place]
            return self.milliseconds(point)

        return adopt(len(changes), before, time, self._has_time)

    def result(self, *, interrupted: bool) -> TuningResult:
        """Time the best programs in turn; raises if none works."""
        return self._run.result(self._run.final_round(), interrupted)

    def _has_time(self) -> bool:
        """Whether another program fits into the budget; the first change does."""
        granted = self._run.search.allowed or 0
        if granted < 2:
            return self._budget.search_left() > 0
        return granted < MOST_TRIALS and self._budget.search_left() > self.seconds


def adopt(
    count: int,
    before: float | None,
    time: Callable[[Collection[int]], float | None],
    has_time: Callable[[], bool],
) -> list[bool | None]:
    """Which of `count` changes to make: all, or halves that make the whole faster.

    `time` gives the time with some of the changes, None if that does not work. `before`
    is the time without any. None for changes that were not tried for lack of time.
    """
    made: set[int] = set()
    refused: set[int] = set()
    best = math.inf if before is None else before
    parts = [range(count)] if count else []
    while parts and has_time():
        part = parts.pop(0)
        found = time(made | set(part))
        if found is not None and found < best:
            best = found
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
