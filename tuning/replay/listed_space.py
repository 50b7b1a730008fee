"""A search space without a schedule: the points of a list, and no others."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.errors import UserError
from tilewright.tuning.space.choices import Constraint, Knob, Point, Value, canonical
from tilewright.tuning.space.space import Space


def listed_space(name: str, points: Sequence[Point]) -> Space:
    """The choices are the values that the points have; only these points are valid."""
    names = tuple(points[0]) if points else ()
    if not names or any(set(point) != set(names) for point in points):
        raise UserError(
            f"'{name}' has no schedule, and its points have different choices",
            remedy="replay a recording that has the schedule",
        )
    known = {canonical(point) for point in points}

    def is_listed(values: Sequence[Value]) -> bool:
        return canonical(dict(zip(names, values, strict=True))) in known

    knobs = [Knob(choice, _options(choice, points)) for choice in names]
    return Space((*knobs, Constraint(names, "the point is recorded", is_listed)))


def _options(name: str, points: Sequence[Point]) -> tuple[Value, ...]:
    found = {point[name]: None for point in points}
    return tuple(sorted(found, key=lambda value: (isinstance(value, str), value)))
