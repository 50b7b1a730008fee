"""The host time of a call: whole, inside of its graphs, and by kinds of statements."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from harness.host_time import ticks
from harness.host_time.watched import Switch, synchronize

_WARM = 3


@dataclass(frozen=True)
class Part:
    """What the statements of one kind take in a call."""

    microseconds: float
    count: float


@dataclass
class Measured:
    """Microseconds of a call on the host."""

    host: float
    """Until the call returns, with no work queued before: the median."""
    host_least: float
    inside: float
    """The part inside of compiled graphs; the rest are guards and AOTAutograd."""
    launches: float = 0
    """Kernels that a call launches, by whomever."""
    copies: float = 0
    """Copies and fills that are no kernels."""
    driver: float = 0
    """Inside of the driver's launch functions, as the profiler sees them."""
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def outside(self) -> float:
        """Guards, AOTAutograd, and everything else around the graphs."""
        return self.host - self.inside

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "outside": self.outside}


def measured(call: Callable[[], Any], switch: Switch, rounds: int) -> Measured:
    """Time a call that is compiled already."""
    whole: list[float] = []
    inside: list[float] = []
    for number in range(rounds + _WARM):
        synchronize()
        switch.inside = 0.0
        started = time.perf_counter()
        call()
        taken = time.perf_counter() - started
        if number >= _WARM:
            whole.append(taken * 1e6)
            inside.append(switch.inside * 1e6)
    found = Measured(statistics.median(whole), min(whole), statistics.median(inside))
    found.parts = _parts(call, switch, rounds)
    if torch.cuda.is_available():
        _profile(call, found)
    return found


def _parts(call: Callable[[], Any], switch: Switch, rounds: int) -> dict[str, Part]:
    """The kinds of statements; the median of calls with ticks."""
    calls: list[dict[str, tuple[int, int]]] = []
    switch.is_ticking = True
    try:
        for number in range(rounds + _WARM):
            synchronize()
            ticks.clock.clear()
            call()
            if number >= _WARM:
                calls.append(ticks.clock.raw())
    finally:
        switch.is_ticking = False
    own = ticks.tick_time()
    kinds = {kind for one in calls for kind in one}
    found: dict[str, Part] = {}
    for kind in kinds:
        count = statistics.median(one.get(kind, (0, 0))[1] for one in calls)
        taken = statistics.median(one.get(kind, (0, 0))[0] for one in calls)
        found[kind] = Part(max(0.0, (taken - own * count) / 1e3), count)
    return dict(sorted(found.items(), key=lambda one: -one[1].microseconds))


def _profile(call: Callable[[], Any], found: Measured, calls: int = 5) -> None:
    """Count launches, and the time that the driver takes for them."""
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(calls):
            call()
        torch.cuda.synchronize()
    for event in profile.events() or ():
        is_copy = event.name.startswith(("Memcpy", "Memset"))
        if event.device_type == torch.autograd.DeviceType.CUDA:
            found.launches += (not is_copy) / calls
            found.copies += is_copy / calls
        elif "LaunchKernel" in event.name:
            found.driver += event.cpu_time_total / calls
