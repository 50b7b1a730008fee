"""How long a model takes: eager torch, torch.compile and tilewright, interleaved.

All that a model needs is compiled first, by several processes at once; then one
process after another has the GPU for itself and times its model.
"""

from __future__ import annotations

import copy
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from harness.timing import Contender, speedup, time_interleaved
from zoo.entry import Entry, Made, Size, as_type
from zoo.uses import (
    Rewinding,
    decoding,
    filling,
    forward,
    optimized,
    train,
    training,
)

WAYS: dict[str, str | None] = {
    "eager": None,
    "compile": "inductor",
    "ours": "tilewright",
}
"""Who runs a model, and the backend of torch.compile."""
OF_EAGER = 4.0
"""A model in a short element type may be this many times as wrong as torch."""
LEAST = 1e-2
"""The relative error that a short element type may have in any model."""
ROUNDS = 5
CALLS = 12
"""Calls of a round by the host's clock."""
TOP = 14
"""Kernels of a profile that the record keeps."""


@dataclass
class Timed:
    """What became of a model; times are milliseconds of a call."""

    use: str
    size: str
    dtype: str
    error: dict[str, float] = field(default_factory=dict)
    """Distance from float64 (or from eager torch), relative to the norm."""
    device: dict[str, float] = field(default_factory=dict)
    wall: dict[str, float] = field(default_factory=dict)
    host: dict[str, float] = field(default_factory=dict)
    """Until a call returns, the GPU idle before."""
    first_call: dict[str, float] = field(default_factory=dict)
    """Seconds of the first call; torch.compile compiles in it."""
    memory: dict[str, float] = field(default_factory=dict)
    """The most MB that a call takes beside weights and inputs."""
    kernels: dict[str, list[tuple[str, int, float]]] = field(default_factory=dict)
    """Name, launches and microseconds of the longest kernels of a call."""
    launches: dict[str, int] = field(default_factory=dict)
    ratio: dict[str, float] = field(default_factory=dict)
    """Device time of another divided by ours."""
    failure: str = ""

    @property
    def right(self) -> bool:
        """Whether our numbers are as near as eager torch's.

        Where eager torch is the reference itself, as near as torch.compile's.
        """
        other = self.error.get("eager") or self.error.get("compile", 0.0)
        ours = self.error.get("ours", float("inf"))
        return not self.failure and ours <= max(LEAST, OF_EAGER * other)

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        """One line for a terminal."""
        if self.failure:
            return f"FAILED: {self.failure}"
        of = " ".join(
            f"{way} {self.device[way]:.3f}/{self.wall[way]:.3f}/{self.host[way]:.3f}"
            f" ({self.launches.get(way, 0)} launches, {self.first_call[way]:.0f} s)"
            for way in self.device
        )
        best = min(self.ratio.values(), default=0.0)
        verdict = "" if self.right else f"WRONG {self.error}; "
        return f"{verdict}{best:.2f}x; ms device/wall/host: {of}"


