"""Compiles the configurations of the study in processes, and times each compilation.

A pool has a cache folder of its own, so that pools of several sizes compile the same
configurations anew. No process needs a GPU.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from study import FRONTIER_INPUT, Configuration

if TYPE_CHECKING:
    import torch

    from rivals.launching import Launch

POLL_SECONDS = 0.3
JOIN_SECONDS = 5.0
"""For a process to end its own pool: a pool whose owner is killed would stay."""


@dataclass(frozen=True)
class Compilation:
    """The outcome of one compilation: its seconds, and resources or the failure."""

    seconds: float
    registers: int | None = None
    stack_bytes: int | None = None
    shared_bytes: int | None = None
    failure: str | None = None


@dataclass
class PoolRun:
    """The compilations of one pool."""

    processes: int
    start_seconds: float = 0.0
    """Until every process had loaded torch, Triton and the compiler."""
    wall_seconds: float = 0.0
    """From the first configuration to the last, without the start."""
    compiled: dict[int, Compilation] = field(default_factory=dict)
    """By the number of the configuration."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "processes": self.processes,
            "start_seconds": round(self.start_seconds, 3),
            "wall_seconds": round(self.wall_seconds, 3),
            "seconds": {n: round(c.seconds, 4) for n, c in self.compiled.items()},
        }

    def resources(self, number: int) -> dict[str, Any]:
        """The resources of a configuration, or its failure; empty if not compiled."""
        found = self.compiled.get(number)
        return {} if found is None else {**asdict(found), "seconds": None}


def launch(
    tensors: tuple[torch.Tensor, torch.Tensor, torch.Tensor], choice: Configuration
) -> Launch:
    """The hand-written product in this configuration, bound to a, b and the result."""
    from rivals.gemm import candidates
    from rivals.gemm.configurations import Configuration as Tile

    config = Tile(
        choice.BLOCK_M,
        choice.BLOCK_N,
        choice.BLOCK_K,
        choice.num_warps,
        choice.num_stages,
    )
    product = candidates.Product(*tensors)
    return candidates.candidate(product, "pointer", config, 1).launches[0]


def compile_all(
    choices: Sequence[Configuration],
    processes: int,
    cache: Path,
    capability: int,
    is_over: Callable[[], bool],
) -> PoolRun:
    """Compile in a pool, until all is done or time is over."""
    run = PoolRun(processes)
    cache.mkdir()
    started = time.monotonic()
    pool = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(str(cache), capability),
    )
    # A process takes the next job when it is ready, so each gets one of these.
    ready = {pool.submit(_ready, 0.5) for _ in range(processes)}
    for _ in _done(ready, is_over):
        run.start_seconds = time.monotonic() - started
    started = time.monotonic()
    jobs = {pool.submit(_compile, one): n for n, one in enumerate(choices)}
    for future in _done(set(jobs), is_over):
        run.compiled[jobs[future]] = future.result()
        run.wall_seconds = time.monotonic() - started
    if len(run.compiled) < len(choices):
        for worker in list(pool._processes.values()):
            worker.terminate()
    pool.shutdown(cancel_futures=True)
    return run


class SidePools:
    """Pools that compile beside other work: a process for each group of pools."""

    def __init__(
        self,
        choices: Sequence[Configuration],
        groups: Sequence[Sequence[int]],
        folder: Path,
        capability: int,
        deadline: float,
    ) -> None:
        """Begin at once; end at the deadline (`time.monotonic`) or at `finish`."""
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._found = context.Queue()
        shared = (choices, folder, capability, deadline, self._stop, self._found)
        self._processes = [
            context.Process(target=_side_pools, args=(sizes, *shared))
            for sizes in groups
        ]
        for process in self._processes:
            process.start()

    def finish(self, patience: float) -> list[PoolRun]:
        """Let them go on for some seconds, and return what was compiled."""
        runs: list[PoolRun] = []
        running = len(self._processes)
        deadline = time.monotonic() + patience
        while running and time.monotonic() < deadline + 5 * POLL_SECONDS:
            if time.monotonic() > deadline:
                self._stop.set()
            with suppress(Empty):
                found = self._found.get(timeout=POLL_SECONDS)
                running -= found is None
                runs += [] if found is None else [found]
        for process in self._processes:
            process.join(JOIN_SECONDS)
            if process.is_alive():
                process.terminate()
        return sorted(runs, key=lambda run: run.processes)


def _side_pools(
    sizes: Sequence[int],
    choices: Sequence[Configuration],
    folder: Path,
    capability: int,
    deadline: float,
    stop: Any,
    found: Any,
) -> None:
    def is_over() -> bool:
        return stop.is_set() or time.monotonic() > deadline

    for processes in sizes:
        if not is_over():
            cache = folder / f"again_{processes}"
            found.put(compile_all(choices, processes, cache, capability, is_over))
    found.put(None)


def _done(futures: set[Future[Any]], is_over: Callable[[], bool]) -> Iterator[Any]:
    """The futures as they end, until time is over."""
    while futures and not is_over():
        ended, futures = wait(futures, POLL_SECONDS, FIRST_COMPLETED)
        yield from ended


def _prepare(cache: str, capability: int) -> None:
    os.environ["TRITON_CACHE_DIR"] = cache
    os.environ.pop("TRITON_INTERPRET", None)
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from rivals import aot

    aot.compile_only(capability)


def _ready(seconds: float) -> None:
    """Load the compiler with a configuration that the space does not have."""
    _compile(Configuration(32, 32, 32, num_stages=2, num_warps=1))
    time.sleep(seconds)


def _compile(choice: Configuration) -> Compilation:
    import torch

    from rivals import aot

    m, n, k = FRONTIER_INPUT
    a, b, out = (
        torch.empty(shape, dtype=torch.float16, device="meta")
        for shape in ((m, k), (k, n), (m, n))
    )
    started = time.perf_counter()
    try:
        kernel = launch((a, b, out), choice).compile()
    except Exception as error:  # recorded: the study wants failures with their reasons
        seconds = time.perf_counter() - started
        last = (str(error).strip().splitlines() or [""])[-1]
        return Compilation(seconds, failure=f"{type(error).__name__}: {last[:300]}")
    seconds = time.perf_counter() - started
    found = aot.resources(kernel)
    return Compilation(seconds, found.registers, found.stack_bytes, found.shared_bytes)
