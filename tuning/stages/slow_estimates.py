"""Candidates that the cost model expects to be far slower than the best so far.

The model's absolute times are rough, so the run itself calibrates them: each measured
candidate gives the ratio of its time to its estimate. A candidate is dropped only if it
would be far slower even with the smallest ratio of the run.
"""

from __future__ import annotations

import math

_FEWEST = 24
"""Measured candidates before the first is dropped."""


class SlowEstimates:
    """The ratios of measured to estimated times in one run."""

    def __init__(self, times_slower: float) -> None:
        """Drop candidates that are this many times as slow as the best."""
        self._times_slower = times_slower
        self._count = 0
        self._smallest = math.inf
        self._best = math.inf

    def add(self, estimate: float | None, milliseconds: float) -> None:
        """Learn from a measured candidate."""
        self._best = min(self._best, milliseconds)
        if estimate:
            self._count += 1
            self._smallest = min(self._smallest, milliseconds / estimate)

    def reason(self, estimate: float | None) -> str | None:
        """Why a candidate is dropped; None if it is not."""
        if estimate is None or self._count < _FEWEST:
            return None
        if estimate * self._smallest <= self._times_slower * self._best:
            return None
        return (
            f"the cost model expects more than {self._times_slower:g} times the best "
            "time"
        )
