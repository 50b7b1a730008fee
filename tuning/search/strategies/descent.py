"""Coordinate descent: all options of one choice, then of the next, from the best point.

When no choice improves the point any more, the descent starts again at a random one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OPTIONS = (Option("starts", 4, "random points that are tried to find a start"),)


class Descent:
    """One descent after the other."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue]
    ) -> None:
        self._space = space
        self._left = Unproposed(space, seed)
        self._starts = int(options["starts"])
        self._names = list(space.choices)
        self._best: tuple[float, Point] | None = None
        """The best point of this descent."""
        self._place = 0
        """The choice whose options are tried."""
        self._idle = 0
        """Choices in a row that gave no gain."""
        self._drawn = 0
        self._queue: list[Point] = []
        self._pending: set[str] = set()

    def ask(self, count: int) -> list[Point]:
        """Neighbours along one choice; random points while results are missing."""
        points: list[Point] = []
        while len(points) < count:
            if not self._queue and not self._pending and not points:
                self._plan()
            if self._queue:
                point = self._queue.pop(0)
                if point in self._left:
                    self._left.take(point)
                    self._pending.add(canonical(point))
                    points.append(point)
                continue
            # A caller that does not wait for results gets random points meanwhile.
            drawn = self._left.next_random()
            if drawn is None:
                break
            points.append(drawn)
        return points

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Move to a faster point."""
        self._left.take(point)
        self._pending.discard(canonical(point))
        if milliseconds is None:
            return
        if self._best is None or milliseconds < self._best[0]:
            self._best = (milliseconds, point)
            self._idle = 0

    def _plan(self) -> None:
        """Queue the next points of the descent, or of a new one."""
        if self._best is None and self._drawn < self._starts:
            self._queue = self._left.sample(self._starts - self._drawn)
            self._drawn = self._starts
            return
        if self._best is not None:
            around = self._left.neighbours(self._best[1])
            for _ in self._names:
                if self._idle > len(self._names):
                    break
                name = self._names[self._place]
                self._place = (self._place + 1) % len(self._names)
                self._idle += 1
                here = self._best[1].get(name)
                found = [p for p in around if p.get(name) != here]
                if found:
                    self._queue = found
                    return
        self._best, self._idle, self._drawn = None, 0, 0
        self._queue = self._left.sample(self._starts)
        self._drawn = self._starts


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Descent:
    return Descent(space, seed, options)


DESCENT = StrategyKind("descent", "coordinate descent with restarts", OPTIONS, _make)
