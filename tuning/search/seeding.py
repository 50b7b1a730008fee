"""Seeds of a learning search, which it proposes before the strategy's own points.

A strategy that knows nothing proposes its first points at random. The cost model needs
no compiler and no GPU, so a sample of the space is built and estimated, and the best
estimates are measured first; their times show the strategy where to go on. The last
trials go to the neighbours of the best point, which a sampler may never propose.
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

SAMPLES_PER_SEED = 6
"""Points that are estimated to find one seed."""


def sample(space: Space, count: int, seed: int) -> list[Point]:
    """Different random points, enough to choose `count` seeds from."""
    rng = random.Random(seed)
    drawn: dict[str, Point] = {}
    for _ in range(count * SAMPLES_PER_SEED):
        point = space.sample(rng)
        drawn.setdefault(canonical(point), point)
    return list(drawn.values())


def best_estimates(
    built: Iterable[tuple[Point, GeneratedProgram]], target: Target, count: int
) -> list[Point]:
    """Up to `count` of the points, the fastest estimate first.

    Leaves out points whose program does not fit the target, and all but one of the
    points that give the same program.
    """
    found: dict[str, tuple[float, Point]] = {}
    for point, program in built:
        if prune_program(program, None, target) is None:
            cost = objective(program, None, target)
            found.setdefault(program.key, (cost, point))
    ranked = sorted(found.values(), key=lambda entry: entry[0])
    return [point for _, point in ranked[:count]]


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
        """Propose these points next, except those that were proposed before."""
        new = [p for p in points if canonical(p) not in self._proposed]
        self._proposed |= {canonical(point) for point in new}
        self._seeds = [*new, *self._seeds]

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Tell the strategy a time, also that of a seed."""
        self._strategy.tell(point, milliseconds)
