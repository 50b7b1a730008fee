"""Telling a strategy what came of its points in the order in which it proposed them.

Candidates finish in whatever order compilers let them. A strategy that learns would go
another way each time; told in order, and as many before each question as before the
same question of another run, the same seed gives the same search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.search.seeding import Guided

_PATIENCE = 10.0
"""Seconds to wait for a candidate that is late; then the search goes on without it."""


class InOrder:
    """Holds back results until the strategy is asked the question they count for."""

    def __init__(
        self, strategy: Guided, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._strategy = strategy
        self._clock = clock
        self._waiting_since: float | None = None
        self._held: dict[int, Trial] = {}
        self.trials: list[Trial] = []
        """What the strategy was told so far."""

    def take(self, trial: Trial) -> None:
        """Take a result, to be told when it is its turn."""
        self._held[trial.number] = trial

    def catch_up(self, number: int) -> bool:
        """Tell the results of the points up to a number; False if some are not there.

        After some seconds those that are not there are left for later.
        """
        known = len(self.trials) + sum(held <= number for held in self._held)
        if known < number:
            now = self._clock()
            if self._waiting_since is None:
                self._waiting_since = now
            if now - self._waiting_since < _PATIENCE:
                return False
        else:
            self._waiting_since = None
        for held in sorted(held for held in self._held if held <= number):
            trial = self._held.pop(held)
            self._strategy.tell(trial.point, trial.milliseconds)
            self.trials.append(trial)
        return True
