"""A pool of worker processes that may crash, hang or run out of memory.

Each costs the one job it was doing: the process is replaced and the others go on. Jobs
are handed out one ahead, so that a worker need not wait for a busy parent, and nothing
here uses threads: results are collected when the caller waits for them.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing import connection as connections
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias

from tilewright.ir.errors import UserError
from tilewright.tuning.jobs import Ready, Reply

if TYPE_CHECKING:
    from tilewright.tuning.jobs import Job

Ending: TypeAlias = Literal["ok", "error", "timeout", "crash"]

_START_LIMIT = 300.0
"""Seconds a worker may take to load torch; a cold file system is slow."""
_START_ATTEMPTS = 3
_LOG_TAIL = 2000


@dataclass(frozen=True)
class Finished:
    """A job that is done, one way or another."""

    ticket: int
    job: Job
    ending: Ending
    value: Any
    error: str
    seconds: float


@dataclass(frozen=True)
class _Task:
    ticket: int
    job: Job
    limit: float


class Pool:
    """Workers of one kind. Close it, or use it in a `with`.

    Use it from one thread, and one that lives as long as the pool does: Linux ends the
    workers with the thread that started them.
    """

    def __init__(
        self,
        size: int,
        preload: str,
        *,
        limit: float,
        ahead: int = 2,
        jobs_per_worker: int = 500,
    ) -> None:
        """Make a pool of `size` processes; they start when there is work.

        `preload` names what they load first (see `jobs.PRELOADS`), "" for nothing.
        `limit` is the seconds a job may take. A worker is replaced after
        `jobs_per_worker` jobs, since compilers are seldom free of leaks.
        """
        self._size = size
        self._preload = preload
        self._limit = limit
        self._ahead = ahead
        self._jobs_per_worker = jobs_per_worker
        self._queue: deque[_Task] = deque()
        self._workers: list[_Worker] = []
        self._tickets = itertools.count()
        self._failed_starts = 0
        self.lost_workers = 0
        """How many processes had to be replaced because of a job."""

    def __enter__(self) -> Pool:
        """Nothing starts before the first job."""
        return self

    def __exit__(self, *_: object) -> None:
        """End every worker."""
        self.close()

    @property
    def pending(self) -> int:
        """Jobs submitted and not yet collected."""
        return len(self._queue) + sum(len(worker.tasks) for worker in self._workers)

    def start(self) -> None:
        """Start all workers now, before there is work."""
        while len(self._workers) < self._size:
            self._workers.append(_Worker(self._preload))

    def submit(self, job: Job, limit: float | None = None) -> int:
        """Queue a job; the ticket comes back with its result."""
        task = _Task(next(self._tickets), job, self._limit if limit is None else limit)
        self._queue.append(task)
        self._dispatch()
        return task.ticket

    def collect(self) -> list[Finished]:
        """What has finished by now; never waits."""
        finished: list[Finished] = []
        for worker in list(self._workers):
            finished += self._read(worker)
        self._dispatch()
        return finished

    def connections(self) -> list[Any]:
        """What to wait on until there may be something to collect."""
        return [worker.pipe for worker in self._workers if worker.tasks]

    def next_deadline(self) -> float | None:
        """When the next job runs out of time, on the monotonic clock."""
        times = [worker.deadline() for worker in self._workers if worker.tasks]
        return min(times, default=None)

    def close(self) -> None:
        """End every worker at once; what they were doing is lost."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._queue.clear()

    def _dispatch(self) -> None:
        """Give waiting tasks to the least loaded workers, starting some if needed."""
        while self._queue:
            free = [w for w in self._workers if len(w.tasks) < self._ahead]
            idle = [w for w in free if not w.tasks]
            if not idle and len(self._workers) < self._size:
                self._workers.append(_Worker(self._preload))
                continue
            if not free:
                return
            worker = min(free, key=lambda w: len(w.tasks))
            task = self._queue.popleft()
            if not worker.give(task):
                # It died idle; the read that follows will see that and replace it.
                self._queue.appendleft(task)
                self._drop(worker)

    def _read(self, worker: _Worker) -> list[Finished]:
        finished: list[Finished] = []
        try:
            while worker.pipe.poll():
                message = worker.pipe.recv()
                if isinstance(message, Ready):
                    worker.is_ready()
                    self._failed_starts = 0
                    continue
                finished.append(worker.take(message))
                if message.fatal:
                    self.lost_workers += 1
                    self._drop(worker)
                    return finished
        except (EOFError, OSError):
            finished += self._died(worker, "crash", worker.last_words())
            return finished
        if worker.tasks and time.monotonic() > worker.deadline():
            limit = worker.tasks[0].limit
            finished += self._died(worker, "timeout", f"not done after {limit:g} s")
        elif worker.done >= self._jobs_per_worker and not worker.tasks:
            self._drop(worker)
        return finished

    def _died(self, worker: _Worker, ending: Ending, error: str) -> list[Finished]:
        """Charge a worker's end to the job it was doing; the others go back."""
        if not worker.ready:
            self._failed_starts += 1
            self._drop(worker)
            if self._failed_starts >= _START_ATTEMPTS:
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
                Finished(task.ticket, task.job, ending, None, error, seconds)
            )
        self._drop(worker)
        return finished

    def _drop(self, worker: _Worker) -> None:
        self._queue.extendleft(reversed(worker.tasks))
        worker.tasks.clear()
        worker.end()
        if worker in self._workers:
            self._workers.remove(worker)


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
        # A little past the deadline, so that it is over when looked at again.
        connections.wait(pipes, max(0.0, min(until, *deadlines) - now) + 0.01)


