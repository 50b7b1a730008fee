"""The time in which the device has no work, by what it waits for."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable


class DeviceIdle:
    """Adds up idle time; the caller says again and again what the device waits for."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Start now: the first thing to wait for is the worker itself."""
        self._clock = clock
        self.began = self._since = clock()
        self._reason: str | None = "start"
        self.seconds: dict[str, float] = defaultdict(float)
        """Idle seconds, by reason."""

    def note(self, reason: str | None) -> None:
        """The device waits for `reason` from now on; None: it has work."""
        now = self._clock()
        if self._reason is not None:
            self.seconds[self._reason] += now - self._since
        self._since, self._reason = now, reason
