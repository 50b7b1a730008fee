"""Feedback to a strategy, in the order in which it proposed the points.

Candidates finish in any order. A learning strategy that got its results in that order
would search differently each time. Here it gets them in the order of proposal, and the
same number of them before each proposal, so that the same seed gives the same search.

Waiting for a slow candidate leaves the workers idle. A run that ends by the clock
cannot be repeated anyway, so its strategy gets every result at once (`ordered=False`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.search.seeding import SeededStrategy

_PATIENCE = 10.0
"""Seconds to wait for a late candidate before the search goes on without it."""


class OrderedFeedback:
    """Holds back results until all results before them are there."""

    def __init__(
        self,
        strategy: SeededStrategy,
        clock: Callable[[], float] = time.monotonic,
        *,
        ordered: bool = True,
    ) -> None:
        self._strategy = strategy
        self._ordered = ordered
        self._clock = clock
        self._waiting_since: float | None = None
        self._held: dict[int, Trial] = {}
        self.trials: list[Trial] = []
        """The trials that the strategy was told of."""

    def take(self, trial: Trial) -> None:
        """Keep a result until its turn."""
        self._held[trial.number] = trial

    def catch_up(self, number: int) -> bool:
        """Tell the strategy the results up to a number; False if some are missing.

        After `_PATIENCE` seconds, missing results are left for later.
        """
        if not self._ordered:
            self._tell(max(self._held, default=0))
            return True
        known = len(self.trials) + sum(held <= number for held in self._held)
        if known < number:
            now = self._clock()
            if self._waiting_since is None:
                self._waiting_since = now
            if now - self._waiting_since < _PATIENCE:
                return False
        else:
            self._waiting_since = None
        self._tell(number)
        return True

    def _tell(self, number: int) -> None:
        for held in sorted(held for held in self._held if held <= number):
            trial = self._held.pop(held)
            self._strategy.tell(trial.point, trial.milliseconds)
            self.trials.append(trial)
