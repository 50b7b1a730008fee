"""Random search: valid points, each equally likely, none twice."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from tilewright.tuning.search.order import unseen
from tilewright.tuning.search.strategies.base import OptionValue, StrategyKind

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space


class Random:
    """Samples valid points without replacement."""

    def __init__(self, space: Space, seed: int) -> None:
        self._points = unseen(space, random.Random(seed))

    def ask(self, count: int) -> list[Point]:
        """The next random points."""
        return list(itertools.islice(self._points, count))

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Ignore the result."""


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Random:
    return Random(space, seed)


RANDOM = StrategyKind(
    "random", "valid points, each equally likely", (), _make, learns=False
)
