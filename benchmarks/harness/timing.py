"""Timing that can be trusted: interleaved rounds, medians, intervals, checked results.

    timings = time_interleaved([Contender("eager", lambda: torch.relu(a @ b)), ...])
    ratio = speedup(timings["ours"], over=timings["eager"])

Clocks drift with heat, so contenders are never timed one after the other: each round
times every contender once, in an order that changes, and comparisons pair the rounds.
Without a GPU a wall clock stands in: the same code runs, its figures mean nothing.
"""

from __future__ import annotations

import json
import math
import os
import platform
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

MINIMUM_ROUNDS = 5
GPU_FIELDS = (
    "name",
    "driver_version",
    "clocks.sm",
    "clocks.mem",
    "clocks.max.sm",
    "clocks.max.mem",
    "power.draw",
    "power.limit",
    "temperature.gpu",
)


Outputs = torch.Tensor | tuple[torch.Tensor, ...]
"""The results of a call: a tensor, or several."""


class WrongResult(Exception):
    """A contender's result differs from the reference."""


@dataclass(frozen=True)
class Contender:
    """Something to time: a call without arguments that returns its output tensors.

    `output` says where the result goes: `fresh` (allocated by each call), `own` (one
    buffer, written in place) or `static` (the fixed buffer of a CUDA graph). `buffers`
    are scratch tensors to poison before the check.
    """

    name: str
    call: Callable[[], Outputs]
    config: str = ""
    note: str = ""
    output: str = "fresh"
    ours: bool = False
    buffers: tuple[torch.Tensor, ...] = ()


@dataclass
class Timing:
    """The medians, in milliseconds, of the rounds so far."""

    repetitions: int
    rounds: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Interval:
    """A median with its 95 % interval."""

    median: float
    low: float
    high: float


class Clock(Protocol):
    """How a call is timed."""

    def estimate(self, call: Callable[[], Any]) -> float:
        """Milliseconds of one warm call, roughly."""
        ...

    def sample(
        self, call: Callable[[], Any], warm_up: int, repetitions: int
    ) -> list[float]:
        """Milliseconds of each of `repetitions` calls, after `warm_up` others."""
        ...


class WallClock:
    """Times on the host; for dry runs."""

    def estimate(self, call: Callable[[], Any]) -> float:
        """Time the second call."""
        call()
        return self.sample(call, 0, 1)[0]

    def sample(
        self, call: Callable[[], Any], warm_up: int, repetitions: int
    ) -> list[float]:
        """Time each call with the host's clock."""
        for _ in range(warm_up):
            call()
        times = []
        for _ in range(repetitions):
            start = time.perf_counter()
            call()
            times.append((time.perf_counter() - start) * 1e3)
        return times


class DeviceClock:
    """Times on the GPU with events, with a cold L2 before each call.

    The GPU is kept busy while the host queues the calls, so that the time between the
    two events is the device's alone: small kernels are not charged for their launch.
    """

    CYCLES_PER_MS = 1_900_000  # only how long the GPU waits for the queue depends on it
    LONGEST_WAIT_MS = 40.0

    def __init__(self, l2_multiple: float = 2.0) -> None:
        """Take a buffer of `l2_multiple` times this card's L2 to flush it with."""
        card = torch.cuda.get_device_properties(torch.cuda.current_device())
        l2_bytes = card.L2_cache_size or 64 << 20
        self.flush_bytes = int(l2_bytes * l2_multiple)
        self._flush = torch.empty(self.flush_bytes, dtype=torch.uint8, device="cuda")

    def estimate(self, call: Callable[[], Any]) -> float:
        """Time ten calls in a row, after three (a CUDA graph records on the second)."""
        for _ in range(3):
            call()
        torch.cuda.synchronize()
        start, end = self._events(2)
        start.record()
        for _ in range(10):
            call()
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) / 10

    def sample(
        self, call: Callable[[], Any], warm_up: int, repetitions: int
    ) -> list[float]:
        """Time each call with a pair of events around it."""
        starts, ends = self._events(repetitions), self._events(repetitions)
        torch.cuda.synchronize()
        issue = time.perf_counter()
        self._flush.zero_()
        call()
        issue_ms = (time.perf_counter() - issue) * 1e3
        for _ in range(warm_up):
            call()
        wait_ms = min(issue_ms * repetitions, self.LONGEST_WAIT_MS)
        torch.cuda._sleep(int(wait_ms * self.CYCLES_PER_MS))
        for start, end in zip(starts, ends, strict=True):
            self._flush.zero_()
            start.record()
            call()
            end.record()
        torch.cuda.synchronize()
        return [s.elapsed_time(e) for s, e in zip(starts, ends, strict=True)]

    @staticmethod
    def _events(count: int) -> list[torch.cuda.Event]:
        return [torch.cuda.Event(enable_timing=True) for _ in range(count)]


