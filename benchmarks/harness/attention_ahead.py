"""Compile the works of `attention.py` before anything is timed, in processes.

Hand-written kernels and ours need no GPU and go into Triton's cache. torch.compile runs
on the GPU, in a pool beside them, and fills Inductor's cache.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from harness.planned.ahead import Ahead, in_processes, inductor_cache

TABLE = "contenders.attention_works.table"


def compile_torch(jobs: Iterable[tuple[str, str]]) -> Iterator[tuple[Any, Ahead]]:
    """Contenders of torch.compile by work and name; gives each with its outcome."""
    inductor_cache()
    wanted = list(jobs)
    return in_processes(_compile_torch, wanted, wanted)


@cache
def _works() -> dict[str, Any]:
    from contenders.attention_works.table import table

    return {work.name: work for work in table()}


def _compile_torch(name: str, contender: str) -> Ahead:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    started = time.perf_counter()
    work = _works()[name]
    tensors = work.inputs("cuda", shapes_only=True)
    with torch.no_grad():  # as in the process that times: part of the cache's key
        build_compiled(work.compiled(tensors)[contender])(*tensors)
    torch.cuda.synchronize()
    torch._dynamo.reset()
    torch.cuda.empty_cache()
    return Ahead(seconds={contender: time.perf_counter() - started})


def build_compiled(function: Any, dry: bool = False) -> Any:
    """A function by torch.compile, in its default mode."""
    from rivals import torch_modes

    mode = next(mode for mode in torch_modes.MODES if mode.name == "compile")
    return torch_modes.build(function, mode, "eager" if dry else None)
