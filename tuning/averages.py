"""The average over the times at several sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean: twice the speed at one size balances half at another.

    In a sum of times the largest size would dominate. Ratios to a baseline at each size
    would give the same order, so there is no baseline.
    """
    listed = list(values)
    if min(listed) <= 0.0:
        return 0.0
    return math.exp(sum(math.log(value) for value in listed) / len(listed))
