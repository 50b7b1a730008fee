"""Measuring a program on a device: check its results, then time it.

Runs inside a worker process.
"""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.measure.baselines import Baselines, measure_baselines
from tilewright.tuning.measure.correctness import check_all, load_references
from tilewright.tuning.measure.loading import kept_launcher, loaded_launcher
from tilewright.tuning.measure.timing import (
    Timing,
    clock_for,
    combined,
    head_start,
    launch_microseconds,
    time_call,
    warm_up,
)

if TYPE_CHECKING:
    from tilewright.ir.tolerance import Comparison
    from tilewright.tuning.measure.references import Reference
    from tilewright.tuning.measure.timing import TimingOptions

_FEWEST_ROUNDS = 2
"""Rounds of a final timing that has no time left."""


@dataclass(frozen=True)
class DeviceInfo:
    """The device that a worker sees."""

    name: str
    l2_bytes: int


@dataclass(frozen=True)
class Measurement:
    """The comparison with the references, and the times."""

    comparison: Comparison
    timing: Timing | None
    """None where the numbers were wrong, or nothing was to be timed; over several
    sizes, the geometric means."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Where the job's time went: load, check, warm-up, time."""
    each: tuple[Timing, ...] = ()
    """The times at every size that is timed."""
    baselines: tuple[Baselines, ...] = ()
    """The baselines at those sizes, where the job asks for them."""


@dataclass(frozen=True)
class Contender:
    """One of the programs of an interleaved timing."""

    name: str
    source: Path
    entry: str


def probe(device: str) -> DeviceInfo:
    """Name and L2 size of the device."""
    if device != "cuda":
        return DeviceInfo(device, 0)
    import torch

    properties = torch.cuda.get_device_properties(0)
    return DeviceInfo(properties.name, properties.L2_cache_size)


def measure(
    source: Path,
    entry: str,
    references: Sequence[Reference],
    options: TimingOptions,
    device: str,
    *,
    rivals: Sequence[float] = (),
    meanwhile: Callable[[], None] | None = None,
    is_awaited: Callable[[], bool] | None = None,
    with_baselines: bool = False,
    dot_type: str | None = None,
) -> Measurement:
    """Check a program against every reference, and time it if it is correct.

    `rivals` are the times of the best program so far, one for each timed reference; a
    program that is much slower is timed by a few repetitions only, or until another
    program `is_awaited`. `meanwhile` is called while the device is busy.
    """
    seconds: dict[str, float] = {}
    clock = clock_for(device, options)
    with _stage(seconds, "check"):
        loaded = load_references(references, device)
    with _stage(seconds, "load"):
        launcher = loaded_launcher(source, entry)
    calls = [functools.partial(launcher, *one.inputs) for one in loaded]
    with _stage(seconds, "check"):
        first = [_FirstCall(call) for call in calls]
        comparison = check_all(first, loaded, clock.finish)
    # The first call reads the binary from Triton's cache and loads it on the device.
    loading = sum(call.seconds for call in first)
    seconds["load"] += loading
    seconds["check"] -= loading
    if not comparison.ok:
        return Measurement(comparison, None, seconds)
    each: list[Timing] = []
    baselines: list[Baselines] = []
    times = iter(rivals)
    for call, reference in zip(calls, references, strict=True):
        if not reference.timed:
            continue
        with _stage(seconds, "warm-up"):
            warm_up(call, clock, options)
        with _stage(seconds, "time"):
            rival = next(times, None)
            each.append(time_call(call, clock, options, rival, meanwhile, is_awaited))
            if with_baselines:
                baselines.append(
                    measure_baselines(
                        call, each[-1], reference, dot_type, clock, options
                    )
                )
    with _stage(seconds, "check"):
        again = check_all(calls, loaded, clock.finish)
    if not again.ok:
        # Correct once and wrong later is a race, which a single run seldom shows.
        text = f"right at first, wrong when run again: {again.message}"
        return Measurement(replace(again, message=text), None, seconds)
    timing = combined(each) if each else None
    return Measurement(comparison, timing, seconds, tuple(each), tuple(baselines))


class _FirstCall:
    """A call that measures its host time."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self.seconds = 0.0

    def __call__(self) -> Any:
        start = time.perf_counter()
        try:
            return self._call()
        finally:
            self.seconds += time.perf_counter() - start


def retime(
    contenders: Sequence[Contender],
    references: Sequence[Reference],
    options: TimingOptions,
    rounds: int,
    device: str,
    seconds: float = math.inf,
    meanwhile: Callable[[], None] | None = None,
) -> dict[str, list[float]]:
    """Time the contenders in turn, a few repetitions each, for a number of rounds.

    Stops after a whole round if the `seconds` are over. Calls `meanwhile` while the
    device is busy. Returns the milliseconds of
    every repetition, by the contender's name.
    """
    until = time.perf_counter() + seconds
    clock = clock_for(device, options)
    loaded = load_references(references, device)
    calls: dict[str, list[Callable[[], Any]]] = {}
    leads: dict[str, list[float]] = {}
    for contender in contenders:
        launcher = kept_launcher(contender.source, contender.entry)
        calls[contender.name] = [
            functools.partial(launcher, *one.inputs) for one in loaded
        ]
    for name, of_contender in calls.items():
        leads[name] = []
        for call in of_contender:
            warm_up(call, clock, options)
            launch = launch_microseconds(call, clock)
            leads[name].append(head_start(clock.warm_ms(call, 5), launch))
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    for turn in range(rounds):
        # A different contender begins each round: the one that follows a heavy kernel
        # finds the card hotter than the others do.
        first = turn % len(names)
        if turn >= _FEWEST_ROUNDS and time.perf_counter() > until:
            break
        for name in names[first:] + names[:first]:
            # The first repetition of a turn is dropped: its code is not cached yet.
            taken = [
                clock.sample(call, 6, lead, meanwhile)[1:]
                for call, lead in zip(calls[name], leads[name], strict=True)
            ]
            samples[name] += [
                geometric_mean(times) for times in zip(*taken, strict=True)
            ]
    return samples


@contextlib.contextmanager
def _stage(seconds: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start
