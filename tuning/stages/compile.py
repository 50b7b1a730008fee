"""The compile stage: Triton compiles a candidate, and the cost model estimates it."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.learning.compiled_features import describe_compiled
from tilewright.tuning.model.cost import estimate_each
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.stages.candidates import Candidate, Ending
from tilewright.tuning.workers.jobs import CompileJob

if TYPE_CHECKING:
    from tilewright.codegen.program import Shapes
    from tilewright.tuning.options import TuneOptions, TuningTask
    from tilewright.tuning.results.records import Outcome
    from tilewright.tuning.workers.pools import Finished, Pool

_FEWEST = 8
"""Compilations before it is known how long they usually take."""

_TIMES_USUAL = 8.0
_SHORTEST_LIMIT = 10.0
"""A compilation gets this many times the usual time, and at least so many seconds."""


class CompileStage:
    """Compiles candidates and prunes those that cannot run well on the target."""

    def __init__(
        self,
        pool: Pool,
        task: TuningTask[Any],
        options: TuneOptions,
        seconds: dict[str, float],
    ) -> None:
        self._pool = pool
        self._task = task
        self._options = options
        self._seconds = seconds
        self._pending: dict[int, Candidate] = {}
        self._taken: list[float] = []
        """Seconds of every compilation that succeeded."""

    @property
    def outstanding(self) -> int:
        """Candidates that are being compiled."""
        return len(self._pending)

    def start(self, candidate: Candidate) -> None:
        """Start to compile."""
        job = CompileJob(
            candidate.program,
            self._options.target,
            self._options.cache_dir,
            self._shapes(candidate),
        )
        ticket = self._pool.submit(job, self._limit())
        self._pending[ticket] = candidate

    def _limit(self) -> float:
        """Seconds for a compilation: a multiple of what is usual in this run."""
        if len(self._taken) < _FEWEST:
            return self._options.compile_limit
        usual = max(_SHORTEST_LIMIT, _TIMES_USUAL * median(self._taken))
        return min(self._options.compile_limit, usual)

    def abandon(self) -> None:
        """Drop the candidates that wait for a compiler."""
        for ticket in self._pending:
            self._pool.forget(ticket)

    def finish(self, done: Finished) -> tuple[Candidate, Ending | None] | None:
        """The candidate and, where it goes no further, its ending; None to wait."""
        candidate = self._pending.pop(done.ticket, None)
        if candidate is None:  # of an earlier run with the same workers
            return None
        candidate.seconds["compile"] = done.seconds
        self._seconds["compile"] += done.seconds
        if done.ending == "ok":
            self._taken.append(done.seconds)
        elif done.ending == "timeout" and len(self._taken) >= _FEWEST:
            usual = f"{done.error}; {median(self._taken):.1f} s are usual"
            # Another run may have more time for it.
            return candidate, Ending("timeout", usual, is_lasting=False)
        if candidate.retry(done):
            self.start(candidate)
            return None
        if done.ending != "ok":
            outcome: Outcome = (
                "compile_error" if done.ending == "error" else done.ending
            )
            return candidate, Ending(outcome, done.error, done.cause)
        target = self._options.target
        candidate.stats = done.value
        costs = estimate_each(candidate.program, done.value, target)
        candidate.estimates = tuple(cost.milliseconds for cost in costs)
        candidate.estimate = geometric_mean(candidate.estimates)
        candidate.features = describe_compiled(candidate.program, done.value, target)
        reason = prune_program(candidate.program, done.value, target)
        return candidate, None if reason is None else Ending("pruned", reason)

    def _shapes(self, candidate: Candidate) -> tuple[Shapes, ...]:
        """The sizes that the program will run at, those that are timed first."""
        on_device = self._options.device is not None
        cases = sorted(
            zip(self._task.expected, candidate.built.accepted, strict=True),
            key=lambda pair: not pair[0].timed,
        )
        return tuple(
            expected.shapes
            for expected, accepted in cases
            if expected.shapes is not None
            and (expected.timed or (on_device and accepted))
        )
