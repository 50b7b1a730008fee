"""Seeds of a search, which it proposes before the strategy's own points.

Seeds are the default point, the best recorded point, the points of near shapes, and
those of the planner. The strategy is told their times like those of its own points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.strategies.base import Strategy
    from tilewright.tuning.space.choices import Point


class SeededStrategy:
    """A strategy that proposes seeds first, then its own points."""

    def __init__(self, seeds: Sequence[Point], strategy: Strategy) -> None:
        """Take seeds, which may repeat, and the strategy that goes on."""
        # The best recorded point may be one of the cost model's seeds too.
        unique: dict[str, Point] = {}
        for point in seeds:
            unique.setdefault(canonical(point), point)
        self._seeds = list(unique.values())
        self._strategy = strategy
        self._proposed = set(unique)

    def ask(self, count: int) -> list[Point]:
        """Seeds while there are any; then the strategy's points, none twice."""
        seeds, self._seeds = self._seeds[:count], self._seeds[count:]
        if seeds:
            return seeds
        while points := self._strategy.ask(count):
            # The strategy does not know of seeds that are still being measured.
            new = [p for p in points if canonical(p) not in self._proposed]
            self._proposed |= {canonical(point) for point in new}
            if new:
                return new
        return []

    def add(self, points: Iterable[Point]) -> None:
        """Propose these points next, except those that were proposed before.

        A seed that waits comes to the front.
        """
        waiting = {canonical(point) for point in self._seeds}
        next_ones = {canonical(point): point for point in points}
        for key in self._proposed - waiting:
            next_ones.pop(key, None)
        self._proposed |= next_ones.keys()
        others = [p for p in self._seeds if canonical(p) not in next_ones]
        self._seeds = [*next_ones.values(), *others]

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Tell the strategy a time, also that of a seed."""
        self._strategy.tell(point, milliseconds)
