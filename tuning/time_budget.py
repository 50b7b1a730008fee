"""The time budget of a run: the deadlines of the search and of the final round."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.options import TuneOptions

_FINAL_SHARE = 0.15
"""Most of the budget that is kept for the final round."""

_FINAL_SECONDS = 20.0
"""Most seconds that are kept for the final round."""

_SHORT_FINAL = 0.7
"""Seconds to load the finalists and to rank them."""

_GRACE_SECONDS = 0.3
"""Seconds after the end of the search in which a candidate may still finish."""

_CLOSING_SECONDS = 0.8
"""Seconds to end the workers, and to print and write the result."""

_REPETITIONS = 6
"""Repetitions of a program in a round of the final timing."""


class TimeBudget:
    """The deadlines of one run; without a budget there are none."""

    def __init__(self, options: TuneOptions) -> None:
        """Start the clock now, or at `options.started`."""
        now = time.perf_counter()
        self.start = now if options.started is None else options.started
        """When the run began: with its command, if there is one."""
        self._options = options
        self._deadline = math.inf
        self._search_deadline = math.inf
        self._most_for_final = 0.0
        if options.budget is None:
            return
        closing = min(_CLOSING_SECONDS, 0.1 * options.budget) + options.kept
        self._deadline = self._search_deadline = self.start + options.budget - closing
        if options.device is not None:
            self._most_for_final = min(_FINAL_SHARE * options.budget, _FINAL_SECONDS)
            self._search_deadline -= self._most_for_final

    @property
    def is_limited(self) -> bool:
        """Whether the run ends by the clock."""
        return self._options.budget is not None

    def expect_final(self, milliseconds: float) -> None:
        """Keep as much time for the final round as programs of this time need."""
        if not self._most_for_final:
            return
        options = self._options
        calls = options.final_rounds * (options.finalists + 1) * _REPETITIONS
        # Besides the call there are the flush of L2 and the events around it.
        needed = _SHORT_FINAL + calls * (milliseconds + 0.1) / 1e3
        self._search_deadline = self._deadline - min(self._most_for_final, needed)

    def keep(self, seconds: float) -> None:
        """Let the search end so many seconds before the whole budget.

        The last call counts: what is left to do may turn out to take less time.
        """
        self._search_deadline = self._deadline - seconds

    @contextmanager
    def at_least(self, seconds: float) -> Iterator[bool]:
        """Go on for at least so many seconds, also past the end of the budget.

        For work that the time before would be lost without. The value is whether the
        budget was too short for it.
        """
        before = self._deadline, self._search_deadline
        until = time.perf_counter() + seconds
        self._search_deadline = max(self._search_deadline, until)
        self._deadline = max(self._deadline, self._search_deadline)
        try:
            yield before[1] < until
        finally:
            self._deadline, self._search_deadline = before

    def left(self) -> float:
        """Seconds left of the whole budget."""
        return _until(self._deadline)

    def question_seconds(self) -> float:
        """Most seconds to build the points of one question to a guide."""
        return min(4.0, self.search_left() / 8)

    def search_left(self) -> float:
        """Seconds left for the search."""
        return _until(self._search_deadline)

    def grace_is_over(self) -> bool:
        """Whether candidates that began in time have had time enough to end."""
        return time.perf_counter() > self._search_deadline + _GRACE_SECONDS


def _until(moment: float) -> float:
    return max(0.0, moment - time.perf_counter())
