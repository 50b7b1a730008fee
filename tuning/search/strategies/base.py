"""The interface of a search strategy, which proposes points and is told their times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    import random

    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OptionValue: TypeAlias = int | float | bool | str


class Strategy(Protocol):
    """A search in progress."""

    def ask(self, count: int) -> list[Point]:
        """Up to `count` valid points, none proposed before; none means exhausted."""
        ...

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Take the time of a point; None where it did not run.

        The strategy need not have proposed the point: it may be a seed.
        """
        ...


@dataclass(frozen=True)
class Option:
    """A setting of a strategy."""

    name: str
    default: OptionValue
    meaning: str


@dataclass(frozen=True)
class StrategyKind:
    """An entry of the table: a strategy's name, options and constructor."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[Space, int, dict[str, OptionValue], Guide], Strategy]
    """Called with the space, a seed, a value for every option, and the guide."""
    learns: bool = False
    """Whether it learns from results, and so gains from good seeds."""


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
