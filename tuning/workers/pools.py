"""Pools of workers: they take jobs, and tell which have ended and how.

The stages of a run know only this interface. `worker_pool.ProcessPool` has processes of
this machine; the pools of `tuning/cluster/` have the workers of a Dask cluster.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import connection as connections
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias

from tilewright.tuning.results.records import Cause

if TYPE_CHECKING:
    from tilewright.tuning.workers.jobs import Job

Ending: TypeAlias = Literal["ok", "error", "timeout", "crash"]


@dataclass(frozen=True)
class Finished:
    """A job that has ended, and how."""

    ticket: int
    job: Job
    ending: Ending
    value: Any
    error: str
    seconds: float
    cause: Cause = "candidate"
    """Whether the job itself or the environment caused an ending other than ok."""
    lost: bool = False
    """Whether the device is gone, as far as the worker can tell."""
    is_doubtful: bool = False
    """Whether another job's program, which the worker loaded meanwhile, may be to blame
    instead."""
    broke_worker: bool = False
    """Whether the worker could take no further job: it ended, or the device failed."""


class Pool(Protocol):
    """Workers of one kind, and the jobs that they run; close it, or use it in a `with`.

    A worker that crashes or hangs costs its job only. Results are collected when the
    caller waits for them.
    """

    lost_workers: int
    """Processes that had to be replaced because of a job."""

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the pool."""
        self.close()

    @property
    def pending(self) -> int:
        """Jobs submitted and not yet collected."""
        ...

    @property
    def wants_jobs(self) -> bool:
        """Whether a worker that has started has no job besides the one it runs."""
        ...

    def start(self) -> None:
        """Start all workers now, before there is work."""
        ...

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Queue a job with a time limit; returns the ticket that its result has.

        Jobs for `later` begin when no other job waits.
        """
        ...

    def forget(self, ticket: int) -> None:
        """Drop a job from the queue; a job that already runs is not stopped."""
        ...

    def collect(self) -> list[Finished]:
        """The jobs that have ended since the last call; does not wait."""
        ...

    def connections(self) -> list[Any]:
        """The connections to wait on; none where no job is under way."""
        ...

    def next_deadline(self) -> float | None:
        """When to collect even if nothing has ended, on the monotonic clock."""
        ...

    def close(self) -> None:
        """End every worker at once; their jobs are lost."""
        ...


class Machines(Protocol):
    """The machines that compile and measure candidates; `cluster.Cluster` is one."""

    def compile_pool(self, limit: float) -> Pool:
        """A pool that compiles; `limit` is the time of a job in seconds."""
        ...

    def measure_pool(self, limit: float) -> Pool:
        """A pool that measures on the chosen kind of device."""
        ...


def wait(pools: Sequence[Pool], timeout: float) -> list[Finished]:
    """Wait until a job of any pool finishes, at most `timeout` seconds."""
    until = time.monotonic() + timeout
    while True:
        finished = [done for pool in pools for done in pool.collect()]
        now = time.monotonic()
        pipes = [pipe for pool in pools for pipe in pool.connections()]
        if finished or now >= until or not pipes:
            return finished
        deadlines = [d for pool in pools if (d := pool.next_deadline()) is not None]
        # A little past the deadline, so that it has passed at the next look.
        connections.wait(pipes, max(0.0, min([until, *deadlines]) - now) + 0.01)
