"""The time budget of a run: the deadlines of the search and of the final round."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.options import TuneOptions

_FINAL_SHARE = 0.15
"""Share of the budget that is kept for the final round."""

_FINAL_SECONDS = 20.0
"""Most seconds that are kept for the final round."""

_GRACE_SECONDS = 1.0
"""Seconds after the end of the search in which a candidate may still finish."""


class TimeBudget:
    """The deadlines of one run; without a budget there are none."""

    def __init__(self, options: TuneOptions) -> None:
        """Start the clock now, or at `options.started`."""
        self.start = time.perf_counter()
        self._deadline = math.inf
        self._search_deadline = math.inf
        if options.budget is None:
            return
        began = self.start if options.started is None else options.started
        self._deadline = self._search_deadline = began + options.budget
        if options.device is not None:
            kept = min(_FINAL_SHARE * options.budget, _FINAL_SECONDS)
            self._search_deadline -= kept

    def left(self) -> float:
        """Seconds left of the whole budget."""
        return _until(self._deadline)

    def search_left(self) -> float:
        """Seconds left for the search."""
        return _until(self._search_deadline)

    def grace_is_over(self) -> bool:
        """Whether candidates that began in time have had time enough to end."""
        return time.perf_counter() > self._search_deadline + _GRACE_SECONDS


def _until(moment: float) -> float:
    return max(0.0, moment - time.perf_counter())
