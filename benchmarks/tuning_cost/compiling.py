"""Compiles configurations in pools of processes, and times each compilation.

A pool has a cache folder of its own, so that pools of several sizes compile the same
configurations anew. No process needs a GPU. A compilation may take so many seconds:
each is a process of its own, which is ended with everything that it started.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

from study import FRONTIER_INPUT, Configuration

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


@dataclass(frozen=True)
class Target:
    """What a pool compiles for, and how long a compilation may take."""

    capability: int
    limit_seconds: float


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

    def resources(self) -> dict[int, dict[str, Any]]:
        """What was found of each configuration, besides its seconds."""
        return {
            number: {k: v for k, v in asdict(one).items() if v is not None}
            for number, one in self.compiled.items()
        }


def compile_all(
    choices: Sequence[tuple[int, Configuration]],
    processes: int,
    cache: Path,
    target: Target,
    is_over: Callable[[], bool],
) -> PoolRun:
    """Compile numbered configurations in a pool, until all is done or time is over.

    Several processes begin with the longest, so that none ends with one when the others
    are done.
    """
    run = PoolRun(processes)
    if processes > 1:
        choices = sorted(choices, key=lambda one: -one[1].sums_per_warp)
    cache.mkdir(exist_ok=True)
    started = time.monotonic()
    pool = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(str(cache), target.capability),
    )
    # A process takes the next job when it is ready, so each gets one of these.
    ready = {pool.submit(_ready, 0.5) for _ in range(processes)}
    for _ in _done(ready, is_over):
        run.start_seconds = time.monotonic() - started
    started = time.monotonic()
    jobs = {
        pool.submit(_compile_within, one, target.limit_seconds): number
        for number, one in choices
    }
    for future in _done(set(jobs), is_over):
        run.compiled[jobs[future]] = future.result()
        run.wall_seconds = time.monotonic() - started
    if len(run.compiled) < len(choices):
        for worker in list(pool._processes.values()):
            worker.terminate()
    pool.shutdown(cancel_futures=True)
    return run


def print_resources(
    choices: Sequence[Configuration], processes: int, target: Target, seconds: float
) -> int:
    """Compile and print a line for each configuration; the exit status."""
    numbered = list(enumerate(choices))
    deadline = time.monotonic() + seconds

    def is_over() -> bool:
        return time.monotonic() > deadline

    with tempfile.TemporaryDirectory() as folder:
        run = compile_all(numbered, processes, Path(folder) / "cache", target, is_over)
    for number, choice in numbered:
        print(choice.values, run.compiled.get(number, "not compiled in time"))
    bad = sum(one.failure is not None for one in run.compiled.values())
    done = f"{len(run.compiled)} of {len(numbered)}"
    print(f"{done}, {bad} fail, {run.wall_seconds:.0f} s")
    return 0


class SidePools:
    """Pools that compile beside other work: a process for each group of pools."""

    def __init__(
        self,
        choices: Sequence[tuple[int, Configuration]],
        groups: Sequence[Sequence[int]],
        folder: Path,
        target: Target,
        deadline: float,
    ) -> None:
        """Begin at once; end at the deadline (`time.monotonic`) or at `finish`."""
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._found = context.Queue()
        shared = (choices, folder, target, deadline, self._stop, self._found)
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
    choices: Sequence[tuple[int, Configuration]],
    folder: Path,
    target: Target,
    deadline: float,
    stop: Any,
    found: Any,
) -> None:
    def is_over() -> bool:
        return stop.is_set() or time.monotonic() > deadline

    for processes in sizes:
        if not is_over():
            cache = folder / f"again_{processes}"
            found.put(compile_all(choices, processes, cache, target, is_over))
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
    """Load the compiler with a configuration that no space has."""
    _compile(Configuration(32, 32, 32, num_stages=1, num_warps=1))
    time.sleep(seconds)


def _compile_within(choice: Configuration, limit: float) -> Compilation:
    """Compile in a child, which is killed with its assembler at the limit."""
    receive, send = multiprocessing.Pipe(duplex=False)
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        _compile_in_child(choice, send)
    send.close()
    try:
        if receive.poll(limit):
            return receive.recv()
        failure = f"not compiled within {limit:g} s"
    except EOFError:
        failure = "the compiler crashed"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        receive.close()
    return Compilation(time.perf_counter() - started, failure=failure)


def _compile_in_child(choice: Configuration, send: Any) -> None:
    os.setsid()
    try:
        send.send(_compile(choice))
        send.close()
    finally:
        os._exit(0)


def _compile(choice: Configuration) -> Compilation:
    import torch
    from tutorial_gemm import launch

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
