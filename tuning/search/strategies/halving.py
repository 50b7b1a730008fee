"""Successive halving: many points are estimated, few of them measured.

A *bracket* draws points at random, and the guide's estimates eliminate all but the best
share of them. The survivors are measured; the measurement itself goes on only for those
that are not far behind the best so far. Brackets differ in how many points they draw
for one survivor: a large number trusts the estimates, a small one does not
(Hyperband).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("survivors", 6, "points of a bracket that are measured"),
    Option("factor", 3, "factor between the numbers of points that brackets draw"),
    Option("rungs", 3, "the largest bracket draws factor^rungs points a survivor"),
)


class Halving:
    """One bracket after the other, from the largest to the smallest, and again."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
    ) -> None:
        self._left = Unproposed(space, seed)
        self._guide = guide
        self._survivors = max(1, int(options["survivors"]))
        self._factor = max(2, int(options["factor"]))
        self._rungs = int(options["rungs"])
        self._bracket = self._rungs
        self._queue: list[Point] = []

    def ask(self, count: int) -> list[Point]:
        """The survivors of the bracket; then those of the next one."""
        points: list[Point] = []
        while len(points) < count:
            if not self._queue:
                self._queue = self._next_bracket()
                if not self._queue:
                    return self._left.fill(points, count)
            point = self._queue.pop(0)
            if point in self._left:
                self._left.take(point)
                points.append(point)
        return points

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Do not propose this point again."""
        self._left.take(point)

    def _next_bracket(self) -> list[Point]:
        drawn = self._left.sample(self._survivors * self._factor**self._bracket)
        if self._bracket:
            estimates = self._guide.estimate(drawn)
            costs = [math.inf if one is None else one for one in estimates]
            order = sorted(range(len(drawn)), key=lambda place: costs[place])
            drawn = [drawn[place] for place in order]
        self._bracket = self._bracket - 1 if self._bracket else self._rungs
        return drawn[: self._survivors]


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Halving:
    return Halving(space, seed, options, guide)


HALVING = StrategyKind(
    "halving",
    "many points are estimated, the best of them measured",
    OPTIONS,
    _make,
    learns=False,
)
