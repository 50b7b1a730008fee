"""One worker process of the server, and the requests that wait for it.

A newer request takes the place of an older one of the same page: what was typed since
makes the older answer useless. If the older one runs already, its worker is ended. A
fork server makes the next one in milliseconds.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.tuning.workers.fork_server import ForkServer
from tilewright.tuning.workers.jobs import Job
from tilewright.tuning.workers.pools import Finished
from tilewright.tuning.workers.worker_pool import ProcessPool

_MOST_WAITING = 16
"""Requests that may wait; a page has at most a few."""
_LONGEST_WAIT = 60.0


class Superseded(Exception):
    """A newer request took the place of this one."""


class TooMany(Exception):
    """Too many requests wait for this worker."""


class JobTimeout(Exception):
    """The job was not done in time; its worker was ended."""


class JobFailure(Exception):
    """The worker crashed, ran out of memory, or met a bug."""


@dataclass
class _Request:
    job: Job
    limit: float
    topic: str
    """Requests of one topic take each other's place."""
    answer: Future[Any] = field(default_factory=Future)
    ticket: int | None = None


class Lane:
    """A thread that owns a pool of one worker, and its fork server."""

    def __init__(self, server_preload: str, preload: str = "") -> None:
        """Start the thread; `server_preload` is what the fork server loads."""
        self._server_preload = server_preload
        self._preload = preload
        self._lock = threading.Lock()
        self._waiting: deque[_Request] = deque()
        self._current: _Request | None = None
        self._cancel = False
        self._closed = False
        self._names = itertools.count()
        self._wake_read, self._wake_write = os.pipe()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job, limit: float, topic: str = "") -> Future[Any]:
        """Queue a job; older ones of the topic fail with `Superseded`."""
        request = _Request(job, limit, topic or f"#{next(self._names)}")
        with self._lock:
            if self._closed:
                raise JobFailure("the server is ending")
            for older in [one for one in self._waiting if one.topic == request.topic]:
                self._waiting.remove(older)
                _fail(older, Superseded())
            if len(self._waiting) >= _MOST_WAITING:
                raise TooMany
            if self._current is not None and self._current.topic == request.topic:
                self._cancel = True
            self._waiting.append(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, daemon=True)
                self._thread.start()
        self._wake()
        return request.answer

    def start(self) -> None:
        """Start the fork server now, before there is a request."""
        if self._thread is None:
            with suppress(TooMany, JobFailure):
                self.submit(_Nothing(), 60.0)

    def close(self) -> None:
        """End the worker; requests that wait fail."""
        with self._lock:
            self._closed = True
            waiting = [*self._waiting]
            self._waiting.clear()
        for request in waiting:
            _fail(request, JobFailure("the server is ending"))
        self._wake()
        if self._thread is not None:
            self._thread.join(15.0)

    def _wake(self) -> None:
        with suppress(OSError):
            os.write(self._wake_write, b"x")

    # -- the thread --------------------------------------------------------------

    def _serve(self) -> None:
        with ForkServer(self._server_preload) as server:
            pool = self._new_pool(server)
            while not self._closed:
                if self._cancel_wanted():
                    pool.close()
                    pool = self._new_pool(server)
                try:
                    self._begin_next(pool)
                    for done in self._wait(pool):
                        self._finish(done)
                except UserError as error:
                    # Workers do not start.
                    self._fail_current(JobFailure(error.fact))
                    pool.close()
                    pool = self._new_pool(server)
            pool.close()
        self._fail_current(JobFailure("the server is ending"))

    def _new_pool(self, server: ForkServer) -> ProcessPool:
        return ProcessPool(1, self._preload, limit=60.0, ahead=1, server=server)

    def _cancel_wanted(self) -> bool:
        with self._lock:
            wanted, self._cancel = self._cancel, False
        if wanted and self._current is not None:
            self._fail_current(Superseded())
            return True
        return False

    def _begin_next(self, pool: ProcessPool) -> None:
        with self._lock:
            if self._current is not None or not self._waiting:
                return
            request = self._current = self._waiting.popleft()
        request.ticket = pool.submit(request.job, request.limit)

    def _wait(self, pool: ProcessPool) -> list[Finished]:
        deadline = pool.next_deadline()
        seconds = _LONGEST_WAIT
        if deadline is not None:
            seconds = max(0.0, deadline - time.monotonic()) + 0.01
        pipes = [self._wake_read, *pool.connections()]
        if self._wake_read in connection.wait(pipes, seconds):
            os.read(self._wake_read, 4096)
        return pool.collect()

    def _finish(self, done: Finished) -> None:
        request = self._current
        if request is None or request.ticket != done.ticket:
            return
        self._current = None
        if done.ending == "ok":
            with suppress(InvalidStateError):
                request.answer.set_result(done.value)
        elif done.ending == "timeout":
            _fail(
                request,
                JobTimeout(f"not done after {request.limit:g} s; the worker was ended"),
            )
        else:
            _fail(request, JobFailure(_reason(done)))

    def _fail_current(self, error: Exception) -> None:
        request, self._current = self._current, None
        if request is not None:
            _fail(request, error)


@dataclass(frozen=True)
class _Nothing:
    """A job that only makes the worker start."""

    def run(self) -> None:
        """Do nothing."""


def _reason(done: Finished) -> str:
    if done.error.startswith("MemoryError"):
        return "it needs more memory than a request may have"
    said = done.error.splitlines()[0] if done.error else done.ending
    return said if done.ending == "crash" else f"a bug in tilewright: {said}"


def _fail(request: _Request, error: Exception) -> None:
    # The client may have gone, and its request with it.
    with suppress(InvalidStateError):
        request.answer.set_exception(error)
