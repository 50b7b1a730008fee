"""Compares settings of a search on recordings: mean and spread over seeds.

A setting is a strategy on a machine with some way of measuring. One replay of it gives
the result of every rule that could have stopped it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.tuning.replay.machine import Machine
from tilewright.tuning.replay.measuring import RECORDED, Measuring
from tilewright.tuning.replay.recorded_space import RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.replay.trace import Ending, Stop
from tilewright.tuning.search.strategies.base import OptionValue

COMPILERS = Machine().compilers


@dataclass(frozen=True)
class Setting:
    """One way to search."""

    strategy: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    compilers: int = COMPILERS
    measuring: Measuring = RECORDED

    @property
    def machine(self) -> Machine:
        """A machine with so many compilers, which a search keeps busy."""
        builders = max(2, (self.compilers + 1) // 2)
        ahead = 3 * self.compilers + 4
        return Machine(builders, self.compilers, outstanding=ahead)


@dataclass(frozen=True)
class Figure:
    """Mean and standard deviation over replays."""

    mean: float
    deviation: float

    @staticmethod
    def of(values: Sequence[float]) -> Figure:
        """The figure of at least one value."""
        deviation = statistics.stdev(values) if len(values) > 1 else 0.0
        return Figure(statistics.mean(values), deviation)


@dataclass(frozen=True)
class Row:
    """The replays of one setting that one rule has ended, on one recording or more."""

    recording: str
    setting: Setting
    stop: Stop
    speed: Figure
    """The speed of the winner, as a share of the best recorded point's."""
    seconds: Figure
    trials: Figure
    within: float
    """The share of replays whose winner is at most 2% slower than the best."""
    replays: int


def endings(
    recorded: RecordedSpace, setting: Setting, seed: int, stops: Sequence[Stop]
) -> list[Ending]:
    """The results of one replay, one for each rule.

    With a rule of seconds, the strategy is told results as they come, else in order.
    """
    seconds = None
    if any(stop.seconds is not None for stop in stops):
        seconds = max(stop.seconds or math.inf for stop in stops)
    trace = replay(
        recorded,
        setting.strategy,
        seed=seed,
        options=setting.options,
        machine=setting.machine,
        seconds=seconds,
        stops=stops,
        measuring=setting.measuring,
    )
    return [trace.ending(stop) for stop in stops]


def row(recording: str, setting: Setting, stop: Stop, found: Sequence[Ending]) -> Row:
    """The figures of some replays; a search that found nothing has speed 0."""
    regrets = [math.inf if one.regret is None else one.regret for one in found]
    return Row(
        recording,
        setting,
        stop,
        Figure.of([1.0 / (1.0 + regret) for regret in regrets]),
        Figure.of([one.seconds for one in found]),
        Figure.of([float(one.trials) for one in found]),
        sum(regret <= 0.02 for regret in regrets) / len(found),
        len(found),
    )
