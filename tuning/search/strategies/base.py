"""What a search strategy is: it proposes points and is told what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    import random

    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OptionValue: TypeAlias = int | float | bool | str


class Strategy(Protocol):
    """A search in progress."""

    def ask(self, count: int) -> list[Point]:
        """Up to `count` valid points, none proposed before; none means exhausted."""
        ...

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """How long a point took; None where it did not run.

        Points that were never asked for are welcome too: results of an earlier search.
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
    """A strategy in the table: how it is called, set up and made."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[Space, int, dict[str, OptionValue]], Strategy]
    """From the space, a seed, and a value for every option."""
    learns: bool = False
    """Whether it goes by what it is told, and so gains from a good start."""


def shuffled(count: int, rng: random.Random) -> Iterator[int]:
    """The numbers below `count` in random order, however many there are.

    Fisher and Yates' shuffle that stores only what has moved: a space of 10^12 points
    costs as much as the points drawn from it.
    """
    moved: dict[int, int] = {}
    for left in range(count, 0, -1):
        pick = rng.randrange(left)
        yield moved.get(pick, pick)
        moved[pick] = moved.pop(left - 1, left - 1)


def unseen(space: Space, rng: random.Random) -> Iterator[Point]:
    """Valid points in random order, none twice.

    Where the points cannot be counted they are drawn, until only known ones come up;
    what is left then follows in the order of the space.
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
"""Points drawn in a row that are all known, before drawing ends."""
