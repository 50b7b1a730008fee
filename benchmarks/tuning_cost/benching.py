"""Times one launch as `triton.testing.do_bench` does, and keeps everything it measures.

One call, five launches that tell how long one takes, warm-up, then repetitions with a
clear of the L2 before each. `do_bench` keeps quantiles; a study needs every launch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

ESTIMATING = 5
"""Launches that tell how long one takes."""
QUEUED_US = 60.0
"""Microseconds that the host may take to queue one launch, its clear and its events."""


@dataclass(frozen=True)
class Asked:
    """The milliseconds that a configuration is asked to be timed for."""

    repetition_ms: float
    warm_up_ms: float


@dataclass(frozen=True)
class Timing:
    """The timing of one configuration on one input."""

    samples_us: list[float]
    estimate_us: float
    """Of a launch and its clear, by the five that were timed first."""
    warm_up_seconds: float
    repetition_seconds: float
    """On the device, with the clears."""
    wall_seconds: float
    """Of everything, by the host's clock."""


class DeviceBench:
    """Times launches on a GPU."""

    CYCLES_PER_US = 1_980

    def __init__(self, clear_bytes: int) -> None:
        """Take the memory that is cleared: the study's, or as much as the L2."""
        import torch

        self._torch = torch
        card = torch.cuda.get_device_properties(torch.cuda.current_device())
        self.study_clear = clear_bytes
        self.card_clear = int(card.L2_cache_size)
        self._buffers = {
            size: torch.empty(size, dtype=torch.uint8, device="cuda")
            for size in (self.study_clear, self.card_clear)
        }

    def time(self, call: Callable[[], Any], clear: int, asked: Asked) -> Timing:
        """Time a call as `do_bench` does."""
        cuda = self._torch.cuda
        buffer = self._buffers.get(clear)
        started = time.perf_counter()
        call()
        cuda.synchronize()
        start, end = self._event(), self._event()
        start.record()
        for _ in range(ESTIMATING):
            _clear(buffer)
            call()
        end.record()
        cuda.synchronize()
        estimate_ms = max(start.elapsed_time(end) / ESTIMATING, 1e-3)
        warm_ups = max(1, int(asked.warm_up_ms / estimate_ms))
        count = max(1, int(asked.repetition_ms / estimate_ms))
        starts = [self._event() for _ in range(count)]
        ends = [self._event() for _ in range(count)]
        before, warm = self._event(), self._event()
        before.record()
        for _ in range(warm_ups):
            call()
        warm.record()
        for start, end in zip(starts, ends, strict=True):
            _clear(buffer)
            start.record()
            call()
            end.record()
        cuda.synchronize()
        samples = [s.elapsed_time(e) * 1e3 for s, e in zip(starts, ends, strict=True)]
        return Timing(
            samples,
            estimate_ms * 1e3,
            before.elapsed_time(warm) / 1e3,
            warm.elapsed_time(ends[-1]) / 1e3,
            time.perf_counter() - started,
        )

    def kernels(
        self, call: Callable[[], Any], clear: int, count: int
    ) -> tuple[float, float]:
        """Seconds of so many launches, and of the clears before them.

        The device waits until all are queued, so that nothing but kernels is in them.
        """
        cuda = self._torch.cuda
        buffer = self._buffers.get(clear)
        marks = [[self._event() for _ in range(3)] for _ in range(count)]
        call()
        cuda.synchronize()
        cuda._sleep(int(QUEUED_US * count * self.CYCLES_PER_US))
        for first, middle, last in marks:
            first.record()
            _clear(buffer)
            middle.record()
            call()
            last.record()
        cuda.synchronize()
        kernel = sum(middle.elapsed_time(last) for _, middle, last in marks)
        cleared = sum(first.elapsed_time(middle) for first, middle, _ in marks)
        return kernel / 1e3, cleared / 1e3 if clear else 0.0

    def _event(self) -> Any:
        return self._torch.cuda.Event(enable_timing=True)


class HostBench:
    """Stands in for the GPU in a dry run; its figures mean nothing."""

    study_clear = 1 << 18
    card_clear = 1 << 16

    def time(self, call: Callable[[], Any], clear: int, asked: Asked) -> Timing:
        """The microseconds of a few calls."""
        started = time.perf_counter()
        samples: list[float] = []
        for _ in range(4):
            before = time.perf_counter()
            call()
            samples.append((time.perf_counter() - before) * 1e6)
        wall = time.perf_counter() - started
        return Timing(samples, samples[0], samples[0] / 1e6, sum(samples) / 1e6, wall)

    def kernels(
        self, call: Callable[[], Any], clear: int, count: int
    ) -> tuple[float, float]:
        """The seconds of a call, and a figure for the clear."""
        started = time.perf_counter()
        call()
        return time.perf_counter() - started, clear / 1e9


def make_bench(dry: bool, clear_bytes: int) -> DeviceBench | HostBench:
    """The bench of this recording."""
    return HostBench() if dry else DeviceBench(clear_bytes)


def _clear(buffer: torch.Tensor | None) -> None:
    if buffer is not None:
        buffer.zero_()
