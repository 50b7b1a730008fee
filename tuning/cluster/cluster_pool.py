"""A pool whose workers are those of a Dask cluster.

The pool gives each job to one worker, and some jobs more than a worker can run, so that
it need not wait for this process. A worker that is lost costs the jobs it had: they end
as failures of the environment, which the stages repeat once.
"""

from __future__ import annotations

import hashlib
import itertools
import time
from collections import deque
from dataclasses import dataclass, replace
from multiprocessing import connection as connections
from typing import TYPE_CHECKING, Any, Literal

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.portable_jobs import NOT_SENT, Answer, PortableJob
from tilewright.tuning.workers.jobs import CompileJob, CompilePartJob
from tilewright.tuning.workers.pools import Finished, Pool

if TYPE_CHECKING:
    from distributed import Future

    from tilewright.tuning.cluster.binaries import Binary
    from tilewright.tuning.cluster.cluster_workers import ClusterWorkers
    from tilewright.tuning.cluster.members import Member
    from tilewright.tuning.workers.jobs import Job

_AHEAD = 2
"""Jobs that a worker has and does not run yet."""
_PATIENCE = 60.0
"""Seconds to wait for a worker when the last one is gone."""


@dataclass(frozen=True)
class _Task:
    ticket: int
    job: Job
    portable: PortableJob
    limit: float
    program: str = ""
    """The digest of the program that the job compiles; else empty."""


@dataclass(frozen=True)
class _Running:
    task: _Task
    member: Member
    future: Future
    since: float


