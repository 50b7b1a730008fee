"""Random order: the points of a space, each once, without a list of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    import random

    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space


def shuffled(count: int, rng: random.Random) -> Iterator[int]:
    """The numbers below `count` in random order.

    A Fisher-Yates shuffle that stores only the numbers that have moved: even for 10^12
    points the cost is that of the points drawn.
    """
    moved: dict[int, int] = {}
    for left in range(count, 0, -1):
        pick = rng.randrange(left)
        yield moved.get(pick, pick)
        moved[pick] = moved.pop(left - 1, left - 1)


def unseen(space: Space, rng: random.Random) -> Iterator[Point]:
    """Valid points in random order, none twice.

    Where the points cannot be counted, they are sampled until only known ones come up;
    the rest follows in the order of the space.
    """
    if space.is_exact():
        for index in shuffled(space.count_valid(), rng):
            yield space.point_at(index)
        return
    seen: set[str] = set()
    misses = 0
    while misses < _MISSES:
        point = space.sample(rng)
        key = canonical(point)
        if key in seen:
            misses += 1
            continue
        misses = 0
        seen.add(key)
        yield point
    for point in space.points():
        if canonical(point) not in seen:
            yield point


_MISSES = 100
"""Known points in a row after which sampling ends."""
