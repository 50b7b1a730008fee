"""Estimates that get better with every result: the learned model of a search.

A run and a replay use the same class. Until there are results enough to learn from, the
estimates are the cost model's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.learning.dataset import Example, Origin
from tilewright.tuning.learning.features import ESTIMATE
from tilewright.tuning.learning.model import LEAST, TimeModel
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point


class LearnedEstimates:
    """The learned model of one space, fitted again as results come in."""

    def __init__(
        self,
        origin: Origin,
        known: Sequence[Example] = (),
        seed: int = 0,
        *,
        adapts: bool = True,
    ) -> None:
        """Start from known examples, those of the same space among them.

        Unless it `adapts`, the model stays that of the first estimates: a strategy that
        learns the deviations from estimates itself needs them on one scale.
        """
        self._origin = origin
        self._adapts = adapts
        self._asked = False
        self._seed = seed
        self._others = [e for e in known if e.origin.space != origin.space]
        self._own = {
            canonical(e.point): e for e in known if e.origin.space == origin.space
        }
        self._model: TimeModel | None = None
        self._new = 0
        """Results since the last fit."""

    @property
    def is_learned(self) -> bool:
        """Whether the next estimates come from the learned model."""
        return self._model is not None or self._is_due()

    def add(
        self, point: Point, features: Mapping[str, float], milliseconds: float
    ) -> None:
        """Take the result of a point."""
        key = canonical(point)
        if key in self._own or milliseconds <= 0:
            return
        self._own[key] = Example(self._origin, point, features, milliseconds)
        self._new += 1

    def estimate(
        self, points: Sequence[Point], features: Sequence[Mapping[str, float]]
    ) -> list[float]:
        """The milliseconds of described points."""
        self.prepare()
        if self._model is None:
            return [one[ESTIMATE] for one in features]
        return self._model.predict(features, points)

    def prepare(self) -> None:
        """Train the model, if there is something new to learn; takes up to a second."""
        due, self._asked = self._is_due(), True
        if due:
            model = TimeModel(self._origin)
            model.fit([*self._others, *self._own.values()], self._seed)
            self._model, self._new = model, 0

    def _is_due(self) -> bool:
        if self._asked and not self._adapts:
            return False
        if self._model is None:
            return len(self._others) + len(self._own) >= LEAST
        # The model is fitted again after so many new results, or so large a share of
        # them.
        return self._new >= max(8, 0.25 * len(self._own))
