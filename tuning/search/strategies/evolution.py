"""Evolutionary search: crossings and mutations of the best points.

The guide's estimates filter the children: of several, those that it expects to be the
fastest become trials.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("population", 12, "the best points, which are parents"),
    Option("mutation", 0.2, "probability that a value changes at random"),
    Option("children", 4, "children that are made for each trial; estimates choose"),
)


class Evolution:
    """A population of the best points so far."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
    ) -> None:
        self._left = Unproposed(space, seed)
        self._guide = guide
        self._population = int(options["population"])
        self._mutation = float(options["mutation"])
        self._children = int(options["children"])
        self._times: dict[str, tuple[float, Point]] = {}
        self._drawn = 0

    def ask(self, count: int) -> list[Point]:
        """Children of the population; random points until there is one."""
        self._drawn += count
        made: list[Point] = []
        for _ in range(count * self._children):
            child = self._child()
            if child is not None:
                made.append(child)
        made = self._left.fresh(made)
        estimates = self._guide.estimate(made)
        cost = {
            canonical(point): math.inf if estimate is None else estimate
            for point, estimate in zip(made, estimates, strict=True)
        }
        points = sorted(made, key=lambda point: cost[canonical(point)])[:count]
        for point in points:
            self._left.take(point)
        return self._left.fill(points, count)

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Take a point into the population if it is good enough."""
        self._left.take(point)
        if milliseconds is not None:
            self._times[canonical(point)] = (milliseconds, point)

    def _child(self) -> Point | None:
        ranked = sorted(self._times.values(), key=lambda entry: entry[0])
        parents = [point for _, point in ranked[: self._population]]
        rng = self._left.rng
        # The first generation is random.
        if self._drawn <= self._population or len(parents) < 2:
            drawn = self._left.sample(1)
            return drawn[0] if drawn else None
        two = [self._tournament(parents), self._tournament(parents)]
        crossed = self._left.cross(two)
        if crossed is None or rng.random() < 0.5:
            return self._left.mutate(crossed or two[0], self._mutation)
        return crossed

    def _tournament(self, parents: list[Point]) -> Point:
        """The better of two; the list is sorted."""
        rng = self._left.rng
        places = [rng.randrange(len(parents)) for _ in range(2)]
        return parents[min(places)]


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Evolution:
    return Evolution(space, seed, options, guide)


EVOLUTION = StrategyKind(
    "evolution",
    "crossings and mutations of the best points, filtered by estimates",
    OPTIONS,
    _make,
)