def default_clock() -> Clock:
    """The GPU's clock where there is a GPU, else the host's."""
    return DeviceClock() if torch.cuda.is_available() else WallClock()


def round_order(count: int, round_index: int) -> list[int]:
    """The order of contenders in a round: a shuffle for two rounds, once reversed.

    A contender that always followed one of two others would inherit their heat: the
    card lowers its clocks after a kernel that draws much power.
    """
    order = list(range(count))
    random.Random(round_index // 2).shuffle(order)
    return order[::-1] if round_index % 2 else order


def time_interleaved(
    contenders: Sequence[Contender],
    rounds: int = 7,
    *,
    clock: Clock | None = None,
    sample_ms: float = 40.0,
    warm_ms: float = 10.0,
    most_repetitions: int = 500,
    deadline: float | None = None,
    after_round: Callable[[int, dict[str, Timing]], None] | None = None,
) -> dict[str, Timing]:
    """Time every contender once a round and keep the median of each round.

    The number of repetitions is estimated from a warm call, to fill `sample_ms`. A
    round that would end after `deadline` (of `time.monotonic`) is not begun, but never
    fewer than five are timed. `after_round` sees what there is after each.
    """
    if not contenders:
        return {}
    if rounds < MINIMUM_ROUNDS:
        raise ValueError(f"{rounds} rounds give no interval; take {MINIMUM_ROUNDS}")
    if len({c.name for c in contenders}) < len(contenders):
        raise ValueError("two contenders have the same name; rename one")
    clock = clock or default_clock()
    warm_ups: dict[str, int] = {}
    timings: dict[str, Timing] = {}
    for contender in contenders:
        one_ms = max(clock.estimate(contender.call), 1e-3)
        repetitions = min(max(round(sample_ms / one_ms), 5), most_repetitions)
        timings[contender.name] = Timing(repetitions)
        warm_ups[contender.name] = min(max(round(warm_ms / one_ms), 1), 200)

    longest_round = 0.0
    for index in range(rounds):
        started = time.monotonic()
        late = deadline is not None and started + longest_round > deadline
        if late and index >= MINIMUM_ROUNDS:
            break
        for position in round_order(len(contenders), index):
            name, call = contenders[position].name, contenders[position].call
            timing = timings[name]
            samples = clock.sample(call, warm_ups[name], timing.repetitions)
            timing.rounds.append(float(np.median(samples)))
        longest_round = max(longest_round, time.monotonic() - started)
        if after_round is not None:
            after_round(index, timings)
    return timings


def bootstrap(
    values: Sequence[float], resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Median of `values` with its 95 % interval from seeded resampling."""
    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 1 or data.size == 0:
        raise ValueError("an interval needs a list of at least one value")
    picks = np.random.default_rng(seed).integers(0, data.size, (resamples, data.size))
    low, high = np.quantile(np.median(data[picks], axis=1), [0.025, 0.975])
    return Interval(float(np.median(data)), float(low), float(high))


def speedup(timing: Timing, over: Timing) -> Interval:
    """How many times faster than `over`, paired by round; above 1 is faster."""
    pairs = zip(timing.rounds, over.rounds, strict=True)
    return bootstrap([other / one for one, other in pairs])


def relative_error(out: Outputs, reference: Outputs) -> float:
    """||out - reference|| / ||reference|| in float64; NaN where either holds a NaN.

    Of several results it is the largest error.
    """
    if isinstance(reference, tuple):
        made = out if isinstance(out, tuple) else (out,)
        if len(made) != len(reference):
            raise WrongResult(f"{len(made)} results, not {len(reference)}")
        errors = list(map(relative_error, made, reference))
        return math.nan if any(map(math.isnan, errors)) else max(errors)
    if isinstance(out, tuple):
        raise WrongResult(f"{len(out)} results, not one tensor")
    if out.shape != reference.shape:
        raise WrongResult(f"shape {tuple(out.shape)}, not {tuple(reference.shape)}")
    wide = reference.double()
    distance = torch.linalg.vector_norm(out.double() - wide).item()
    scale = torch.linalg.vector_norm(wide).item()
    if scale == 0.0:
        return (
            0.0 if distance == 0.0 else math.nan if distance != distance else math.inf
        )
    return distance / scale


def poison(tensor: torch.Tensor) -> torch.Tensor:
    """Fill with a value that no result holds: NaN, or the least integer."""
    if tensor.dtype.is_floating_point:
        return tensor.fill_(math.nan)
    return tensor.fill_(torch.iinfo(tensor.dtype).min)


def checked_error(contender: Contender, reference: Outputs, tolerance: float) -> float:
    """Run on poisoned memory and return the relative error, or raise `WrongResult`.

    The output of an earlier call is poisoned and let go, and so are some blocks of its
    size. A contender that writes its own buffer writes over it; one that
    allocates is handed one of the blocks again by the caching allocator. Either way an
    element that is not written stays poison.
    """
    for _ in range(3):  # a CUDA graph warms up, records, then replays
        out = contender.call()
    for buffer in contender.buffers:
        poison(buffer)
    blocks: list[torch.Tensor] = []
    for result in out if isinstance(out, tuple) else (out,):
        poison(result)
        blocks += [poison(torch.empty_like(result)) for _ in range(4)]
    del out, result, blocks
    error = relative_error(contender.call(), reference)
    if not error <= tolerance:  # NaN fails this
        raise WrongResult(f"relative error {error:.2e}, above {tolerance:.0e}")
    return error


def replayed(contender: Contender) -> Contender:
    """The contender as a CUDA graph of its launches; unchanged without a GPU."""
    if not torch.cuda.is_available():
        return contender
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            contender.call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = contender.call()

    def replay() -> Outputs:
        graph.replay()
        return out

    return replace(contender, call=replay, output="static")


def gpu_state() -> dict[str, str]:
    """The state of the first GPU by nvidia-smi; empty where there is none."""
    query = f"--query-gpu={','.join(GPU_FIELDS)}"
    command = ["nvidia-smi", query, "--format=csv,noheader", "--id=0"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    values = [value.strip() for value in run.stdout.split(",")]
    return dict(zip(GPU_FIELDS, values, strict=False)) if run.returncode == 0 else {}


def environment() -> dict[str, Any]:
    """Device, versions and clocks, which every figure needs."""
    import triton

    found: dict[str, Any] = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "triton": triton.__version__,
        "numpy": np.__version__,
        "cuda": torch.version.cuda,
        "gpu": None,
        "nvidia_smi": gpu_state(),
    }
    if torch.cuda.is_available():
        card = torch.cuda.get_device_properties(torch.cuda.current_device())
        found["gpu"] = card.name
        found["multiprocessors"] = card.multi_processor_count
        found["l2_bytes"] = card.L2_cache_size
    return found


def command_line() -> str:
    """The command that started this process, to be written beside its figures."""
    return shlex.join(["python", *sys.argv])


def write_json(path: Path, document: dict[str, Any]) -> None:
    """Write atomically: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(json.dumps(document, indent=1) + "\n")
    partial.replace(path)
