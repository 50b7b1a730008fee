"""Timing a callable on a device: warm-up, flushed L2, repetitions, percentiles.

Three things make the numbers trustworthy. The number of repetitions follows from the
time of a *warm* kernel, since cold launches are slow. The L2 cache is flushed between
repetitions, by a write of its own size. The launch queue is kept full behind a spinning
kernel, so that the time of a short kernel is not the time of its launch.

A program may have a *rival*: the median of the best program so far. If the fastest of
the first few repetitions is much slower than that, a few repetitions are enough; if
four in five of some more are slower, these are. While no other program waits for the
device, such a program is timed on: its time teaches the cost model, and costs nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from tilewright.tuning.averages import geometric_mean

_FEW = 5
"""Repetitions that decide whether a program is much slower than its rival."""

_MOST = 100_000
"""Repetitions of a call, where their time is given."""

_SOME = 25
"""Repetitions that decide whether it is slower at all."""


@dataclass(frozen=True)
class TimingOptions:
    """The duration of the warm-up and of the timing of one program."""

    warmup_ms: float = 10.0
    repetition_ms: float = 50.0
    min_repetitions: int = 10
    max_repetitions: int = 200
    flush_mb: float | None = None
    """Megabytes that are written between repetitions; None: as many as the card's L2
    has; 0: none, so that a repetition finds what the one before has left there."""
    slower: float = 1.3
    """A program whose first few repetitions are this many times as slow as its rival is
    timed no further."""
    somewhat_slower: float = 1.1
    """The same after more repetitions, for four in five of them."""

    @staticmethod
    def of_a_trial() -> TimingOptions:
        """About 30 ms for a good candidate: many are timed, and the best once more."""
        return TimingOptions(warmup_ms=3.0, repetition_ms=25.0, max_repetitions=150)

    def with_given(
        self,
        flush_mb: float | None = None,
        warmup_ms: float | None = None,
        repetition_ms: float | None = None,
    ) -> TimingOptions:
        """These options with what somebody asked for; None leaves an option as it is.

        Repetitions that are asked for are not limited in number.
        """
        changes: dict[str, Any] = {"flush_mb": flush_mb, "warmup_ms": warmup_ms}
        if repetition_ms is not None:
            changes |= {"repetition_ms": repetition_ms, "max_repetitions": _MOST}
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)

    @property
    def flush_text(self) -> str:
        """How times differ from those with a flushed L2, for the key of results."""
        return "" if self.flush_mb is None else f"L2 flush of {self.flush_mb:g} MB"


@dataclass(frozen=True)
class Timing:
    """Percentiles over the repetitions, in milliseconds."""

    p20: float
    p50: float
    p80: float
    repetitions: int
    launch_us: float
    """Host time of one call of the launcher."""
    samples: tuple[float, ...] = ()
    """The milliseconds of every repetition, in the order of the calls."""


def combined(timings: Sequence[Timing]) -> Timing:
    """The geometric means over the timings of several sizes."""
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
        """Wait until all calls are done."""
        ...

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, from several calls in a row with warm caches."""
        ...

    def sample(
        self,
        call: Callable[[], Any],
        repetitions: int,
        head_start_us: float,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[float]:
        """Milliseconds of each of several calls; caches are flushed before each.

        Calls `meanwhile` while the device works.
        """
        ...


class CudaClock:
    """Times with CUDA events."""

    _BATCH = 32
    """Calls that are queued at once; the driver's queue holds about 1000 commands."""

    def __init__(self, flush_mb: float | None = None) -> None:
        """Flush by writing these megabytes; None: as many as the L2 has."""
        import torch

        self._torch = torch
        size = torch.cuda.get_device_properties(0).L2_cache_size
        if flush_mb is not None:
            size = int(flush_mb * 1e6)
        self._scratch = (
            torch.empty(size, dtype=torch.int8, device="cuda") if size else None
        )

    def finish(self) -> None:
        """Wait for the device."""
        self._torch.cuda.synchronize()

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, by two events around all calls."""
        start, end = self._events(1)[0]
        start.record()
        for _ in range(calls):
            call()
        end.record()
        self.finish()
        return start.elapsed_time(end) / calls

    def sample(
        self,
        call: Callable[[], Any],
        repetitions: int,
        head_start_us: float,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[float]:
        """Milliseconds of each call, by two events around it."""
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
            if meanwhile is not None:
                meanwhile()
            self.finish()
            samples += [start.elapsed_time(end) for start, end in batch]
        return samples

    def _events(self, count: int) -> list[tuple[Any, Any]]:
        event = self._torch.cuda.Event
        return [
            (event(enable_timing=True), event(enable_timing=True)) for _ in range(count)
        ]

    def _spin(self, microseconds: float) -> None:
        """Keep the device busy while the host fills the queue."""
        if microseconds <= 0:
            return
        # The factor 1.5 covers the flush and the events; 2 cycles take about 1 ns.
        self._torch.cuda._sleep(int(1.5 * microseconds * 2000))


class HostClock:
    """Times calls that run on the host, without flushes or a queue."""

    def finish(self) -> None:
        """Do nothing: a host call is done when it returns."""

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        """Milliseconds of one call, from several calls in a row."""
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - start) * 1e3 / calls

    def sample(
        self,
        call: Callable[[], Any],
        repetitions: int,
        head_start_us: float,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[float]:
        """Milliseconds of each call."""
        return [self.warm_ms(call, 1) for _ in range(repetitions)]


def clock_for(device: str, options: TimingOptions) -> Clock:
    """The clock of a device, `cuda` or `cpu`."""
    return CudaClock(options.flush_mb) if device == "cuda" else HostClock()


def warm_up(call: Callable[[], Any], clock: Clock, options: TimingOptions) -> None:
    """Call until clocks, caches and lazily loaded code have settled."""
    deadline = time.perf_counter() + options.warmup_ms / 1e3
    while True:
        call()
        clock.finish()
        if time.perf_counter() > deadline:
            return


def launch_microseconds(call: Callable[[], Any], clock: Clock, calls: int = 5) -> float:
    """Host time of one call, without waiting for the device."""
    clock.finish()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    elapsed = time.perf_counter() - start
    clock.finish()
    return elapsed * 1e6 / calls


def head_start(each_ms: float, launch_us: float) -> float:
    """Microseconds per call that the device must spin while the host fills the queue.

    None where a call takes the device much longer than the host: then the queue fills
    by itself.
    """
    return launch_us if each_ms * 1e3 < 5 * launch_us else 0.0


def time_call(
    call: Callable[[], Any],
    clock: Clock,
    options: TimingOptions,
    rival_ms: float | None = None,
    meanwhile: Callable[[], None] | None = None,
    is_awaited: Callable[[], bool] | None = None,
) -> Timing:
    """Time a call that is already warm; stop early if its rival is much faster.

    `meanwhile` is called while the device works off a long queue. `is_awaited` says
    whether another program waits for the device; until then a slow call is timed on.
    """
    too_slow = math.inf if rival_ms is None else options.slower * rival_ms
    # Two calls tell whether a program is out of the race; five are more precise.
    each = max(clock.warm_ms(call, 2), 1e-4)
    if each < too_slow:
        each = max(clock.warm_ms(call, 5), 1e-4)
    launch = launch_microseconds(call, clock, 3 if each < too_slow else 1)
    lead = head_start(each, launch)
    wanted = int(options.repetition_ms / each)
    repetitions = max(options.min_repetitions, min(options.max_repetitions, wanted))
    few = min(_FEW, repetitions)
    samples = clock.sample(call, few, lead)
    if min(samples) < too_slow:
        some = min(_SOME, repetitions) - few
        samples += clock.sample(call, some, lead, meanwhile)
        slow = math.inf if rival_ms is None else options.somewhat_slower * rival_ms
        if float(np.percentile(samples, 20)) < slow:
            samples += clock.sample(call, repetitions - len(samples), lead, meanwhile)
    while is_awaited and len(samples) < repetitions and not is_awaited():
        few = min(_FEW, repetitions - len(samples))
        samples += clock.sample(call, few, lead, meanwhile)
    p20, p50, p80 = (float(value) for value in np.percentile(samples, [20, 50, 80]))
    return Timing(p20, p50, p80, len(samples), launch, tuple(samples))
