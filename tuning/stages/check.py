"""The check stage of a run without a device: numpy runs the kernels of a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.tuning.stages.build_jobs import CheckJob
from tilewright.tuning.stages.candidates import Candidate, Ending, estimated, failed

if TYPE_CHECKING:
    from tilewright.tuning.options import TuneOptions
    from tilewright.tuning.workers.pools import Finished, Pool


class CheckStage:
    """Checks candidates in the workers that built them."""

    def __init__(
        self, pool: Pool, options: TuneOptions, seconds: dict[str, float]
    ) -> None:
        self._pool = pool
        self._limit = options.build_limit + options.measure_limit
        self._seconds = seconds
        self._pending: dict[int, Candidate] = {}

    @property
    def outstanding(self) -> int:
        """Candidates that are being checked."""
        return len(self._pending)

    def start(self, candidate: Candidate) -> None:
        """Start to check."""
        ticket = self._pool.submit(CheckJob(candidate.point), self._limit)
        self._pending[ticket] = candidate

    def finish(self, done: Finished) -> tuple[Candidate, Ending] | None:
        """The candidate and its ending; None where the check is repeated."""
        candidate = self._pending.pop(done.ticket, None)
        if candidate is None:  # of an earlier run with the same workers
            return None
        candidate.seconds["check"] = done.seconds
        self._seconds["check"] += done.seconds
        if candidate.retry(done):
            self.start(candidate)
            return None
        if done.ending != "ok":
            return candidate, failed(done, "checking it on numpy")
        if not done.value.ok:
            return candidate, Ending("wrong", done.value.message)
        return candidate, estimated(candidate)
