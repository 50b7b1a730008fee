"""Pools that several runs share: each has a lane, and gets the results of its own jobs.

Build workers know the tasks of all runs. A job of a lane says which task it belongs to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from multiprocessing import connection as connections
from typing import TYPE_CHECKING, Any

from tilewright.tuning.stages.build_jobs import set_task
from tilewright.tuning.stages.candidate_stages import Pools
from tilewright.tuning.workers.jobs import CompileJob, CompilePartJob
from tilewright.tuning.workers.pools import Finished, Pool

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target
    from tilewright.tuning.options import TuningTask
    from tilewright.tuning.workers.jobs import Job


class _Worker:
    """The state of a build worker."""

    tasks: Mapping[int, TuningTask[Any]] = {}
    target: Target | None = None
    current: int | None = None


def set_tasks(tasks: Mapping[int, TuningTask[Any]], target: Target) -> None:
    """Set the tasks that jobs may name; called when a build worker starts."""
    _Worker.tasks = tasks
    _Worker.target = target
    _Worker.current = None


@dataclass(frozen=True)
class TaskJob:
    """A job of a build worker for one of several tasks."""

    task: int
    job: Job

    def run(self) -> Any:
        """Run the job on its task."""
        if _Worker.current != self.task:
            set_task(_Worker.tasks[self.task], _Worker.target)
            _Worker.current = self.task
        return self.job.run()


class SharedPools:
    """The pools of a run with several tasks."""

    def __init__(self, pools: Pools, go_on: Callable[[int], None]) -> None:
        """Share pools. While a task waits for its jobs, `go_on` is called with it."""
        self._pools = pools
        self._go_on = go_on
        self._is_going = False
        self._went_on = 0.0
        self._shared = [_SharedPool(pool) for pool in pools.all]

    def lanes(self, task: int, compilers: int = 1) -> Pools:
        """The pools as one task sees them.

        With several `compilers`, so many workers compile the kernels of one program
        together.
        """
        building, compiling, measuring = self._shared
        return Pools(
            BuildLane(building, task, self.let_others_go_on),
            CompileLane(compiling, compilers),
            PoolLane(measuring),
        )

    def let_others_go_on(self, task: int) -> None:
        """Let the other tasks use the workers while this one waits."""
        now = time.monotonic()
        if self._is_going or now < self._went_on + 0.05:
            return
        self._is_going = True
        try:
            self._go_on(task)
        finally:
            self._is_going = False
            self._went_on = now

    def wait(self, seconds: float) -> None:
        """Wait until a worker has something to say, at most so many seconds."""
        pipes = [pipe for pool in self._pools.all for pipe in pool.connections()]
        if pipes:
            connections.wait(pipes, seconds)


class _SharedPool:
    """A pool, and whose jobs its tickets are."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.owners: dict[int, PoolLane] = {}

    def deliver(self) -> None:
        """Give results to the lanes that submitted the jobs."""
        for done in self.pool.collect():
            lane = self.owners.pop(done.ticket, None)
            if lane is not None:
                lane.inbox.append(done)


class PoolLane(Pool):
    """A pool as one of several runs sees it: with its own jobs only."""

    def __init__(self, shared: _SharedPool) -> None:
        self._shared = shared
        self._jobs: dict[int, Job] = {}
        self.inbox: list[Finished] = []
        """Results that were not collected yet."""
        self.lost_workers = 0
        """Processes that had to be replaced because of a job, of any run."""

    def __exit__(self, *_: object) -> None:
        """Leave the pool open: other runs use it."""

    @property
    def pending(self) -> int:
        """Jobs of this lane that were not collected."""
        return len(self._jobs)

    @property
    def wants_jobs(self) -> bool:
        """Whether a worker of the pool could take a job, of any run."""
        return self._shared.pool.wants_jobs

    def start(self) -> None:
        """Start all workers of the pool."""
        self._shared.pool.start()

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Queue a job."""
        ticket = self._shared.pool.submit(self._sent(job), limit, later=later)
        self._shared.owners[ticket] = self
        self._jobs[ticket] = job
        return ticket

    def _sent(self, job: Job) -> Job:
        """The job as the workers get it."""
        return job

    def forget(self, ticket: int) -> None:
        """Drop a job from the queue; a job that already runs is not stopped."""
        self._jobs.pop(ticket, None)
        self._shared.owners.pop(ticket, None)
        self._shared.pool.forget(ticket)

    def collect(self) -> list[Finished]:
        """The jobs of this lane that have ended since the last call."""
        self._shared.deliver()
        self.lost_workers = self._shared.pool.lost_workers
        taken, self.inbox = self.inbox, []
        return [replace(done, job=self._jobs.pop(done.ticket)) for done in taken]

    def connections(self) -> list[Any]:
        """The connections to wait on."""
        return self._shared.pool.connections() if self._jobs else []

    def next_deadline(self) -> float | None:
        """When to collect even if nothing has ended."""
        return self._shared.pool.next_deadline() if self._jobs else None

    def close(self) -> None:
        """Drop the jobs of this lane that have not begun."""
        for ticket in list(self._jobs):
            self.forget(ticket)


class BuildLane(PoolLane):
    """A pool that builds; its workers must know whose job it is."""

    def __init__(
        self, shared: _SharedPool, task: int, collecting: Callable[[int], None]
    ) -> None:
        super().__init__(shared)
        self._task = task
        self._collecting = collecting

    def _sent(self, job: Job) -> Job:
        return TaskJob(self._task, job)

    def collect(self) -> list[Finished]:
        """The jobs of this lane that have ended; the other tasks go on meanwhile."""
        self._collecting(self._task)
        return super().collect()


class CompileLane(PoolLane):
    """A pool that compiles; several workers share a program of many kernels."""

    def __init__(self, shared: _SharedPool, compilers: int) -> None:
        super().__init__(shared)
        self._compilers = compilers

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Queue a job, after jobs that put its kernels into Triton's cache.

        Nobody waits for those: whatever they have not compiled, the job compiles.
        """
        if isinstance(job, CompileJob) and self._compilers > 1:
            parts = min(self._compilers, len(job.program.kernels))
            for part in range(1, parts):
                self._shared.pool.submit(
                    CompilePartJob(job.program, job.target, job.directory, part, parts),
                    limit,
                )
        return super().submit(job, limit, later=later)
