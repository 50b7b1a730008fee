"""Compile models in processes, so that the one that times finds them in caches.

A process compiles with one thread, and many run at a time: `seconds` compare the two
compilers under the same load. With `alone`, each model is compiled in a new process of
its own with all cores, one after the other: what a user sees the first time.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from harness.models.contenders import PAIRS, Way
from harness.models.works import Work
from harness.planned.ahead import Ahead, first_line, in_processes

CACHES = {
    "TORCHINDUCTOR_CACHE_DIR": "inductor",
    "TRITON_CACHE_DIR": "triton",
    "XDG_CACHE_HOME": "user",
}
"""Variables of caches on disk, and the folders that a run gives them."""
Job = tuple[Work, str]
Result = TypeVar("Result")


def own_caches() -> None:
    """Give this run caches of its own, empty, for all its processes."""
    os.environ.update(caches_in(tempfile.mkdtemp(prefix="torch_models_")))


def caches_in(folder: str) -> dict[str, str]:
    """Variables of the environment that put all caches into a folder."""
    return {variable: os.path.join(folder, name) for variable, name in CACHES.items()}


def compile_ahead(jobs: list[Job], alone: bool) -> Iterator[tuple[Job, Ahead]]:
    """The outcome of each job: its seconds, or the error."""
    if not alone:
        yield from in_processes(_compile, [(w, n) for w, n in jobs], jobs)
        return
    for job in jobs:
        try:
            yield job, in_new_process(_compile, *job)
        except Exception as error:
            yield job, Ahead(error=first_line(error))


def in_new_process(function: Callable[..., Result], *arguments: Any) -> Result:
    """The result of a function in a process that has done nothing else."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result(timeout=300)


def _compile(work: Work, name: str) -> Ahead:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    way = way_named(name)
    # As in the process that times: part of the key of inductor's cache.
    with torch.no_grad():
        made = work.made("cuda", small=False)
        torch.cuda.synchronize()
        started = time.perf_counter()
        made.call(way.build(made.function(), dry=False))()
        torch.cuda.synchronize()
        seconds = time.perf_counter() - started
    torch._dynamo.reset()
    del made
    torch.cuda.empty_cache()
    return Ahead(seconds={name: seconds})


def first_call(work: Work, way: str, folder: str, dry: bool) -> float:
    """The seconds of a model's first call in this process, with caches in a folder."""
    os.environ.update(caches_in(folder))
    import torch
    import torch._inductor.compile_fx  # what a rival's call would import
    from torch._inductor.codegen.common import init_backend_registration

    init_backend_registration()
    torch.backends.cuda.matmul.allow_tf32 = False
    with torch.no_grad():
        made = work.made("cpu" if dry else "cuda", small=dry)
        made.call(made.module)()  # the card and its libraries are ready
        call = made.call(way_named(way).build(made.function(), dry))
        started = time.perf_counter()
        call()
        if not dry:
            torch.cuda.synchronize()
        return time.perf_counter() - started


def way_named(name: str) -> Way:
    """A way to run a model by its name."""
    return next(way for pair in PAIRS.values() for way in pair if way.name == name)
