"""Timing a callable on a device: warm-up, flushed L2, repetitions, percentiles.

What makes a number trustworthy here: repetitions are counted from a *warm* kernel (cold
launches are slow and would cut the count short); the L2 is flushed between repetitions
by a write of the card's own L2 size, no more; and the queue is kept full, by a spin in
front of it, so that a kernel shorter than its launch is not timed as its launch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tilewright.tuning.averages import geometric_mean


@dataclass(frozen=True)
class TimingOptions:
    """How long to warm up and to time one program."""

    warmup_ms: float = 10.0
    repetition_ms: float = 50.0
    min_repetitions: int = 10
    max_repetitions: int = 200
    flush_l2: bool = True


@dataclass(frozen=True)
class Timing:
    """Percentiles over the repetitions, in milliseconds."""

    p20: float
    p50: float
    p80: float
    repetitions: int
    launch_us: float
    """Host time of one call of the launcher."""


def combined(timings: Sequence[Timing]) -> Timing:
    """Several sizes as one figure: the geometric means."""
    return Timing(
        geometric_mean(timing.p20 for timing in timings),
        geometric_mean(timing.p50 for timing in timings),
        geometric_mean(timing.p80 for timing in timings),
        min(timing.repetitions for timing in timings),
        geometric_mean(timing.launch_us for timing in timings),
    )


class Clock(Protocol):
    """Times calls on one kind of device."""

    def finish(self) -> None:
        """Wait until all that was started is done."""
        ...

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, back to back, caches warm."""
        ...

    def sample(
        self, call: Callable[[], Any], repetitions: int, head_start_us: float
    ) -> list[float]:
        """Milliseconds of each of several calls, caches flushed before each."""
        ...


class CudaClock:
    """Times with CUDA events."""

    _BATCH = 32
    """Calls queued at a time; the driver's queue holds about a thousand commands."""

    def __init__(self, flush_l2: bool) -> None:
        import torch

        self._torch = torch
        l2_bytes = torch.cuda.get_device_properties(0).L2_cache_size
        self._scratch = (
            torch.empty(l2_bytes, dtype=torch.int8, device="cuda") if flush_l2 else None
        )

    def finish(self) -> None:
        """Wait for the device."""
        self._torch.cuda.synchronize()

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, between two events around all of them."""
        start, end = self._events(1)[0]
        start.record()
        for _ in range(calls):
            call()
        end.record()
        self.finish()
        return start.elapsed_time(end) / calls

    def sample(
        self, call: Callable[[], Any], repetitions: int, head_start_us: float
    ) -> list[float]:
        """Milliseconds of each call, between its own two events."""
        samples: list[float] = []
        while len(samples) < repetitions:
            batch = self._events(min(self._BATCH, repetitions - len(samples)))
            self._spin(len(batch) * head_start_us)
            for start, end in batch:
                if self._scratch is not None:
                    self._scratch.zero_()
                start.record()
                call()
                end.record()
            self.finish()
            samples += [start.elapsed_time(end) for start, end in batch]
        return samples

    def _events(self, count: int) -> list[tuple[Any, Any]]:
        event = self._torch.cuda.Event
        return [
            (event(enable_timing=True), event(enable_timing=True)) for _ in range(count)
        ]

    def _spin(self, microseconds: float) -> None:
        """Keep the device busy while the host fills the queue behind it."""
        if microseconds <= 0:
            return
        # Half as long again, for the flush and the events; about two cycles a ns.
        self._torch.cuda._sleep(int(1.5 * microseconds * 2000))


class HostClock:
    """Times calls that run on the host; there is nothing to flush or to queue."""

    def finish(self) -> None:
        """A host call is done when it returns."""

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, back to back."""
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - start) * 1e3 / calls

    def sample(
        self, call: Callable[[], Any], repetitions: int, head_start_us: float
    ) -> list[float]:
        """Milliseconds of each call."""
        return [self.warm_ms(call, 1) for _ in range(repetitions)]


def clock_for(device: str, options: TimingOptions) -> Clock:
    """The clock of a device, `cuda` or `cpu`."""
    return CudaClock(options.flush_l2) if device == "cuda" else HostClock()


def warm_up(call: Callable[[], Any], clock: Clock, options: TimingOptions) -> None:
    """Call until clocks, caches and lazily loaded code have settled."""
    deadline = time.perf_counter() + options.warmup_ms / 1e3
    calls = 0
    while calls < 3 or time.perf_counter() < deadline:
        call()
        clock.finish()
        calls += 1


def launch_microseconds(call: Callable[[], Any], clock: Clock) -> float:
    """Host time of one call, the device's work not waited for."""
    clock.finish()
    start = time.perf_counter()
    for _ in range(5):
        call()
    elapsed = time.perf_counter() - start
    clock.finish()
    return elapsed * 1e6 / 5


def head_start(each_ms: float, launch_us: float) -> float:
    """Microseconds a call that the device must be kept busy for the queue to fill.

    Where a call takes the device much longer than the host, the queue fills by itself.
    Much longer, because both are rough: a short kernel that stumbled while it was
    estimated would be timed as its launch.
    """
    return launch_us if each_ms * 1e3 < 10 * launch_us else 0.0


def time_call(call: Callable[[], Any], clock: Clock, options: TimingOptions) -> Timing:
    """Time a call that is already warm."""
    each = max(clock.warm_ms(call, 5), 1e-4)
    wanted = int(options.repetition_ms / each)
    repetitions = max(options.min_repetitions, min(options.max_repetitions, wanted))
    launch = launch_microseconds(call, clock)
    samples = clock.sample(call, repetitions, head_start(each, launch))
    p20, p50, p80 = (float(value) for value in np.percentile(samples, [20, 50, 80]))
    return Timing(p20, p50, p80, len(samples), launch)
