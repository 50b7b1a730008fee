"""The last round: the best few, and their rivals, timed in turn in one process.

Trials are minutes apart and the card's clocks drift by more than the best candidates
differ. Taken in turn they drift together, and the interval says what is left of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.results.records import Final
from tilewright.tuning.results.tuning_result import Finalist, Trial, rank

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point

_RESAMPLES = 1000


def choose_finalists(trials: Sequence[Trial], count: int) -> list[Trial]:
    """The fastest trials, each program once."""
    chosen: dict[str, Trial] = {}
    for trial in rank(trials):
        if len(chosen) == count:
            break
        chosen.setdefault(trial.record.program, trial)
    return list(chosen.values())


def median_interval(samples: Sequence[float], seed: int = 0) -> Final:
    """The median and its 95 % interval, by bootstrap: no shape of spread is assumed."""
    values = np.asarray(samples, dtype=np.float64)
    rng = np.random.default_rng(seed)
    drawn = rng.choice(values, size=(_RESAMPLES, values.size), replace=True)
    low, high = np.percentile(np.median(drawn, axis=1), [2.5, 97.5])
    return Final(float(np.median(values)), float(low), float(high))


def rank_finalists(
    samples: Mapping[str, Sequence[float]],
    points: Mapping[str, tuple[Point | None, str]],
) -> tuple[Finalist, ...]:
    """The contenders by median, fastest first; `points` has point and program key."""
    finalists = [
        Finalist(name, points[name][0], median_interval(taken), points[name][1])
        for name, taken in samples.items()
        if taken
    ]
    return tuple(sorted(finalists, key=lambda finalist: finalist.final.median))
