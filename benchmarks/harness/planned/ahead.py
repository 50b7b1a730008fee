"""Plan, build and compile the works of `planned.py` before anything is timed.

Two pools of processes: one for our programs, which needs no GPU, and one that runs
torch.compile, so that the process that times finds its graphs in Inductor's cache.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

INDUCTOR_CACHE = "TORCHINDUCTOR_CACHE_DIR"
BROKEN = "BrokenProcessPool"
START_SECONDS, JOB_SECONDS = 60.0, 20.0
"""A pool is ended when its processes took longer than this, on average, for a job."""


@dataclass(frozen=True)
class Ahead:
    """The outcome of a job: what there is to run, or the error."""

    program: Any = None
    """Our generated program."""
    planned: dict[str, Any] = field(default_factory=dict)
    """What was planned: kernels, library calls, the schedule, the estimate."""
    seconds: dict[str, float] = field(default_factory=dict)
    error: str = ""


def inductor_cache() -> Path:
    """The folder of Inductor's cache: the user's, else one of this benchmark."""
    own = Path(tempfile.gettempdir()) / f"planned_works_inductor_{os.getuid()}"
    return Path(os.environ.setdefault(INDUCTOR_CACHE, str(own)))


def forget_choices() -> None:
    """Drop what Inductor measured while many processes shared the card.

    It times a few configurations of a kernel at its first run. The process that times
    does this again, alone.
    """
    for path in inductor_cache().rglob("*.best_config"):
        path.unlink(missing_ok=True)


def build_all(
    names: Iterable[str], tiny: bool, compiled: bool
) -> Iterator[tuple[str, Ahead]]:
    """Our program of every work, as they come; `compiled` by Triton too.

    Without that, which a dry run leaves out, this process builds them.
    """
    if not compiled:
        return ((name, _reported(_build, name, tiny, False)) for name in names)
    return in_processes(_build, [(name, tiny, compiled) for name in names])


def build_tuned(
    schedules: Iterable[tuple[str, str]], tiny: bool
) -> Iterator[tuple[str, Ahead]]:
    """Programs by name and the text of a schedule with no choices left."""
    return in_processes(
        _build, [(name, tiny, not tiny, text) for name, text in schedules]
    )


def build_points(
    points: Iterable[tuple[str, str, tuple[tuple[str, Any], ...]]], tiny: bool
) -> Iterator[tuple[int, Ahead]]:
    """Programs by name, schedule and settings, with their position in the list."""
    jobs = [(name, tiny, not tiny, text, given) for name, text, given in points]
    return in_processes(_build, jobs, list(range(len(jobs))))


def compile_torch(names: Iterable[str]) -> Iterator[tuple[str, Ahead]]:
    """Let torch.compile do the works once, in processes that fill Inductor's cache."""
    inductor_cache()
    return in_processes(_compile_torch, [(name,) for name in names])


