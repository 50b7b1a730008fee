"""The guide of a run: builds points in the build workers and estimates their times.

What it builds is kept: a trial of a described point starts at the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.learning.dataset import Origin, load
from tilewright.tuning.learning.features import FITS, VERSION
from tilewright.tuning.learning.learned_estimates import LearnedEstimates

if TYPE_CHECKING:
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.records import Setting
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidate_stages import CandidateStages
    from tilewright.tuning.time_budget import TimeBudget


class RunGuide:
    """Describes points by the features of their programs."""

    def __init__(
        self,
        stages: CandidateStages,
        budget: TimeBudget,
        estimates: LearnedEstimates | None = None,
    ) -> None:
        """Take the stages of the run, which build the points.

        Without `estimates`, those of the run's own results are learned.
        """
        self._stages = stages
        self._budget = budget
        self._estimates = estimates or LearnedEstimates(Origin.of(stages.setting))

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The features of each point.

        None where the schedule does not apply, where the program certainly does not fit
        the target, or where it was not built yet.
        """
        return [one if one and one[FITS] else None for one in self._features(points)]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The estimated milliseconds of each point; None where they are not known yet.

        They are infinite where the schedule does not apply, or where the program
        certainly does not fit the target.
        """
        self._stages.start_previews(points)
        self._estimates.prepare()  # while the workers build
        features = self._features(points)
        pairs = [(p, f) for p, f in zip(points, features, strict=True) if f and f[FITS]]
        known = self._estimates.estimate([p for p, _ in pairs], [f for _, f in pairs])
        estimates = iter(known)
        return [
            None
            if one == {}
            else next(estimates)
            if one is not None and one[FITS]
            else math.inf
            for one in features
        ]

    def _features(self, points: Sequence[Point]) -> list[dict[str, float] | None]:
        """The features of each point, as `CandidateStages.describe` gives them."""
        seconds = self._budget.question_seconds()
        # Without a budget, the same seed has to give the same search.
        patient = not self._budget.is_limited
        return self._stages.describe(points, seconds, patient=patient)

    def learn(self, trials: Iterable[Trial]) -> None:
        """Take the results of trials; later estimates are better for them."""
        for trial in trials:
            features = trial.record.features
            time = trial.record.p50
            if trial.outcome == "ok" and time and features.get("version") == VERSION:
                self._estimates.add(trial.point, features, time)


def learned_estimates(
    database: Database | None, setting: Setting, *, measured: bool, seed: int
) -> LearnedEstimates:
    """The learned model of a run, which starts from what the results file has."""
    known = [] if database is None else load(database, setting, measured=measured)
    return LearnedEstimates(Origin.of(setting), known, seed, adapts=False)
