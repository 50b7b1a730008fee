"""Random search: valid points, each equally likely, none twice."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from tilewright.tuning.strategies.base import OptionValue, StrategyKind, shuffled

if TYPE_CHECKING:
    from tilewright.tuning.space import Point, Space


class Random:
    """Draws indices of valid points without replacement."""

    def __init__(self, space: Space, seed: int) -> None:
        self._space = space
        self._indices = shuffled(space.count_valid(), random.Random(seed))

    def ask(self, count: int) -> list[Point]:
        """The next points of the shuffle."""
        drawn = itertools.islice(self._indices, count)
        return [self._space.point_at(index) for index in drawn]

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Results do not change the draw."""


def _make(space: Space, seed: int, options: dict[str, OptionValue]) -> Random:
    return Random(space, seed)


RANDOM = StrategyKind("random", "valid points, each equally likely", (), _make)
