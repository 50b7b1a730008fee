"""The guide of a search: what can be known of a point before it is measured.

A run builds the point and asks a cost model; a replay reads what was recorded. Building
takes time. A guide waits for it only while the compilers have work; a strategy asks
again about a point whose estimate is not known yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point

Description: TypeAlias = Mapping[str, float]
"""The features of a point's program, by name: tiles, traffic, terms of a model."""


class Guide(Protocol):
    """Describes points and estimates their times."""

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The description of each point; None where it cannot be built."""
        ...

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The estimated milliseconds of each point; None where they are not known yet.

        They are infinite where the point cannot be built, or does not fit the target.
        """
        ...


class NoGuide:
    """Knows nothing: for spaces without programs."""

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """No description."""
        return [None] * len(points)

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """No estimate."""
        return [None] * len(points)
