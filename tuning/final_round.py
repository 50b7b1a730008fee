"""The final round: the best candidates and their contenders, timed in turn.

Trials are minutes apart, and the card's clocks drift by more than the best candidates
differ. Programs that are timed in turn in one process drift together; the confidence
interval shows the noise that is left.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import source_file
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.measure.measurement import Contender
from tilewright.tuning.results.records import Final
from tilewright.tuning.results.tuning_result import Finalist, Trial, rank, trial_at
from tilewright.tuning.transfer.per_size import FINALISTS, leaders
from tilewright.tuning.workers.jobs import RetimeJob
from tilewright.tuning.workers.pools import Pool, wait

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.measure.references import Reference
    from tilewright.tuning.options import TuneOptions, TuningTask
    from tilewright.tuning.results.run_log import RunLog
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidate_stages import CandidateStages
    from tilewright.tuning.time_budget import TimeBudget

_RANKING_SECONDS = 0.2
"""Seconds to rank and to record the finalists."""
_LATE_SECONDS = 0.5
"""Seconds that the last round may take after its time is over."""


class FinalRound:
    """The final round of one run."""

    def __init__(
        self,
        task: TuningTask[Any],
        options: TuneOptions,
        log: RunLog | None,
        budget: TimeBudget,
        stages: CandidateStages,
        measuring: Pool,
    ) -> None:
        """Set up the round; `run` does it."""
        self._contenders = dict(task.contenders)
        self._default_point = task.space.default_point()
        self._sizes = len(task.extents)
        self._options = options
        self._log = log
        self._budget = budget
        self._stages = stages
        self._measuring = measuring
        self.seconds = 0.0
        """Seconds that the timing took."""
        self.warnings: list[str] = []

    def is_wanted(self, trials: Sequence[Trial]) -> bool:
        """Whether there are programs to time again, on a device."""
        wanted = self._options.device is not None and self._options.finalists > 0
        return wanted and bool(rank(trials))

    def run(self, trials: Sequence[Trial]) -> tuple[Finalist, ...]:
        """Time the best trials and the contenders in one worker; fastest first."""
        default = trial_at(trials, self._default_point)
        chosen = {
            f"trial {trial.number}{' (default point)' if trial is default else ''}": (
                trial
            )
            for trial in self._choose(trials, default)
        }
        found = {
            name: self._stages.program_of(trial, min(self._budget.left(), 60.0))
            for name, trial in chosen.items()
        }
        programs = {name: p for name, p in found.items() if p is not None}
        chosen = {name: chosen[name] for name in programs}
        if not programs:
            return ()
        references = self._stages.timed_references(next(iter(programs.values())))
        each: dict[str, tuple[float, ...]] = {}
        if self._options.per_size:
            samples = self._retime_each(references, programs, each)
        else:
            samples = self._retime(references, {**programs, **self._contenders})
            if samples is None and self._contenders:
                samples = self._retime(references, programs)
        if samples is None:
            return ()
        points = {
            name: (trial.point, trial.record.program) for name, trial in chosen.items()
        }
        finalists = rank_finalists(
            samples, {**{name: (None, "") for name in self._contenders}, **points}
        )
        finalists = tuple(replace(f, each=each.get(f.name, ())) for f in finalists)
        if self._log is not None:
            for one in finalists:
                if one.name in chosen:
                    record, taken = chosen[one.name].record, samples[one.name]
                    self._log.record_final(record, one.final, one.each, taken)
        return finalists

    def _choose(self, trials: Sequence[Trial], default: Trial | None) -> list[Trial]:
        """The trials to time again."""
        options = self._options
        if not options.per_size:
            again = self._stages.times_again
            return choose_finalists(trials, options.finalists, default, again)
        # One point for all sizes is what the table is compared with.
        chosen = [
            *leaders(trials, self._sizes, FINALISTS),
            *choose_finalists(trials, 1, default),
        ]
        return list({trial.record.program: trial for trial in chosen}.values())

    def _retime_each(
        self,
        references: tuple[Reference, ...],
        programs: dict[str, GeneratedProgram],
        each: dict[str, tuple[float, ...]],
    ) -> dict[str, list[float]] | None:
        """Time one size after the other, and add the medians to `each`.

        Returns the geometric means over the sizes, by name.
        """
        taken: list[dict[str, list[float]]] = []
        for place, reference in enumerate(references):
            share = 1 / (len(references) - place)
            samples = self._retime((reference,), programs, share)
            if samples is None:
                return None
            taken.append(samples)
        for name in programs:
            each[name] = tuple(float(np.median(samples[name])) for samples in taken)
        return {
            name: [
                geometric_mean(times)
                for times in zip(*(samples[name] for samples in taken), strict=False)
            ]
            for name in programs
        }

    def _retime(
        self,
        references: tuple[Reference, ...],
        programs: dict[str, GeneratedProgram],
        share: float = 1.0,
    ) -> dict[str, list[float]] | None:
        """Milliseconds of every repetition, by name; None where the timing failed.

        Takes at most this share of the time that is left.
        """
        start = time.perf_counter()
        options = self._options
        assert options.device is not None
        job = RetimeJob(
            tuple(
                Contender(name, source_file(program, options.cache_dir), program.entry)
                for name, program in programs.items()
            ),
            references,
            options.timing,
            options.final_rounds,
            options.device,
            share * max(0.0, self._budget.left() - _RANKING_SECONDS),
        )
        limit = options.measure_limit * len(programs)
        limit = max(1.0, min(limit, self._budget.left() + _LATE_SECONDS))
        ticket = self._measuring.submit(job, limit)
        try:
            while True:
                for finished in wait([self._measuring], 600.0):
                    # Candidates that were given up when time was up may end first.
                    if finished.ticket != ticket:
                        continue
                    if finished.ending == "ok":
                        return finished.value
                    self.warnings.append(f"the final timing failed: {finished.error}")
                    return None
        finally:
            self.seconds += time.perf_counter() - start


def choose_finalists(
    trials: Sequence[Trial],
    count: int,
    default: Trial | None = None,
    again: Mapping[str, float] | None = None,
) -> list[Trial]:
    """The fastest trials with different programs, and the default point's if it works.

    `again` has the milliseconds of programs that were timed again since their trials.
    The gain over the default point is then measured, not computed from trials that are
    minutes apart.
    """
    chosen: dict[str, Trial] = {}
    known = again or {}

    def time_of(trial: Trial) -> float:
        return known.get(trial.record.program, trial.milliseconds or math.inf)

    for trial in sorted(rank(trials), key=time_of):
        if len(chosen) == count:
            break
        chosen.setdefault(trial.record.program, trial)
    if default is not None and default.milliseconds is not None:
        chosen[default.record.program] = default
    return list(chosen.values())


def median_interval(samples: Sequence[float], seed: int = 0) -> Final:
    """The median and its 95 % interval, by bootstrap: assumes no distribution."""
    values = np.asarray(samples, dtype=np.float64)
    rng = np.random.default_rng(seed)
    drawn = rng.choice(values, size=(1000, values.size), replace=True)
    low, high = np.percentile(np.median(drawn, axis=1), [2.5, 97.5])
    return Final(float(np.median(values)), float(low), float(high))


def rank_finalists(
    samples: Mapping[str, Sequence[float]],
    points: Mapping[str, tuple[Point | None, str]],
) -> tuple[Finalist, ...]:
    """Finalists by median, fastest first; `points` has point and program of each."""
    finalists = [
        Finalist(name, points[name][0], median_interval(taken), points[name][1])
        for name, taken in samples.items()
        if taken
    ]
    return tuple(sorted(finalists, key=lambda finalist: finalist.final.median))