@dataclass
class Ready:
    """A compiled model that waits for its turn."""

    timed: Timed
    calls: dict[str, Callable[[], Any]]

    def measured(self) -> Timed:
        """Time it; the GPU is ours alone now."""
        timed = self.timed
        contenders = [Contender(way, call) for way, call in self.calls.items()]
        found = time_interleaved(contenders, ROUNDS, sample_ms=20.0, warm_ms=5.0)
        for way, rounds in found.items():
            timed.device[way] = round(sorted(rounds.rounds)[ROUNDS // 2], 4)
            if way != "ours":
                timed.ratio[way] = round(speedup(found["ours"], rounds).median, 3)
        self._by_the_host(timed)
        if torch.cuda.is_available():
            for way, call in self.calls.items():
                self._profile(way, call, timed)
                timed.memory[way] = _peak(call)
        return timed

    def _by_the_host(self, timed: Timed) -> None:
        wall: dict[str, list[float]] = {way: [] for way in self.calls}
        host: dict[str, list[float]] = {way: [] for way in self.calls}
        for _ in range(ROUNDS):
            for way, call in self.calls.items():
                one = host[way]
                _wait()
                for _ in range(CALLS):
                    started = time.perf_counter()
                    call()
                    one.append(time.perf_counter() - started)
                    _wait()
                started = time.perf_counter()
                for _ in range(CALLS):
                    call()
                _wait()
                wall[way].append((time.perf_counter() - started) / CALLS)
        for way in self.calls:
            timed.host[way] = _median_ms(host[way])
            timed.wall[way] = _median_ms(wall[way])

    def _profile(self, way: str, call: Callable[[], Any], timed: Timed) -> None:
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            call()
            _wait()
        rows = [row for row in seen.key_averages() if row.device_time_total > 0]
        rows.sort(key=lambda row: -row.device_time_total)
        timed.launches[way] = sum(row.count for row in rows)
        timed.kernels[way] = [
            (row.key[:100], row.count, round(row.device_time_total, 1))
            for row in rows[:TOP]
        ]


def ready(entry: Entry, use: str, size: Size, dtype: torch.dtype) -> Ready:
    """Make a model, compile it by everyone, compare the numbers."""
    warnings.simplefilter("ignore")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    made = entry.placed(size, device, dtype)
    rewinding = None
    if use == "decode":
        made = decoding(made, size)
        with torch.no_grad():
            made.module(**filling(made, made))
        rewinding = Rewinding(made)
    if use == "train":
        training(made)
    work = train if use == "train" else forward
    timed = Timed(use, size, str(dtype).removeprefix("torch."))
    results: dict[str, list[torch.Tensor]] = {}
    calls: dict[str, Callable[[], Any]] = {}
    for way, backend in WAYS.items():
        run = _compiled(made.module, backend)
        calls[way] = lambda run=run: work(made, run)
        if use == "train":
            calls[way] = optimized(made, run, _optimizer(backend))
        elif rewinding is not None:
            calls[way] = rewinding.around(calls[way])
        started = time.perf_counter()
        results[way] = [one.clone() for one in calls[way]()]
        _wait()
        timed.first_call[way] = round(time.perf_counter() - started, 2)
        calls[way]()
    exact = _exact(made, work) if use != "decode" else None
    for way, found in results.items():
        timed.error[way] = _distance(found, exact or results["eager"])
    if torch.cuda.is_available():
        torch.cuda.empty_cache()  # others compile beside this process
    return Ready(timed, calls)


def _compiled(module: torch.nn.Module, backend: str | None) -> Callable[..., Any]:
    """The model as a function that a backend compiles; eager torch's without one."""
    return module if backend is None else _apart(module.forward, backend)


def _optimizer(backend: str | None) -> Callable[[Any], Any]:
    """What compiles the step of an optimizer."""
    return lambda step: step if backend is None else _apart(step, backend)


def _apart(function: Callable[..., Any], backend: str) -> Callable[..., Any]:
    """Compile a function so that another compiler of it shares no code with it."""

    def call(**inputs: Any) -> Any:
        return function(**inputs)

    call.__code__ = call.__code__.replace(co_name=f"call_{backend}")
    return torch.compile(call, backend=backend, dynamic=False)


def _exact(made: Made, work: Callable[..., list[torch.Tensor]]) -> Any:
    """The results in float64; None if the model does not run in it, or fit."""
    try:
        inputs = {
            name: as_type(one, torch.float64) for name, one in made.inputs.items()
        }
        wide = Made(copy.deepcopy(made.module).double(), inputs)
        return [one.float() for one in work(wide, wide.module)]
    except RuntimeError:
        return None


def _distance(found: list[torch.Tensor], exact: list[torch.Tensor]) -> float:
    if len(found) != len(exact):
        return float("inf")
    worst = 0.0
    for one, other in zip(found, exact, strict=True):
        if one.shape != other.shape:
            return float("inf")
        if other.is_floating_point():
            wide = torch.nan_to_num(other.float(), posinf=0.0, neginf=0.0)
            near = torch.nan_to_num(one.float(), nan=1e9, posinf=0.0, neginf=0.0)
            size = torch.linalg.vector_norm(wide).item()
            distance = torch.linalg.vector_norm(near - wide).item()
            worst = max(worst, distance / max(size, 1e-6))
    return worst


def _peak(call: Callable[[], Any]) -> float:
    """The most memory that a call takes beside what is held before it, in MB."""
    _wait()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    kept = call()
    _wait()
    del kept
    return round((torch.cuda.max_memory_allocated() - before) / 1e6, 1)


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _median_ms(seconds: list[float]) -> float:
    return round(sorted(seconds)[len(seconds) // 2] * 1e3, 4)
