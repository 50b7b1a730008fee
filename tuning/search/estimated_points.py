"""The points that a search has met: codes, estimates and neighbours, each once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.search.choice_process import ChoiceProcess
from tilewright.tuning.search.encoding import Codes, Encoding, Vectors
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space


_FITTED = 240
"""Most estimates that others are predicted from."""


@dataclass(eq=False)
class EstimatedPoint:
    """A point and what is known of it without measuring."""

    key: str
    """`canonical(point)`."""
    point: Point
    codes: Codes
    estimate: float | None = None
    """The logarithm of the estimated milliseconds; None where they are not known."""
    refused: bool = False
    """Whether the guide says that it cannot be built."""
    guess: float = 0.0
    """A prediction of the estimate, from those of other points."""
    guessed_from: int = 0
    """How many estimates there were then."""
    near: list[EstimatedPoint] | None = field(default=None, repr=False)
    """The neighbours, once they were asked for."""

    @property
    def is_answered(self) -> bool:
        """Whether the guide need not be asked about it."""
        return self.refused or self.estimate is not None


class EstimatedPoints:
    """Finds points by their keys, and asks the guide about them."""

    def __init__(self, space: Space, guide: Guide) -> None:
        self.encoding = Encoding(space)
        self._space = space
        self._guide = guide
        self._points: dict[str, EstimatedPoint] = {}
        self._known: list[EstimatedPoint] = []
        self.refused: list[EstimatedPoint] = []
        """The points that cannot be built, by the guide."""
        self._process = ChoiceProcess(self.encoding)
        self._fitted_to = 0

    def get(self, point: Point) -> EstimatedPoint:
        """The entry of a point."""
        key = canonical(point)
        found = self._points.get(key)
        if found is None:
            codes = self.encoding.codes([point])[0]
            found = self._points[key] = EstimatedPoint(key, point, codes)
        return found

    def all(self, points: Iterable[Point]) -> list[EstimatedPoint]:
        """The entries of points."""
        return [self.get(point) for point in points]

    def neighbours(self, one: EstimatedPoint) -> list[EstimatedPoint]:
        """The valid points that differ in one choice."""
        if one.near is None:
            one.near = self.all(self._space.neighbours(one.point))
        return one.near

    def estimate(self, points: Sequence[EstimatedPoint]) -> list[EstimatedPoint]:
        """Ask the guide about points; returns those that it does not know yet."""
        new = list({one.key: one for one in points if not one.is_answered}.values())
        if not new:
            return []
        found = self._guide.estimate([one.point for one in new])
        for one, milliseconds in zip(new, found, strict=True):
            if milliseconds is None:
                continue
            if 0 < milliseconds < math.inf:
                one.estimate = math.log(milliseconds)
                self._known.append(one)
            else:
                one.refused = True
                self.refused.append(one)
        return [one for one in new if not one.is_answered]

    @property
    def guide_knows(self) -> bool:
        """Whether the guide has estimated any point."""
        return bool(self._known)

    def logarithms(self, points: Sequence[EstimatedPoint]) -> Vectors:
        """The estimates of points; predicted from those of others where missing.

        Building a point for its estimate takes a worker's time; predicting does not.
        """
        missing = [one for one in points if one.estimate is None]
        guessed = iter(self._predicted(missing))
        return np.array(
            [next(guessed) if p.estimate is None else p.estimate for p in points]
        )

    def _predicted(self, points: Sequence[EstimatedPoint]) -> Vectors:
        if not points or not self._known:
            return np.zeros(len(points))
        if len(self._known) > 1.1 * self._fitted_to:
            self._fitted_to = len(self._known)
            ranked = sorted(self._known, key=lambda one: one.estimate or 0.0)
            # The best estimates, and some of the others.
            rest = ranked[_FITTED // 2 :]
            step = max(1, len(rest) // (_FITTED // 2))
            used = ranked[: _FITTED // 2] + rest[::step]
            logs = np.array([one.estimate for one in used], dtype=np.float64)
            self._process.fit(self.codes(used), np.zeros(len(used)), logs)
        new = [one for one in points if one.guessed_from != self._fitted_to]
        if new:
            guesses = self._process.means(self.codes(new), np.zeros(len(new)))
            for one, guess in zip(new, guesses.tolist(), strict=True):
                one.guess, one.guessed_from = guess, self._fitted_to
        return np.array([one.guess for one in points])

    def codes(self, points: Sequence[EstimatedPoint]) -> Codes:
        """The codes of points, a row each."""
        columns = len(self.encoding.choices)
        rows = [one.codes for one in points]
        return np.array(rows, dtype=np.int64).reshape(len(points), columns)
