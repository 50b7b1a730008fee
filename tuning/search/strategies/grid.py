"""Grid search: every valid point, in the order of the schedule."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tilewright.tuning.search.strategies.base import OptionValue, StrategyKind

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space


class Grid:
    """Proposes the points of the space in order."""

    def __init__(self, space: Space) -> None:
        self._points = space.points()

    def ask(self, count: int) -> list[Point]:
        """The next points in order."""
        return list(itertools.islice(self._points, count))

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Ignore the result."""


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Grid:
    return Grid(space)


GRID = StrategyKind("grid", "every valid point, in order", (), _make, learns=False)
