"""The valid points that a strategy has not proposed yet."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.search.order import unseen
from tilewright.tuning.space.choices import Choice, canonical

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space

ALL_BELOW = 1500
"""Spaces with at most this many points are listed; larger ones are sampled."""


class Unproposed:
    """Draws, crosses and moves points; `take` marks one as proposed."""

    def __init__(self, space: Space, seed: int) -> None:
        self.space = space
        self.rng = random.Random(seed)
        self._taken: set[str] = set()
        self._at_random = unseen(space, random.Random(seed))
        self._all: dict[str, Point] | None = None
        if space.is_exact() and space.count_valid() <= ALL_BELOW:
            self._all = {canonical(point): point for point in space.points()}

    def __contains__(self, point: Point) -> bool:
        """Whether a valid point is still to be proposed."""
        return canonical(point) not in self._taken

    def take(self, point: Point) -> None:
        """Mark a point as proposed."""
        key = canonical(point)
        self._taken.add(key)
        if self._all is not None:
            self._all.pop(key, None)

    def next_random(self) -> Point | None:
        """Take a point at random; None if all were proposed."""
        for point in self._at_random:
            if point in self:
                self.take(point)
                return point
        return None

    def fill(self, points: list[Point], count: int) -> list[Point]:
        """Take random points until there are `count`, or none is left."""
        while len(points) < count:
            point = self.next_random()
            if point is None:
                break
            points.append(point)
        return points

    def sample(self, count: int) -> list[Point]:
        """Up to `count` different points; all that are left of a small space."""
        if self._all is not None:
            left = list(self._all.values())
            return self.rng.sample(left, min(count, len(left)))
        return self.fresh(self.space.sample(self.rng) for _ in range(count))

    def fresh(self, points: Iterable[Point]) -> list[Point]:
        """The points that were not proposed, each once."""
        found = {canonical(point): point for point in points}
        return [point for key, point in found.items() if key not in self._taken]

    def neighbours(self, point: Mapping[str, Value]) -> list[Point]:
        """The neighbours of a point that were not proposed."""
        return self.fresh(self.space.neighbours(point))

    def cross(self, parents: Sequence[Point], tries: int = 8) -> Point | None:
        """A point with each value from one of the parents; None if no try is valid."""
        return self._assembled(
            lambda choice: self._inherited(choice, self.rng.choice(parents)), tries
        )

    def mutate(self, point: Point, rate: float, tries: int = 8) -> Point | None:
        """A point in which each value has changed with a probability."""

        def choose(choice: Choice) -> Value:
            if self.rng.random() < rate:
                return self.rng.choice(choice.options)
            return self._inherited(choice, point)

        return self._assembled(choose, tries)

    def _inherited(self, choice: Choice, parent: Point) -> Value:
        if choice.name in parent:
            return parent[choice.name]
        return self.rng.choice(choice.options)

    def _assembled(self, choose: Callable[[Choice], Value], tries: int) -> Point | None:
        for _ in range(tries):
            point, violated = self.space.assemble(choose)
            if violated is None and point in self:
                return point
        return None
