"""The guide of a replay: estimates and descriptions as they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.learning.learned_estimates import LearnedEstimates
    from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point


class RecordedGuide:
    """Reads what was recorded, and adds up what building the points would have cost."""

    def __init__(
        self, recorded: RecordedSpace, learned: LearnedEstimates | None = None
    ) -> None:
        self._recorded = recorded.by_point
        self._learned = learned
        self.built: set[str] = set()
        """The points that were asked about, by `canonical(point)`."""
        self.build_seconds = 0.0
        """The seconds of building them, one after the other."""

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The recorded descriptions; None for a point without an estimate."""
        found = self._look_up(points)
        return [
            None if one is None or one.estimate is None else one.description
            for one in found
        ]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The recorded estimates, or those of the learned model."""
        found = self._look_up(points)
        if self._learned is None:
            return [None if one is None else one.estimate for one in found]
        fit = [one for one in found if one is not None and one.estimate is not None]
        estimates = iter(
            self._learned.estimate(
                [one.point for one in fit], [one.description for one in fit]
            )
        )
        return [
            None if one is None or one.estimate is None else next(estimates)
            for one in found
        ]

    def _look_up(self, points: Sequence[Point]) -> list[RecordedPoint | None]:
        found: list[RecordedPoint | None] = []
        for point in points:
            key = canonical(point)
            one = self._recorded.get(key)
            found.append(one)
            if key not in self.built:
                self.built.add(key)
                self.build_seconds += 0.0 if one is None else build_seconds(one)
        return found


def build_seconds(point: RecordedPoint) -> float:
    """The seconds of transforming and emitting a point."""
    return point.seconds.get("transform", 0.0) + point.seconds.get("emit", 0.0)
