"""The guides of a run that tunes each size for itself: the cost model at each size.

The strategies of the sizes share what is built: a point is built once, and estimated at
all sizes together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.model.cost import estimate_each
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target
    from tilewright.tuning.run_guide import RunGuide
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidate_stages import CandidateStages
    from tilewright.tuning.time_budget import TimeBudget


class SizeEstimates:
    """The cost model's milliseconds of points at every size."""

    def __init__(
        self, stages: CandidateStages, budget: TimeBudget, target: Target
    ) -> None:
        """Take the stages of the run, which build the points."""
        self._stages = stages
        self._budget = budget
        self._target = target
        self._known: dict[str, tuple[float, ...]] = {}
        """Estimates by point; empty if there is no program that fits the target."""

    def at(self, points: Sequence[Point], place: int) -> list[float | None]:
        """The milliseconds at one of the sizes, as a guide gives them."""
        new = [point for point in points if canonical(point) not in self._known]
        seconds = self._budget.question_seconds()
        patient = not self._budget.is_limited
        built = self._stages.preview(new, seconds, patient=patient) if new else []
        for point, program in built:
            times: tuple[float, ...] = ()
            if prune_program(program, None, self._target) is None:
                costs = estimate_each(program, None, self._target)
                times = tuple(cost.milliseconds for cost in costs)
            self._known[canonical(point)] = times
        for point in new:
            if self._stages.is_refused(point):
                self._known.setdefault(canonical(point), ())
        found = [self._known.get(canonical(point)) for point in points]
        return [
            None if times is None else times[place] if times else math.inf
            for times in found
        ]


class SizeGuide:
    """The guide of one size."""

    def __init__(self, guide: RunGuide, estimates: SizeEstimates, place: int) -> None:
        """Take the guide of the run, which describes points, and the size's place."""
        self._guide = guide
        self._estimates = estimates
        self._place = place

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The features of each point."""
        return self._guide.describe(points)

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The cost model's milliseconds at this size."""
        return self._estimates.at(points, self._place)
