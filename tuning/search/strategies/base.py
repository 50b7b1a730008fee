"""The interface of a search strategy, which proposes points and is told their times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
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
    learns: bool = True
    """Whether results decide what it proposes."""
