"""A pool of worker processes that may crash, hang or run out of memory.

Such a failure costs one job: the process is replaced, and the others go on. Each worker
holds one job more than it runs, so that it need not wait for a busy parent. There are
no threads: results are collected when the caller waits for them.
"""

from __future__ import annotations

import itertools
import os
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from typing import IO, TYPE_CHECKING, Any, Literal

from tilewright.ir.errors import UserError
from tilewright.tuning.results.records import Cause
from tilewright.tuning.workers.fork_server import ForkServer, ServedWorker
from tilewright.tuning.workers.inbox import Prefetching
from tilewright.tuning.workers.jobs import Ready, Reply
from tilewright.tuning.workers.pools import Ending, Finished, Pool
from tilewright.tuning.workers.processes import (
    Forked,
    Process,
    cpu_seconds,
    end,
    kill,
    spawned_worker,
)
from tilewright.tuning.workers.worker_main import OWN_SIGNALS

if TYPE_CHECKING:
    from tilewright.tuning.workers.jobs import Job

_START_LIMIT = 300.0
"""Seconds for a worker to load torch, which takes long on a cold file system."""
_LOG_TAIL = 2000


@dataclass(frozen=True)
class _Task:
    ticket: int
    job: Job
    limit: float


class ProcessPool(Pool):
    """Processes of this machine, which start with the first job.

    Use it from one thread that lives as long as the pool: Linux ends the workers with
    the thread that started them.
    """

    def __init__(
        self,
        size: int,
        preload: str,
        *,
        limit: float,
        ahead: int = 2,
        jobs_per_worker: int = 500,
        fork: Callable[[], None] | None = None,
        memory: int | None = None,
        server: ForkServer | None = None,
        environments: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """Make a pool of `size` processes, which start when there is work.

        With `fork`, they are forks of this process, which call it first and may
        allocate `memory` bytes each. With `server`, they are forks of that process.
        Without both, they are new Python interpreters.

        `preload` names what they load first (see `jobs.load_modules`), "" for
        nothing.
        `limit` is the time of a job in seconds. A worker is replaced after
        `jobs_per_worker` jobs, since compilers leak memory.
        With `environments`, one for each worker, a worker and whoever replaces it has
        these variables: those that name its device.
        """
        assert not environments or len(environments) == size
        self._size = size
        self._environments = environments
        self._preload = preload
        self._limit = limit
        self._ahead = ahead
        self._jobs_per_worker = jobs_per_worker
        self._fork = fork
        self._memory = memory
        self._server = server
        self._queue: deque[_Task] = deque()
        self._later: deque[_Task] = deque()
        self._workers: list[_Worker] = []
        self._tickets = itertools.count()
        self._failed_starts = 0
        self.lost_workers = 0
        """Processes that had to be replaced because of a job."""

    @property
    def pending(self) -> int:
        """Jobs submitted and not yet collected."""
        queued = len(self._queue) + len(self._later)
        return queued + sum(len(worker.tasks) for worker in self._workers)

    @property
    def wants_jobs(self) -> bool:
        """Whether a worker that has started has no job besides the one it runs."""
        return any(w.ready and len(w.tasks) < self._ahead for w in self._workers)

    def start(self) -> None:
        """Start all workers now, before there is work."""
        while len(self._workers) < self._size:
            self._workers.append(self._new_worker())

    def _new_worker(self) -> _Worker:
        taken = {worker.place for worker in self._workers}
        free = next(place for place in range(self._size) if place not in taken)
        return _Worker(free, self._start_process)

    def _start_process(self, place: int, pipe: Any, log: int) -> Process:
        if self._fork is not None:
            return Forked(pipe, log, self._fork, self._memory)
        # A fork that does not start may do so as a process of its own.
        environment = self._environments[place] if self._environments else {}
        if self._server is not None and not self._failed_starts:
            return self._server.fork(pipe, log, self._preload, environment)
        return spawned_worker(pipe, log, self._preload, environment)

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Queue a job; returns the ticket that its result will have.

        Jobs for `later` begin when no other job waits.
        """
        task = _Task(next(self._tickets), job, self._limit if limit is None else limit)
        (self._later if later else self._queue).append(task)
        self._dispatch()
        return task.ticket

    def forget(self, ticket: int) -> None:
        """Drop a job from the queue; a job that already runs is not stopped."""
        self._queue = deque(task for task in self._queue if task.ticket != ticket)
        self._later = deque(task for task in self._later if task.ticket != ticket)

    def collect(self) -> list[Finished]:
        """The jobs that have ended since the last call; does not wait."""
        finished: list[Finished] = []
        for worker in list(self._workers):
            finished += self._read(worker)
        self._dispatch()
        return finished

    def connections(self) -> list[Any]:
        """The connections to wait on."""
        return [worker.pipe for worker in self._workers if worker.tasks]

    def next_deadline(self) -> float | None:
        """When the time of the next job is up, on the monotonic clock."""
        times = [worker.deadline() for worker in self._workers if worker.tasks]
        return min(times, default=None)

    def close(self) -> None:
        """End every worker at once; their jobs are lost."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._queue.clear()
        self._later.clear()

    def _dispatch(self) -> None:
        """Give queued tasks to the least loaded workers; start workers if needed."""
        while self._queue or self._later:
            free = [w for w in self._workers if len(w.tasks) < self._ahead]
            idle = [w for w in free if not w.tasks]
            if not idle and len(self._workers) < self._size:
                self._workers.append(self._new_worker())
                continue
            if not free:
                return
            worker = min(free, key=lambda w: len(w.tasks))
            queue = self._queue or self._later
            task = queue.popleft()
            if not worker.give(task):
                # The worker died while it was idle.
                queue.appendleft(task)
                self._drop(worker)

    def _read(self, worker: _Worker) -> list[Finished]:
        finished: list[Finished] = []
        try:
            while worker.pipe.poll():
                message = worker.pipe.recv()
                if isinstance(message, Ready):
                    worker.is_ready(message.pid)
                    self._failed_starts = 0
                    continue
                if isinstance(message, Prefetching):
                    worker.prefetch = "over" if message.is_over else "under way"
                    continue
                finished.append(worker.take(message))
                if message.fatal:
                    self.lost_workers += 1
                    self._drop(worker)
                    return finished
        except (EOFError, OSError):
            text, cause = worker.exit_report()
            finished += self._died(worker, "crash", text, cause)
            return finished
        if worker.tasks and time.monotonic() > worker.deadline():
            limit = worker.tasks[0].limit
            # A job that did not get the processor might have ended in time.
            cause: Cause = "candidate" if worker.was_busy() else "environment"
            error = f"not done after {limit:g} s"
            finished += self._died(worker, "timeout", error, cause)
        elif worker.done >= self._jobs_per_worker and not worker.tasks:
            self._drop(worker)
        return finished

    def _died(
        self, worker: _Worker, ending: Ending, error: str, cause: Cause
    ) -> list[Finished]:
        """End the job that a dead worker was running; queue its other jobs again."""
        if not worker.ready:
            self._failed_starts += 1
            self._drop(worker)
            if self._failed_starts >= 3:
                raise UserError(
                    f"worker processes do not start: {error.splitlines()[-1]}",
                    remedy="check that torch and triton import in this environment",
                )
            return []
        self.lost_workers += 1
        finished: list[Finished] = []
        if worker.tasks:
            task = worker.tasks.popleft()
            seconds = time.monotonic() - worker.since
            finished.append(
                Finished(
                    task.ticket,
                    task.job,
                    ending,
                    None,
                    error,
                    seconds,
                    cause,
                    is_doubtful=worker.prefetch == "under way"
                    or (ending == "crash" and worker.prefetch == "over"),
                    broke_worker=True,
                )
            )
        self._drop(worker)
        return finished

    def _drop(self, worker: _Worker) -> None:
        self._queue.extendleft(reversed(worker.tasks))
        worker.tasks.clear()
        worker.end()
        if worker in self._workers:
            self._workers.remove(worker)


class _Worker:
    """One process, the pipe to it, and its tasks."""

    def __init__(self, place: int, start: Callable[[int, Any, int], Process]) -> None:
        self.place = place
        """Its number in the pool, which whoever replaces it gets."""
        self.pipe, theirs = Pipe()
        self.tasks: deque[_Task] = deque()
        self.ready = False
        self.done = 0
        self.since = time.monotonic()
        self.prefetch: Literal["", "under way", "over"] = ""
        """Whether the worker loads the next job's program during this one, or has."""
        self._cpu_since = 0.0
        # Left open for the life of the worker, closed in `end`.
        self._log: IO[bytes] = tempfile.TemporaryFile()
        self._process = start(place, theirs, self._log.fileno())
        theirs.close()

    def give(self, task: _Task) -> bool:
        try:
            self.pipe.send(task.job)
        except OSError:
            return False
        if not self.tasks and self.ready:
            self._begin()
        self.tasks.append(task)
        return True

    def is_ready(self, pid: int) -> None:
        self.ready = True
        self._process.pid = pid
        self._begin()

    def _begin(self) -> None:
        self.since = time.monotonic()
        self.prefetch = ""
        self._cpu_since = cpu_seconds(self._process.pid)

    def was_busy(self) -> bool:
        """Whether the process had the processor for half of the job's time."""
        used = cpu_seconds(self._process.pid) - self._cpu_since
        return used > 0.5 * (time.monotonic() - self.since)

    def take(self, reply: Reply) -> Finished:
        task, prefetch = self.tasks.popleft(), self.prefetch
        self._begin()
        self.done += 1
        ending: Ending = "ok" if reply.error is None else "error"
        return Finished(
            task.ticket,
            task.job,
            ending,
            reply.value,
            reply.error or "",
            reply.seconds,
            reply.cause,
            reply.lost,
            reply.fatal and prefetch != "",
            reply.fatal,
        )

    def deadline(self) -> float:
        return self.since + (self.tasks[0].limit if self.ready else _START_LIMIT)

    def exit_report(self) -> tuple[str, Cause]:
        """How the process ended, the end of its output, and what caused the end."""
        status = self._process.wait(5.0) or 0
        size = os.fstat(self._log.fileno()).st_size
        tail = os.pread(self._log.fileno(), _LOG_TAIL, max(0, size - _LOG_TAIL))
        if not tail and isinstance(self._process, ServedWorker):
            tail = self._process.server_output()[-_LOG_TAIL:]
        printed = tail.decode(errors="replace").strip()
        cause: Cause = "candidate"
        how = f"exited with status {status}"
        if status < 0:
            how = f"was killed by {signal.Signals(-status).name}"
            cause = "candidate" if -status in OWN_SIGNALS else "environment"
        return f"the worker {how}" + (f": {printed}" if printed else ""), cause

    def kill(self) -> None:
        """Begin to end the process, without waiting for its end."""
        kill(self._process)

    def end(self) -> None:
        self.pipe.close()
        end(self._process)
        self._log.close()
