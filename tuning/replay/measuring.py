"""How a replay measures a point: as it was recorded, or with fewer repetitions.

With a repetition time, the strategy is told the median of as many launches as fit into
it, drawn at random from the recorded ones. A recording without single launches gives
percentiles; the launches are then drawn from two halves of normal distributions that
have these percentiles.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.replay.recorded_space import RecordedPoint

STAGES = ("check", "warm-up", "time")
"""The stages that keep the device busy."""
CLEAR_MS = 0.02
"""About the milliseconds of an L2 clear on an H200, for recordings that do not say."""
_FEW = 5
"""Launches that decide whether a point is much slower than the best."""
_NORMAL = NormalDist()
_EIGHTY = _NORMAL.inv_cdf(0.8)


@dataclass(frozen=True)
class Measured:
    """What a measurement tells, and its seconds on the device."""

    milliseconds: float
    seconds: float


@dataclass(frozen=True)
class Measuring:
    """The effort of one measurement."""

    repetition_ms: float | None = None
    """Milliseconds of repeated launches; None: the recorded median and seconds."""
    warm_up_ms: float | None = None
    """Milliseconds of launches before them; None: as recorded."""
    slower: float | None = None
    """A point whose first launches are this many times slower than the best so far is
    timed no further; None: every point is timed in full."""

    def measure(
        self, point: RecordedPoint, rng: random.Random, best: float | None
    ) -> Measured:
        """Measure a point that works."""
        milliseconds = point.milliseconds
        assert milliseconds is not None
        recorded = point.seconds
        if self.repetition_ms is None:
            return Measured(milliseconds, device_seconds(point))
        warm_up = recorded.get("warm-up", 0.0)
        if self.warm_up_ms is not None:
            warm_up = self.warm_up_ms / 1e3
        each_ms = milliseconds + (
            CLEAR_MS if point.clear_ms is None else point.clear_ms
        )
        launches = repetitions(self.repetition_ms, each_ms)
        if self.slower is not None and best is not None and launches > _FEW:
            fastest = launch_time(point, smallest_of(_FEW, rng.random()))
            if fastest > self.slower * best:
                launches = _FEW
        # Of an even number of launches, the lower one of the two in the middle.
        middle = rng.betavariate(*middle_of(launches))
        seconds = recorded.get("check", 0.0) + warm_up + launches * each_ms / 1e3
        return Measured(launch_time(point, middle), seconds)


RECORDED = Measuring()
"""As it was recorded."""


def device_seconds(point: RecordedPoint) -> float:
    """The recorded seconds of a point on the device."""
    return sum(point.seconds.get(stage, 0.0) for stage in STAGES)


def repetitions(repetition_ms: float, each_ms: float) -> int:
    """The number of launches that fit, at least one."""
    return max(1, int(repetition_ms / each_ms))


def middle_of(launches: int) -> tuple[int, int]:
    """The parameters of the beta distribution of the median's quantile.

    The k-th smallest of n independent draws from a distribution is its U-th quantile,
    where U has the distribution beta(k, n - k + 1).
    """
    middle = (launches + 1) // 2
    return middle, launches - middle + 1


def smallest_of(launches: int, uniform: float) -> float:
    """The quantile of the smallest of some launches, from a uniform number."""
    return 1.0 - (1.0 - uniform) ** (1.0 / launches)


def launch_time(point: RecordedPoint, quantile: float) -> float:
    """The milliseconds of a launch at a quantile between 0 and 1."""
    if point.samples:
        return _of_sorted(point.samples, quantile)
    p50 = point.p50
    assert p50 is not None
    if not 0.0 < quantile < 1.0:
        quantile = min(max(quantile, 1e-9), 1.0 - 1e-9)
    distance = _NORMAL.inv_cdf(quantile) / _EIGHTY
    other = point.p20 if distance < 0 else point.p80
    spread = 0.0 if other is None else abs(other - p50)
    return max(p50 + distance * spread, 0.1 * p50)


def _of_sorted(samples: Sequence[float], quantile: float) -> float:
    return samples[min(int(quantile * len(samples)), len(samples) - 1)]
