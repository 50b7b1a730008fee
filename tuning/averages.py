"""One figure of several: how times at several sizes are summed up."""

from __future__ import annotations

import math
from collections.abc import Iterable


def geometric_mean(values: Iterable[float]) -> float:
    """The mean of factors: twice as fast at one size makes up for half at another.

    A sum of times would hear the largest size alone. Ratios to a baseline, size by
    size, would give the same order as the times themselves, so there is no baseline.
    """
    listed = list(values)
    if min(listed) <= 0.0:
        return 0.0
    return math.exp(sum(math.log(value) for value in listed) / len(listed))
