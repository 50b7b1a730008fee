"""The fastest candidates so far, timed again in turn while the device waits.

A trial is timed once, for some 30 ms. The card's clocks drift by as much as the best
candidates differ, so among those the order of the trials is luck. The compilers often
leave the device without work; then a few of the fastest are timed in turn. Programs in
one job drift together, so their ratios are exact, and the final round gets the
programs that are the fastest, not those that met the fastest moment.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tilewright.codegen.runtime.compile import source_file
from tilewright.tuning.averages import without_drift
from tilewright.tuning.measure.measurement import Contender
from tilewright.tuning.workers.jobs import RetimeJob
from tilewright.tuning.workers.worker_pool import ProcessPool

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.measure.references import Reference
    from tilewright.tuning.options import TuneOptions
    from tilewright.tuning.workers.pools import Finished, Pool

_NEAR = 1.02
"""Programs that take at most this many times the best time are leaders."""
_MOST_LEADERS = 4
"""Leaders for each finalist."""
_ENOUGH = 30
"""Jobs after which a leader is known well enough: 300 repetitions, as in the final."""
_JOB_MS = 60.0
"""About how long a job takes; a candidate that is compiled meanwhile waits for it."""
_WARM_MS, _CALLS = 4.0, 25
"""The warm-up of a program in a job, and the calls besides it."""


def has_leaders(options: TuneOptions, measuring: Pool) -> bool:
    """Whether leaders are timed again: on a card of this machine that is this run's.

    Each size of several that are tuned for themselves would have its own leaders.
    """
    wanted = options.finalists > 0 and not options.per_size
    return wanted and options.device == "cuda" and isinstance(measuring, ProcessPool)


@dataclass(frozen=True)
class _Leader:
    contender: Contender
    references: tuple[Reference, ...]
    milliseconds: float
    """The time of its trial."""


class Leaders:
    """The leaders of one run, and their times in the jobs so far."""

    def __init__(self, measuring: Pool, options: TuneOptions) -> None:
        self._measuring = measuring
        self._options = options
        self._leaders: dict[str, _Leader] = {}
        self._jobs: list[dict[str, float]] = []
        """The median of each program in each job."""
        self.times: dict[str, float] = {}
        """Milliseconds of the programs that were timed again, by their keys."""
        self._ticket: int | None = None
        self._is_done = False
        """Whether a job would tell nothing new."""
        self._has_failed = False
        self.seconds = 0.0
        """Seconds that the device spent on it."""

    @property
    def is_busy(self) -> bool:
        """Whether the device times leaders."""
        return self._ticket is not None

    def add(
        self,
        program: GeneratedProgram,
        references: tuple[Reference, ...],
        milliseconds: float,
    ) -> None:
        """Add a candidate that was measured, if it is near the best."""
        best = min((one.milliseconds for one in self._leaders.values()), default=None)
        if best is not None and milliseconds > _NEAR * best:
            return
        source = source_file(program, self._options.cache_dir)
        contender = Contender(program.key, source, program.entry)
        self._leaders[program.key] = _Leader(contender, references, milliseconds)
        self._is_done = self._has_failed

    def start(self) -> None:
        """Time some leaders again, unless all are known well or there is no rival."""
        if self._is_done or self.is_busy:
            return
        chosen = self._choose()
        if len(chosen) < 2:
            self._is_done = True
            return
        assert self._options.device is not None
        job = RetimeJob(
            tuple(one.contender for one in chosen),
            chosen[0].references,
            self._options.timing,
            2,  # rounds
            self._options.device,
        )
        limit = self._options.measure_limit
        self._ticket = self._measuring.submit(job, limit, later=True)

    def finish(self, done: Finished) -> None:
        """Note the times of a job; after a failure, no further job is started."""
        if done.ticket != self._ticket:
            return
        self._ticket = None
        self.seconds += done.seconds
        if done.ending != "ok":
            self._is_done = self._has_failed = True
            return
        samples: dict[str, list[float]] = done.value
        self._jobs.append({key: float(np.median(s)) for key, s in samples.items()})
        self.times = without_drift(self._jobs)

    def abandon(self) -> None:
        """Drop a job that has not begun."""
        if self._ticket is not None:
            self._measuring.forget(self._ticket)

    def _choose(self) -> list[_Leader]:
        """The best so far and those of the others that were timed least."""
        trials = {key: one.milliseconds for key, one in self._leaders.items()}
        times = trials | self.times
        order = sorted(times, key=times.__getitem__)
        if not order:
            return []
        best = times[order[0]]
        near = [key for key in order if times[key] <= _NEAR * best]
        near = near[: _MOST_LEADERS * self._options.finalists]
        counts = Counter(key for job in self._jobs for key in job)
        others = sorted(near[1:], key=lambda key: counts[key])
        others = [key for key in others if counts[key] < _ENOUGH]
        each = _WARM_MS + _CALLS * best
        fitting = max(2, math.floor(_JOB_MS / each))
        if 2 * each > 4 * _JOB_MS:
            return []  # a trial of so long a program is exact enough
        return [self._leaders[key] for key in [near[0], *others][:fitting]]