def in_processes(
    job: Callable[..., Ahead],
    arguments: list[tuple[Any, ...]],
    keys: list[Any] | None = None,
) -> Iterator[tuple[Any, Ahead]]:
    """Start at once; give each result as it comes, by its key or first argument."""
    context = multiprocessing.get_context("spawn")
    # Two pools run side by side, and a process has idle times.
    count = min(max(1, (os.cpu_count() or 2) * 5 // 8), max(1, len(arguments)))
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_one_thread)
    futures: dict[Future[Ahead], Any] = {
        pool.submit(_reported, job, *given): key
        for key, given in zip(
            keys or [given[0] for given in arguments], arguments, strict=True
        )
    }

    limit = START_SECONDS + JOB_SECONDS * len(arguments) / count

    def results() -> Iterator[tuple[Any, Ahead]]:
        waiting = set(futures)
        try:
            for future in as_completed(futures, limit):
                waiting.discard(future)
                try:
                    yield futures[future], future.result()
                except BrokenProcessPool as error:
                    yield futures[future], Ahead(error=f"{BROKEN}: {error}")
        except TimeoutError:
            for future in waiting:
                yield futures[future], Ahead(error=f"not done within {limit:.0f} s")
            for process in list(pool._processes.values()):
                process.kill()
        pool.shutdown(cancel_futures=True)

    return results()


def is_broken(found: Ahead) -> bool:
    """Whether the job failed because some process of the pool died."""
    return found.error.startswith(BROKEN)


def _one_thread() -> None:
    for name in ("TORCHINDUCTOR_COMPILE_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"


def first_line(error: BaseException) -> str:
    """The error in one line."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return f"{type(error).__name__}: {(lines or [''])[0][:400]}"


def _reported(job: Callable[..., Ahead], *arguments: Any) -> Ahead:
    try:
        return job(*arguments)
    except Exception as error:
        return Ahead(error=first_line(error))


@cache
def _works(tiny: bool) -> dict[str, Any]:
    from contenders.planned_works.table import table

    return table(tiny)


def _build(
    name: str,
    tiny: bool,
    compiled: bool,
    schedule: str | None = None,
    settings: tuple[tuple[str, Any], ...] = (),
) -> Ahead:
    """Plan and build a work; compile its kernels into Triton's cache."""
    import tilewright
    from tilewright.codegen.targets import detect, target_named

    payload = _works(tiny)[name].payload
    seconds: dict[str, float] = {}
    if schedule is None:
        started = time.perf_counter()
        tilewright.plan(payload)
        seconds["plan"] = time.perf_counter() - started
    started = time.perf_counter()
    made = tilewright.compile(payload, schedule, **dict(settings))
    seconds["build"] = time.perf_counter() - started
    program = made.built.program
    planned = describe_plan(made.plan) if made.plan is not None else {}
    planned["refusals"] = list(made.refusals)
    planned["kernels"] = [
        f"{_short(kernel.name, program.entry)} {'x'.join(map(str, kernel.grid))} "
        f"w{kernel.num_warps} s{kernel.num_stages}"
        for kernel in program.kernels
    ]
    planned["libraries"] = [call.function for call in program.calls]
    if compiled:
        from tilewright.codegen.runtime.compile import compile_program
        from tilewright.codegen.runtime.source_cache import source_directory
        from tilewright.tuning.model.occupancy import prune_program

        started = time.perf_counter()
        target = detect() or target_named("h200")
        stats = compile_program(program, target, source_directory())
        seconds["compile"] = time.perf_counter() - started
        planned["resources"] = [
            f"{s.kernel}: registers {s.registers}, spills {s.spill_bytes}, "
            f"shared {s.shared_bytes}"
            for s in stats
        ]
        # A kernel that spills runs nevertheless; one that asks too much fails later.
        planned["warning"] = prune_program(program, stats, target) or ""
    return Ahead(program, planned, seconds)


def _short(kernel: str, entry: str) -> str:
    return kernel.removeprefix(entry).removesuffix("_kernel").strip("_") or "kernel"


def describe_plan(plan: Any) -> dict[str, Any]:
    """A plan as plain data: the schedule, and its estimates by kernel."""
    kernels = [
        {
            "candidates": [
                {
                    "sketch": candidate.sketch.label,
                    "point": dict(candidate.point),
                    "us": candidate.seconds * 1e6,
                }
                for candidate in kernel.candidates
            ],
            "times": len(kernel.groups),
        }
        for kernel in plan.kernels
    ]
    return {"schedule": plan.text, "estimates": kernels}


def _compile_torch(name: str) -> Ahead:
    import torch

    from rivals import torch_modes

    torch.backends.cuda.matmul.allow_tf32 = False
    work = _works(False)[name]
    started = time.perf_counter()
    mode = next(mode for mode in torch_modes.MODES if mode.name == "compile")
    function = torch_modes.build(work.torch, mode)
    with torch.no_grad():  # as in the process that times: part of the cache's key
        function(*work.inputs("cuda"))
    torch.cuda.synchronize()
    torch._dynamo.reset()
    torch.cuda.empty_cache()
    return Ahead(seconds={"torch.compile": time.perf_counter() - started})
