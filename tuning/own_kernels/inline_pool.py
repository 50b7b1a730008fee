"""A pool whose jobs run at once, in this process.

Programs of a user's kernel are built from text in less than a millisecond, so no
process is needed. And the user's process, which may use the device, is not forked.
"""

from __future__ import annotations

import itertools
import time
import traceback
from collections.abc import Callable
from typing import Any, Self

from tilewright.tuning.workers.jobs import Job
from tilewright.tuning.workers.pools import Finished


class InlinePool:
    """Runs each job when it is submitted."""

    def __init__(self, run: Callable[[Job], Any] = lambda job: job.run()) -> None:
        """Take what runs a job: its own `run`, unless told otherwise."""
        self._run = run
        self._tickets = itertools.count()
        self._finished: list[Finished] = []
        self.lost_workers = 0

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be ended."""

    @property
    def pending(self) -> int:
        """Jobs whose results were not collected."""
        return len(self._finished)

    @property
    def wants_jobs(self) -> bool:
        """A job never waits for another."""
        return True

    def start(self) -> None:
        """There is no worker to start."""

    def submit(
        self, job: Job, limit: float | None = None, *, later: bool = False
    ) -> int:
        """Run a job; its result can be collected at once."""
        ticket, start = next(self._tickets), time.perf_counter()
        try:
            value, ending, error = self._run(job), "ok", ""
        except Exception as raised:  # noqa: BLE001 - a job's error is its result
            text = "".join(traceback.format_exception_only(raised)).strip()
            value, ending, error = None, "error", text
        seconds = time.perf_counter() - start
        self._finished.append(Finished(ticket, job, ending, value, error, seconds))
        return ticket

    def forget(self, ticket: int) -> None:
        """Drop the result of a job."""
        self._finished = [done for done in self._finished if done.ticket != ticket]

    def collect(self) -> list[Finished]:
        """The jobs that have ended since the last call."""
        found, self._finished = self._finished, []
        return found

    def connections(self) -> list[Any]:
        """There is nothing to wait on."""
        return []

    def next_deadline(self) -> float | None:
        """No job is under way."""
        return None

    def close(self) -> None:
        """Nothing is to be ended."""
