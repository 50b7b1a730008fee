"""The valid point nearest to a wanted one: a point of another space, solved in this.

The wanted point comes from another shape, device or version of a schedule, so some of
its values may not be options here, or violate a constraint. Structure (the branches of
alternatives) is kept before numbers; among numbers, the sum of their distances counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tilewright.tuning.space.choices import Alternative, Choice, Point, Value

if TYPE_CHECKING:
    from tilewright.tuning.space.space import Space

ENUMERATED = 3000
"""The most points of a space that are all compared."""

_OTHER_BRANCH = 16.0
"""The distance to another branch: more than a few numbers are apart."""
_UNASKED = 1 / 64
"""The weight of a choice that the wanted point leaves open, towards its default."""


def nearest_point(space: Space, wanted: Mapping[str, Value]) -> Point | None:
    """The valid point that is nearest; None if the space has none.

    Exact for spaces of up to `ENUMERATED` points. In a larger one it is the end of a
    walk: greedy, choice by choice, then by neighbours as long as they are nearer.
    """
    exact = space.completed({**_defaults(space), **_clipped(space, wanted)})
    if space.contains(exact):
        return exact
    if space.is_exact() and space.count_valid() <= ENUMERATED:
        points = space.points()
        return min(points, key=lambda p: distance(space, p, wanted), default=None)
    return _walk(space, wanted)


def distance(
    space: Space, point: Mapping[str, Value], wanted: Mapping[str, Value]
) -> float:
    """How far a point of a space is from a wanted one."""
    return sum(
        _distance(space.choices[name], value, wanted) for name, value in point.items()
    )


def _walk(space: Space, wanted: Mapping[str, Value]) -> Point | None:
    """A valid point near the wanted one; not always the nearest."""
    ranks: dict[str, dict[Value, int]] = {}
    for name, choice in space.choices.items():
        ordered = sorted(
            choice.options, key=lambda o, c=choice: _distance(c, o, wanted)
        )
        ranks[name] = {option: rank for rank, option in enumerate(ordered)}
    point = next(space.points(rank=lambda name, value: ranks[name][value]), None)
    for _ in range(60):
        if point is None:
            return None
        here = distance(space, point, wanted)
        best = min(
            space.neighbours(point),
            key=lambda p: distance(space, p, wanted),
            default=point,
        )
        if distance(space, best, wanted) >= here:
            break
        point = best
    return point


def _clipped(space: Space, wanted: Mapping[str, Value]) -> Point:
    """The wanted values, each as the nearest option of its choice."""
    return {
        name: min(choice.options, key=lambda option: _distance(choice, option, wanted))
        for name, choice in space.choices.items()
        if name in wanted
    }


def _defaults(space: Space) -> Point:
    return {n: c.default for n, c in space.choices.items() if c.default is not None}


def _distance(choice: Choice, value: Value, wanted: Mapping[str, Value]) -> float:
    goal = wanted.get(choice.name)
    weight = 1.0
    if goal is None:
        goal, weight = choice.default, _UNASKED
    if goal is None or goal == value:
        return 0.0
    if isinstance(choice, Alternative):
        return weight * _OTHER_BRANCH
    if isinstance(goal, str) or isinstance(value, str):
        return weight
    return weight * abs(_scaled(float(value)) - _scaled(float(goal)))


def _scaled(number: float) -> float:
    """A number on the scale of its logarithm; 0 is one step below 1."""
    return math.copysign(math.log2(2 * abs(number)), number) if number else 0.0
