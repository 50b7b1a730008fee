"""The clocks of a recording: one for a GPU, and one for a dry run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import study

if TYPE_CHECKING:
    import torch

FEWEST = 4
"""Launches of a configuration on an input, at least."""
HOST_US, MOST_HOST_US = 40.0, 150.0
"""Microseconds to queue one sample: what is assumed first, and at most."""
JUDGED = 10
"""Launches that tell how long the host needs for one; fewer vary too much."""


class DeviceClock:
    """Times single launches by events, after a clear of so many bytes."""

    CYCLES_PER_US = 1_980

    def __init__(self) -> None:
        """Take the memory that is cleared."""
        import torch

        self._torch = torch
        card = torch.cuda.get_device_properties(torch.cuda.current_device())
        self.clears = (0, int(card.L2_cache_size), study.LARGE_CLEAR)
        self._buffers = {
            size: torch.empty(size, dtype=torch.uint8, device="cuda")
            for size in self.clears
        }
        self._clear_us = dict.fromkeys(self.clears, 0.0)
        self._host_us = HOST_US

    def clear_times(self) -> dict[int, float]:
        """The microseconds of a clear, by its bytes."""
        for size in self.clears[1:]:
            buffer = self._buffers[size]
            found = self._timed(buffer.zero_, None, 20)
            self._clear_us[size] = sorted(found)[len(found) // 2]
        return dict(self._clear_us)

    def sample(
        self, call: Callable[[], Any], clear: int, budget_ms: float, most: int
    ) -> list[float]:
        """Microseconds of every launch: as many as fit, `FEWEST` to `most`."""
        buffer = self._buffers[clear] if clear else None
        call()
        estimate = min(self._timed(call, buffer, 2))
        cost = max(estimate + self._clear_us[clear], self._host_us)
        count = min(max(int(budget_ms * 1e3 / cost), FEWEST), most)
        return self._timed(call, buffer, count)

    def _timed(
        self, call: Callable[[], Any], buffer: torch.Tensor | None, count: int
    ) -> list[float]:
        """Time every call; again if the host was too slow to keep the GPU busy."""
        while True:
            found, host_us = self._timed_once(call, buffer, count)
            is_late = host_us > self._host_us and count >= JUDGED
            if not is_late or self._host_us >= MOST_HOST_US:
                if count >= JUDGED:
                    lower = max(HOST_US, 1.5 * host_us)
                    self._host_us = min(self._host_us, lower)
                return found
            self._host_us = min(1.3 * host_us, MOST_HOST_US)

    def _timed_once(
        self, call: Callable[[], Any], buffer: torch.Tensor | None, count: int
    ) -> tuple[list[float], float]:
        """Microseconds of the calls, and of queueing one."""
        cuda = self._torch.cuda
        starts = [cuda.Event(enable_timing=True) for _ in range(count)]
        ends = [cuda.Event(enable_timing=True) for _ in range(count)]
        # The GPU waits until the launches are queued: host time is not in the samples.
        wait_us = (self._host_us if count >= JUDGED else MOST_HOST_US) * count
        cuda._sleep(int(wait_us * self.CYCLES_PER_US))
        queued = time.perf_counter()
        for start, end in zip(starts, ends, strict=True):
            if buffer is not None:
                buffer.zero_()
            start.record()
            call()
            end.record()
        host_us = (time.perf_counter() - queued) * 1e6 / count
        cuda.synchronize()
        found = [s.elapsed_time(e) * 1e3 for s, e in zip(starts, ends, strict=True)]
        return found, host_us


class HostClock:
    """Stands in for the device's clock in a dry run; its figures mean nothing."""

    clears = (0, 1 << 16, 1 << 18)

    def clear_times(self) -> dict[int, float]:
        """Some figure for each size."""
        return {size: size / 1e4 for size in self.clears}

    def sample(
        self, call: Callable[[], Any], clear: int, budget_ms: float, most: int
    ) -> list[float]:
        """Microseconds of `FEWEST` calls."""
        found = []
        for _ in range(min(FEWEST, most)):
            started = time.perf_counter()
            call()
            found.append((time.perf_counter() - started) * 1e6)
        return found


def make_clock(dry: bool) -> DeviceClock | HostClock:
    """The clock of this recording."""
    return HostClock() if dry else DeviceClock()
