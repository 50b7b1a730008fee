"""The workers that every task shares: compilers, and a process for each device.

They load torch, which takes seconds. So a command starts them first, and reads its
payload, plans and computes the reference meanwhile.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.workers.fork_server import take_server
from tilewright.tuning.workers.scratch import scratch_folder
from tilewright.tuning.workers.worker_pool import ProcessPool

if TYPE_CHECKING:
    from tilewright.tuning.workers.pools import Machines, Pool

_LIMIT = 120.0
"""Seconds for a job, if the stage that submits it does not say."""


@dataclass(frozen=True)
class Workers:
    """Pools that compile and measure."""

    compiling: Pool
    measuring: Pool


@contextlib.contextmanager
def local_workers(
    compilers: int, *, with_device: bool, devices: Sequence[int] = ()
) -> Iterator[Workers]:
    """Processes of this machine, which start at once: forks of one that loads torch.

    A process measures on the first device, or one on each of `devices`.
    """
    environments = [device_environment(number) for number in devices]
    # Jobs of one measuring process: a new one would load torch and the reference again.
    with (
        scratch_folder(),
        take_server("compile") as server,
        ProcessPool(
            max(1, len(devices)),
            "measure",
            limit=_LIMIT,
            jobs_per_worker=20_000,
            server=server,
            environments=environments,
        ) as measuring,
        # The server has loaded what compilers need.
        ProcessPool(compilers, "", limit=_LIMIT, server=server) as compiling,
    ):
        if with_device:
            measuring.start()
        compiling.start()
        yield Workers(compiling, measuring)


def device_environment(number: int) -> dict[str, str]:
    """The variables of a process that sees one visible device of this machine."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    names = [] if given is None else [name.strip() for name in given.split(",")]
    return {"CUDA_VISIBLE_DEVICES": names[number] if names else str(number)}


@contextlib.contextmanager
def remote_workers(
    machines: Machines, *, compile_limit: float, measure_limit: float
) -> Iterator[Workers]:
    """The workers of other machines, which run already."""
    with (
        machines.compile_pool(compile_limit) as compiling,
        machines.measure_pool(measure_limit) as measuring,
    ):
        yield Workers(compiling, measuring)
