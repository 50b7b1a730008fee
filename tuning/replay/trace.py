"""The trials of a replay, and what a rule that stops the search would have given.

trace.ending(Stop(trials=30)).regret
trace.ending(Stop(until_no_gain=20)).seconds
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.results.tuning_result import GAIN

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point


@dataclass(frozen=True)
class ReplayedTrial:
    """A trial of a replay."""

    number: int
    """In the order of proposals, from 1."""
    seconds: float
    """When it ended."""
    milliseconds: float | None
    """As measured; None where the point did not run."""
    point: Point
    recorded: float | None = None
    """The recorded median, which the measured time may differ from."""


@dataclass(frozen=True)
class Stop:
    """A rule that ends a search: the first limit that is reached."""

    trials: int | None = None
    seconds: float | None = None
    until_no_gain: int | None = None

    def __str__(self) -> str:
        """The limits in words."""
        words = []
        if self.trials is not None:
            words.append(f"{self.trials} trials")
        if self.seconds is not None:
            words.append(f"{self.seconds:g} s")
        if self.until_no_gain is not None:
            words.append(f"{self.until_no_gain} without gain")
        return ", ".join(words) or "no point left"


@dataclass(frozen=True)
class Ending:
    """The result of a search that a rule has ended."""

    trials: int
    seconds: float
    milliseconds: float | None
    """The recorded time of the winner; None where no point has worked."""
    regret: float | None
    """By how much it is slower than the best recorded point, as a share of that."""


class Watch:
    """Follows the trials in the order in which they end, until its rule is met."""

    def __init__(self, stop: Stop) -> None:
        """No trial has ended yet."""
        self._stop = stop
        self.is_met = False
        self.trials = 0
        self.seconds = 0.0
        self.best: ReplayedTrial | None = None
        self._before: float | None = None
        """The best time when there was last a gain."""
        self._since_gain = 0

    def add(self, trial: ReplayedTrial) -> None:
        """Count a trial, unless the search is over without it."""
        stop = self._stop
        if self.is_met:
            return
        if stop.seconds is not None and trial.seconds > stop.seconds:
            self.is_met = True
            self.seconds = stop.seconds
            return
        if stop.trials is not None and trial.number > stop.trials:
            return
        self.trials += 1
        self.seconds = max(self.seconds, trial.seconds)
        time = trial.milliseconds
        if time is not None and (self.best is None or time < _time(self.best)):
            self.best = trial
        self._count_gain(time)
        if self.trials == stop.trials:
            self.is_met = True
        if stop.until_no_gain is not None and self._before is not None:
            self.is_met |= self._since_gain >= stop.until_no_gain

    def _count_gain(self, time: float | None) -> None:
        self._since_gain += 1
        if time is None:
            return
        if self._before is None or time <= self._before * (1 - GAIN):
            self._before = time
            self._since_gain = 0

    def ending(self, best_known: float) -> Ending:
        """The result so far."""
        time = None if self.best is None else _recorded(self.best)
        regret = None if time is None else time / best_known - 1.0
        return Ending(self.trials, self.seconds, time, regret)


@dataclass(frozen=True)
class Trace:
    """The trials of a replay, in the order in which they ended."""

    trials: tuple[ReplayedTrial, ...]
    best_known: float
    """The milliseconds of the best recorded point."""
    unrecorded: int
    """Points that were proposed and are not in the recording."""
    strategy_seconds: float
    """Processor time that the strategy took."""

    def ending(self, stop: Stop) -> Ending:
        """The result of the search if this rule had ended it."""
        watch = Watch(stop)
        for trial in self.trials:
            watch.add(trial)
        return watch.ending(self.best_known)

    def best_after(self, trials: int) -> float | None:
        """The recorded time of the point that measured best among the first ones."""
        return _best(t for t in self.trials if t.number <= trials)

    def best_at(self, seconds: float) -> float | None:
        """The recorded time of the point that had measured best at a moment."""
        return _best(t for t in self.trials if t.seconds <= seconds)

    def regret_after(self, trials: int) -> float | None:
        """By how much that is slower than the best known, as a share of it."""
        return self._regret(self.best_after(trials))

    def regret_at(self, seconds: float) -> float | None:
        """The regret at a moment."""
        return self._regret(self.best_at(seconds))

    def seconds_to(self, regret: float) -> float | None:
        """When a trial within this regret first ended; None if none did."""
        limit = self.best_known * (1 + regret)
        reached = (
            trial.seconds
            for trial in self.trials
            if trial.milliseconds is not None and _recorded(trial) <= limit
        )
        return min(reached, default=None)

    def _regret(self, best: float | None) -> float | None:
        return None if best is None else best / self.best_known - 1.0


def _time(trial: ReplayedTrial) -> float:
    assert trial.milliseconds is not None
    return trial.milliseconds


def _recorded(trial: ReplayedTrial) -> float:
    return _time(trial) if trial.recorded is None else trial.recorded


def _best(trials: Iterable[ReplayedTrial]) -> float | None:
    worked = [trial for trial in trials if trial.milliseconds is not None]
    return _recorded(min(worked, key=_time)) if worked else None
