"""Tuning each size on its own in one run: every candidate is timed at all sizes.

A payload that leaves sizes open has one program for all of them, so a candidate is
built and compiled once. Each size has a strategy of its own. The strategies take turns,
and each is told all times at its size, whoever proposed the point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.search.strategies.base import Strategy
    from tilewright.tuning.space.choices import Point

FINALISTS = 3
"""The candidates of each size that the final round times again, at all sizes."""


class PerSizeStrategy:
    """A strategy for each size, in turns."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        """Take the strategies in the order of the sizes."""
        self._strategies = list(strategies)
        self._turn = 0
        self._times: dict[str, tuple[float, ...]] = {}

    def note(self, trial: Trial) -> None:
        """Keep the times of a trial at every size until the strategies are told."""
        self._times[canonical(trial.point)] = times_of(trial)

    def ask(self, count: int) -> list[Point]:
        """Points of the strategy whose turn it is; of the next one if it has none."""
        for _ in self._strategies:
            strategy = self._strategies[self._turn % len(self._strategies)]
            self._turn += 1
            if points := strategy.ask(count):
                return points
        return []

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Tell every strategy the time at its size."""
        times = self._times.pop(canonical(point), ())
        for place, strategy in enumerate(self._strategies):
            known = milliseconds is not None and place < len(times)
            strategy.tell(point, times[place] if known else None)


def times_of(trial: Trial) -> tuple[float, ...]:
    """The median of a trial at every size; empty if it did not run."""
    if trial.milliseconds is None:
        return ()
    return trial.record.each or (trial.milliseconds,)


def ranked_at(trials: Iterable[Trial], place: int) -> list[Trial]:
    """The trials that ran, fastest first at one of the sizes."""
    ran = [trial for trial in trials if len(times_of(trial)) > place]
    return sorted(ran, key=lambda trial: times_of(trial)[place])


def leaders(trials: Sequence[Trial], sizes: int, most: int) -> list[Trial]:
    """The fastest trials of each size with different programs, size after size."""
    chosen: dict[str, Trial] = {}
    for place in range(sizes):
        programs: set[str] = set()
        for trial in ranked_at(trials, place):
            if len(programs) == most:
                break
            programs.add(trial.record.program)
            chosen.setdefault(trial.record.program, trial)
    return list(chosen.values())


def best_times(trials: Iterable[Trial]) -> tuple[float, ...]:
    """The best time of any trial that ran, at each size."""
    return tuple(map(min, zip(*filter(None, map(times_of, trials)), strict=True)))
