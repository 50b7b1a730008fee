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
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

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


def own_caches() -> str:
    """Give this run caches of its own, empty, for all its processes."""
    folder = tempfile.mkdtemp(prefix="torch_models_")
    for variable, name in CACHES.items():
        os.environ[variable] = os.path.join(folder, name)
    return folder


def compile_ahead(jobs: list[Job], alone: bool) -> Iterator[tuple[Job, Ahead]]:
    """The outcome of each job: its seconds, or the error."""
    if not alone:
        yield from in_processes(_compile, [(w, n) for w, n in jobs], jobs)
        return
    context = multiprocessing.get_context("spawn")
    for job in jobs:
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            try:
                yield job, pool.submit(_compile, *job).result(timeout=300)
            except Exception as error:
                yield job, Ahead(error=first_line(error))


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


def way_named(name: str) -> Way:
    """A way to run a model by its name."""
    return next(way for pair in PAIRS.values() for way in pair if way.name == name)
