"""Turns of several tuning runs on the card of one worker.

A run has two jobs on a worker: one has the card, and the other loads its program
meanwhile. Jobs of two runs must not share the card, so runs take turns.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator


class CardTurns:
    """Who may use the card; a run that waits gets it before the same one again."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._owner = ""
        self._last = ""
        """The run that has the card, and the one that had it last."""
        self._jobs = 0
        """Jobs of the owner that have the card or are ready for it."""
        self._waiting: Counter[str] = Counter()

    @contextlib.contextmanager
    def of(self, run: str) -> Iterator[None]:
        """Wait for the turn of a run, and keep it for the time of a job."""
        with self._changed:
            self._waiting[run] += 1
            try:
                self._changed.wait_for(lambda: self._is_free_for(run))
            finally:
                self._waiting[run] -= 1
            self._owner = self._last = run
            self._jobs += 1
        try:
            yield
        finally:
            with self._changed:
                self._jobs -= 1
                if not self._jobs:
                    self._owner = ""
                self._changed.notify_all()

    def _is_free_for(self, run: str) -> bool:
        others = any(count for other, count in self._waiting.items() if other != run)
        if self._owner:
            return self._owner == run and not others
        return not others or self._last != run