class ClusterPool(Pool):
    """The compile workers or the measuring workers of a cluster."""

    def __init__(
        self,
        workers: ClusterWorkers,
        role: Literal["compile", "measure"],
        *,
        limit: float,
        preload: str | None = None,
    ) -> None:
        """Make a pool; `limit` is the time of a job in seconds.

        `preload` names what the processes load first (see `jobs.PRELOADS`): by default
        what the role needs.
        """
        self._workers = workers
        self.role = role
        self._preload = role if preload is None else preload
        self._limit = limit
        self._queue: deque[_Task] = deque()
        self._running: dict[int, _Running] = {}
        self._ended: deque[tuple[int, Finished | BaseException]] = deque()
        """Results that the threads of the client have fetched, by ticket."""
        self._read, self._write = connections.Pipe(duplex=False)
        self._tickets = itertools.count()
        self._homes: dict[str, Member] = {}
        """Who compiles a program, by its digest: jobs for parts of one program share
        the Triton cache of one worker."""
        self._without_workers: float | None = None
        """Since when there is no worker for a job."""
        self.lost_workers = 0
        """ClusterWorkers that were lost, or whose process had to be replaced."""
        self.compiled_again = 0
        """Kernels that a measuring worker had to compile."""
        self.sent_bytes = 0
        """Bytes sent to workers."""
        self.received_bytes = 0
        """Bytes of compiled kernels that came back."""

    @property
    def pending(self) -> int:
        """Jobs submitted and not yet collected."""
        return len(self._queue) + len(self._running)

    @property
    def wants_jobs(self) -> bool:
        """Whether no job waits for a worker."""
        return not self._queue

    def start(self) -> None:
        """Do nothing: the workers run already."""

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Queue a job; returns the ticket that its result will have.

        Its jobs begin in their order: no job is submitted for `later`.
        """
        assert not later
        portable = self._workers.packer.pack(
            job, compiles=self._preload != "", keep=self._preload == "compile"
        )
        task = _Task(
            next(self._tickets),
            job,
            replace(portable, binaries=self._binaries(portable)),
            self._limit if limit is None else limit,
            _digest(job),
        )
        self._queue.append(task)
        self._dispatch()
        return task.ticket

    def forget(self, ticket: int) -> None:
        """Drop a job from the queue; a job that a worker has is not stopped."""
        self._queue = deque(task for task in self._queue if task.ticket != ticket)

    def collect(self) -> list[Finished]:
        """The jobs that have ended since the last call; does not wait."""
        finished: list[Finished] = []
        while self._read.poll():
            self._read.recv_bytes()
        while self._ended:
            finished += self._end(*self._ended.popleft())
        if self.pending:
            self._workers.refresh()
            finished += self._drop_lost()
            self._dispatch()
        return finished

    def connections(self) -> list[Any]:
        """The connection to wait on: it is written to when a job has ended."""
        return [self._read] if self.pending else []

    def next_deadline(self) -> float | None:
        """When to look again at who is in the cluster, on the monotonic clock."""
        return self._workers.next_refresh if self.pending else None

    def close(self) -> None:
        """Drop every job; those that run are not waited for."""
        for running in self._running.values():
            running.future.cancel()
        self._running.clear()
        self._queue.clear()

    def _binaries(self, portable: PortableJob) -> tuple[Binary, ...]:
        """The compiled kernels of the programs whose source a job carries."""
        known = self._workers.binaries
        digests = [file.digest for file, _ in portable.contents]
        digests += [file.digest for file in portable.large]
        return tuple(
            binary for digest in digests for binary in known.get(digest, {}).values()
        )

    def _members(self) -> list[Member]:
        if self.role == "compile":
            return self._workers.compilers()
        return self._workers.measurers()

    def _dispatch(self) -> None:
        """Give queued jobs to the workers that have the least to do."""
        while self._queue:
            members = self._members()
            self._check_there_are(members)
            load = {id(member): 0 for member in members}
            for running in self._running.values():
                if id(running.member) in load:
                    load[id(running.member)] += 1
            free = [m for m in members if load[id(m)] < self._slots(m) + _AHEAD]
            if not free:
                return
            task = self._queue.popleft()
            home = self._homes.get(task.program)
            if home is None or home not in free:
                home = min(free, key=lambda m: load[id(m)] / self._slots(m))
            if task.program:
                self._homes[task.program] = home
            self._give(home, task)

    def _slots(self, member: Member) -> int:
        """Jobs that a worker runs at the same time."""
        return 1 if self.role == "measure" else max(1, member.threads)

    def _check_there_are(self, members: list[Member]) -> None:
        now = time.monotonic()
        if members:
            self._without_workers = None
        elif self._without_workers is None:
            self._without_workers = now
        elif now - self._without_workers > _PATIENCE:
            what = "compile" if self.role == "compile" else "measure"
            raise UserError(
                f"the cluster has had no worker to {what} on for {_PATIENCE:g} s",
                remedy="trials that had ended are in the results file: start workers, "
                "and run the same command again",
            )

    def _give(self, member: Member, task: _Task) -> None:
        try:
            large = self._send_files(member, task)
        except (OSError, TimeoutError) as error:
            member.unusable = f"takes no files: {error}"
            self._queue.appendleft(task)
            return
        self.sent_bytes += task.portable.size
        future = self._workers.submit(
            member,
            self._preload,
            task.portable,
            large,
            task.limit,
            gpu=self.role == "measure",
        )
        self._running[task.ticket] = _Running(task, member, future, time.monotonic())
        future.add_done_callback(lambda done, t=task.ticket: self._fetch(t, done))

    def _send_files(self, member: Member, task: _Task) -> Any:
        """Send the large files of a job that a worker does not have yet."""
        files = [f for f in task.portable.large if f.digest not in member.has_files]
        if not files:
            return {}
        contents = {file: file.path.read_bytes() for file in files}
        sent: Any = self._workers.client.scatter(
            [contents], workers=[member.address], hash=False, timeout=60.0
        )
        member.has_files |= {file.digest for file in files}
        self.sent_bytes += sum(map(len, contents.values()))
        return sent[0]

    def _fetch(self, ticket: int, future: Future) -> None:
        """Fetch a result, in a thread of the client."""
        try:
            result = future.result(timeout=60.0)
        except BaseException as error:  # noqa: BLE001 - `collect` looks at it
            result = error
        self._ended.append((ticket, result))
        self._write.send_bytes(b".")

    def _end(self, ticket: int, result: Finished | BaseException) -> list[Finished]:
        running = self._running.pop(ticket, None)
        if running is None:
            return []  # its worker was lost
        task, member = running.task, running.member
        if isinstance(result, UserError):
            # Our processes do not start there: another worker takes the job.
            member.unusable = str(result)
            self._workers.warnings.append(f"{member.address} is not used: {result}")
            self._queue.appendleft(task)
            return []
        if isinstance(result, BaseException):
            return [self._lost(running, str(result) or type(result).__name__)]
        if result.ending == "error" and NOT_SENT in result.error:
            # The worker was started again, or was idle for long.
            member.has_files.clear()
            self._queue.appendleft(task)
            return []
        if result.ending in ("timeout", "crash"):
            self.lost_workers += 1
        value = result.value
        if isinstance(value, Answer):
            self._keep(task, value)
            value = value.value
        return [replace(result, ticket=ticket, job=task.job, value=value)]

    def _keep(self, task: _Task, answer: Answer) -> None:
        if self.role == "measure":
            self.compiled_again += answer.compiled
            return
        known = self._workers.binaries.setdefault(task.program, {})
        known |= {binary.key: binary for binary in answer.binaries}
        self.received_bytes += sum(one.size for one in answer.binaries)

    def _drop_lost(self) -> list[Finished]:
        """End the jobs of workers that are no longer in the cluster."""
        lost = [
            running
            for running in self._running.values()
            if not self._workers.has(running.member)
        ]
        finished: list[Finished] = []
        for running in lost:
            del self._running[running.task.ticket]
            running.future.cancel()
            finished.append(self._lost(running, "it left the cluster"))
        return finished

    def _lost(self, running: _Running, reason: str) -> Finished:
        self.lost_workers += 1
        return Finished(
            running.task.ticket,
            running.task.job,
            "crash",
            None,
            f"the Dask worker at {running.member.address} was lost: {reason}",
            time.monotonic() - running.since,
            "environment",
        )


def _digest(job: Job) -> str:
    """The digest of the program that a job compiles; empty for other jobs."""
    if not isinstance(job, (CompileJob, CompilePartJob)):
        return ""
    return hashlib.sha256(job.program.text.encode()).hexdigest()