class _Worker:
    """One process, the pipe to it, and what it was given."""

    def __init__(self, preload: str) -> None:
        self.pipe, theirs = Pipe()
        self.tasks: deque[_Task] = deque()
        self.ready = False
        self.done = 0
        self.since = time.monotonic()
        # Left open for the life of the worker, closed in `end`.
        self._log: IO[bytes] = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "tilewright.tuning.worker_main",
                str(theirs.fileno()),
                str(os.getpid()),
                preload,
            ],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
            env=_environment(),
        )
        theirs.close()

    def give(self, task: _Task) -> bool:
        try:
            self.pipe.send(task.job)
        except OSError:
            return False
        if not self.tasks and self.ready:
            self.since = time.monotonic()
        self.tasks.append(task)
        return True

    def is_ready(self) -> None:
        self.ready = True
        self.since = time.monotonic()

    def take(self, reply: Reply) -> Finished:
        task = self.tasks.popleft()
        self.since = time.monotonic()
        self.done += 1
        ending: Ending = "ok" if reply.error is None else "error"
        return Finished(
            task.ticket, task.job, ending, reply.value, reply.error or "", reply.seconds
        )

    def deadline(self) -> float:
        return self.since + (self.tasks[0].limit if self.ready else _START_LIMIT)

    def last_words(self) -> str:
        """How the process ended, with the end of what it printed."""
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        size = os.fstat(self._log.fileno()).st_size
        tail = os.pread(self._log.fileno(), _LOG_TAIL, max(0, size - _LOG_TAIL))
        printed = tail.decode(errors="replace").strip()
        how = (
            f"was killed by {signal.Signals(-status).name}"
            if status < 0
            else f"exited with status {status}"
        )
        return f"the worker {how}" + (f": {printed}" if printed else "")

    def end(self) -> None:
        self.pipe.close()
        # The group, so that a compiler's child process goes too.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._log.close()


def _environment() -> dict[str, str]:
    """The parent's environment, able to import what the parent can import."""
    environment = dict(os.environ)
    # Workers compile and launch; the interpreter switch is for other processes.
    environment.pop("TRITON_INTERPRET", None)
    paths = [os.path.abspath(path) for path in sys.path]
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
    return environment
