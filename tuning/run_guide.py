"""The guide of a run: builds points in the build workers and estimates their times.

What it builds is kept: a trial of a described point starts at the compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.learning.features import ESTIMATE, FITS

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidate_stages import CandidateStages
    from tilewright.tuning.time_budget import TimeBudget

_SECONDS = 15.0
"""Most seconds to build the points of one question."""

_SHARE = 5
"""A question may take one part in so many of the time that is left."""


class RunGuide:
    """Describes points by the features of their programs."""

    def __init__(self, stages: CandidateStages, budget: TimeBudget) -> None:
        """Take the stages of the run, which build the points."""
        self._stages = stages
        self._budget = budget

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The features of each point.

        None where the schedule does not apply, where the program certainly does not fit
        the target, or where there was no time to build it.
        """
        seconds = min(_SECONDS, self._budget.search_left() / _SHARE)
        found = self._stages.describe(points, seconds)
        return [one if one and one[FITS] else None for one in found]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The cost model's milliseconds of each point; None without a description."""
        described = self.describe(points)
        return [None if one is None else one[ESTIMATE] for one in described]
