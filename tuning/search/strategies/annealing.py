"""Simulated annealing: random walks that accept slower points, less and less often."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("walks", 4, "walks at the same time"),
    Option("temperature", 0.3, "a point slower by this share is accepted by 1 in e"),
    Option("cooling", 0.97, "the factor of the temperature after each result"),
    Option("patience", 12, "results without a move before a walk goes to the best"),
)


@dataclass
class _Walk:
    point: Point | None = None
    milliseconds: float = math.inf
    idle: int = 0


class Annealing:
    """Walks over neighbours; each goes on from its own point."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue]
    ) -> None:
        self._left = Unproposed(space, seed)
        self._walks = [_Walk() for _ in range(max(1, int(options["walks"])))]
        self._temperature = float(options["temperature"])
        self._cooling = float(options["cooling"])
        self._patience = int(options["patience"])
        self._next = 0
        self._steps: dict[str, _Walk] = {}
        """The walk that each point under way belongs to."""
        self._best: tuple[float, Point] | None = None

    def ask(self, count: int) -> list[Point]:
        """A step of each walk in turn."""
        points: list[Point] = []
        while len(points) < count:
            walk = self._walks[self._next % len(self._walks)]
            self._next += 1
            point = self._step(walk)
            if point is None:
                break
            self._steps[canonical(point)] = walk
            points.append(point)
        return points

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Accept or refuse a step."""
        self._left.take(point)
        walk = self._steps.pop(canonical(point), None)
        self._temperature *= self._cooling
        if milliseconds is not None and (
            self._best is None or milliseconds < self._best[0]
        ):
            self._best = (milliseconds, point)
        if walk is None:
            return
        walk.idle += 1
        if milliseconds is not None and self._accepts(walk, milliseconds):
            walk.point, walk.milliseconds, walk.idle = point, milliseconds, 0
        elif walk.idle >= self._patience and self._best is not None:
            walk.milliseconds, walk.point = self._best
            walk.idle = 0

    def _step(self, walk: _Walk) -> Point | None:
        """A neighbour at random; a random point where none is left."""
        around = [] if walk.point is None else self._left.neighbours(walk.point)
        if not around:
            return self._left.next_random()
        point = self._left.rng.choice(around)
        self._left.take(point)
        return point

    def _accepts(self, walk: _Walk, milliseconds: float) -> bool:
        if milliseconds <= walk.milliseconds:
            return True
        slower = math.log(milliseconds / walk.milliseconds)
        chance = math.exp(-slower / max(self._temperature, 1e-6))
        return self._left.rng.random() < chance


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Annealing:
    return Annealing(space, seed, options)


ANNEALING = StrategyKind("annealing", "random walks that cool down", OPTIONS, _make)
