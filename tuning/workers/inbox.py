"""The jobs that a worker has been sent, so that it can look at the next one.

While the device works off a queue of launches, the worker has nothing to do. It can use
that time to load the next job's program.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any


@dataclass(frozen=True)
class Prefetching:
    """A worker's message that it loads the next job's program, or has done so."""

    is_over: bool


class Inbox:
    """The receiving end of a worker's pipe."""

    def __init__(self, connection: Connection) -> None:
        """Read jobs from a connection."""
        self._connection = connection
        self._next: Any = None

    def take(self) -> Any:
        """The next job; waits for it. Raises EOFError or OSError if none will come."""
        job, self._next = self._next, None
        return self._connection.recv() if job is None else job

    def peek(self) -> Any:
        """The next job if it is here already, without taking it; else None."""
        if self._next is None and self._connection.poll():
            self._next = self._connection.recv()
        return self._next

    def tell(self, message: Any) -> None:
        """Tell the parent what this worker is doing."""
        self._connection.send(message)


_current: Inbox | None = None
"""The inbox of this worker process; None in other processes."""


def serve_from(inbox: Inbox | None) -> None:
    """Make an inbox that of this process; None: it has none."""
    global _current
    _current = inbox


def has_next() -> bool:
    """Whether another job waits for this one to end."""
    # A broken pipe shows when the reply is sent.
    with contextlib.suppress(OSError, EOFError):
        return _current is None or _current.peek() is not None
    return True


def prefetcher() -> Callable[[], None]:
    """A function whose first call lets the next job prefetch what it can."""
    inbox, called = _current, False

    def prefetch() -> None:
        nonlocal called
        if called or inbox is None:
            return
        # A failure shows again when the job runs.
        with contextlib.suppress(Exception):
            job = inbox.peek()
            if job is not None:
                called = True
                # If the process dies now, it is not the running job's fault.
                inbox.tell(Prefetching(is_over=False))
                with contextlib.suppress(Exception):
                    job.prefetch()
                inbox.tell(Prefetching(is_over=True))

    return prefetch
