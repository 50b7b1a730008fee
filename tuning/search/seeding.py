"""How a learning search begins and ends: the cost model's favourites, the neighbours.

A search that knows nothing spends its first trials anywhere. The analytic model asks no
compiler and no GPU: a sample of the space is built and estimated first, and the best
of it are measured first; what they take teaches the strategy where to go on. The last
trials go to the neighbours of the best point, which a sampler may never have proposed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.model.cost import objective
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.targets import Target
    from tilewright.tuning.search.strategies.base import Strategy
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

SAMPLED_FOR_EACH = 6
"""Points estimated for each favourite wanted."""


def sample(space: Space, count: int, seed: int) -> list[Point]:
    """Different points, drawn at random, to find `count` favourites among."""
    rng = random.Random(seed)
    drawn: dict[str, Point] = {}
    for _ in range(count * SAMPLED_FOR_EACH):
        point = space.sample(rng)
        drawn.setdefault(canonical(point), point)
    return list(drawn.values())


def favourites(
    built: Iterable[tuple[Point, GeneratedProgram]], target: Target, count: int
) -> list[Point]:
    """Up to `count` of the points, the cheapest estimate first.

    Points that cannot fit are left out, and of points that give the same program only
    one is kept.
    """
    found: dict[str, tuple[float, Point]] = {}
    for point, program in built:
        if prune_program(program, None, target) is None:
            cost = objective(program, None, target)
            found.setdefault(program.key, (cost, point))
    ranked = sorted(found.values(), key=lambda entry: entry[0])
    return [point for _, point in ranked[:count]]


class Guided:
    """A strategy that proposes given points first, then its own."""

    def __init__(self, first: Sequence[Point], strategy: Strategy) -> None:
        # The best on file may be one of the cost model's favourites too.
        given: dict[str, Point] = {}
        for point in first:
            given.setdefault(canonical(point), point)
        self._first = list(given.values())
        self._strategy = strategy
        self._proposed = set(given)

    def ask(self, count: int) -> list[Point]:
        """Given points while there are any; then the strategy's, none twice."""
        given, self._first = self._first[:count], self._first[count:]
        if given:
            return given
        while points := self._strategy.ask(count):
            # It has not been told yet of given points that are still being measured.
            new = [p for p in points if canonical(p) not in self._proposed]
            self._proposed |= {canonical(point) for point in new}
            if new:
                return new
        return []

    def add(self, points: Iterable[Point]) -> None:
        """Propose these next, those that were not proposed yet."""
        new = [p for p in points if canonical(p) not in self._proposed]
        self._proposed |= {canonical(point) for point in new}
        self._first = [*new, *self._first]

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Teach the strategy, whoever proposed the point."""
        self._strategy.tell(point, milliseconds)
