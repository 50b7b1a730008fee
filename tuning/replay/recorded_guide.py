"""The guide of a replay: estimates and descriptions as they were recorded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.learning.learned_estimates import LearnedEstimates
    from tilewright.tuning.replay.machine import SimulatedStages
    from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point


class RecordedGuide:
    """Reads what was recorded, once the simulated builders have built the points."""

    def __init__(
        self,
        recorded: RecordedSpace,
        stages: SimulatedStages,
        learned: LearnedEstimates | None = None,
        *,
        patient: bool = True,
    ) -> None:
        """Without patience, it answers only while the compilers have work."""
        self._recorded = recorded.by_point
        self._stages = stages
        self._learned = learned
        self._patient = patient

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The recorded descriptions; None for a point without an estimate."""
        found = self._look_up(points)
        built = self._build(found)
        return [
            one.description if one and one.estimate is not None and is_built else None
            for one, is_built in zip(found, built, strict=True)
        ]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The recorded estimates, or those of the learned model."""
        found = self._look_up(points)
        built = self._build(found)
        costs = self._costs(found)
        return [
            cost if is_built else None
            for cost, is_built in zip(costs, built, strict=True)
        ]

    def _costs(self, points: Sequence[RecordedPoint | None]) -> list[float]:
        """The estimates; infinite where there is none."""
        fit = [one for one in points if one is not None and one.estimate is not None]
        found = [one.estimate or 0.0 for one in fit]
        if self._learned is not None:
            found = self._learned.estimate(
                [one.point for one in fit], [one.description for one in fit]
            )
        estimates = iter(found)
        return [
            math.inf if one is None or one.estimate is None else next(estimates)
            for one in points
        ]

    def _look_up(self, points: Sequence[Point]) -> list[RecordedPoint | None]:
        return [self._recorded.get(canonical(point)) for point in points]

    def _build(self, points: Sequence[RecordedPoint | None]) -> list[bool]:
        """Build points; returns which of them are built, or never will be."""
        keys = ["" if one is None else canonical(one.point) for one in points]
        for key, one in zip(keys, points, strict=True):
            if one is not None:
                self._stages.preview(key, build_seconds(one))
        self._stages.wait_for([key for key in keys if key], patient=self._patient)
        return [not key or key in self._stages.built for key in keys]


def build_seconds(point: RecordedPoint) -> float:
    """The seconds of transforming and emitting a point."""
    return point.seconds.get("transform", 0.0) + point.seconds.get("emit", 0.0)
