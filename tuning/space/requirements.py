"""Findings about requirements: those that always hold, never hold, or contradict.

A requirement that always holds is probably mistyped. One that never holds leaves no
valid point. Where several requirements contradict each other, the error names as few of
them as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from tilewright.ir.errors import Note, UserError
from tilewright.tuning.space.choices import REQUIRE, Alternative, Constraint, Item
from tilewright.tuning.space.space import Space

_MOST = 20_000
"""Most combinations of values that are tried; a larger requirement is not checked."""

_MOST_TOGETHER = 24
"""Most requirements among which contradicting ones are searched for."""


_REMEDIES = {
    "compute": "round with floordiv(a, b) or cdiv(a, b)",
    "knob": "bound its options differently",
}
"""What to change where a statement other than `require` needs the condition."""


def requirement_errors(space: Space) -> list[UserError]:
    """Errors for requirements that leave no valid point, each at its place."""
    never = [
        UserError(
            f"{each.verb}: '{each.text}' never holds{_for_any(each)}",
            each.place,
            _remedy(each),
        )
        for each in dict.fromkeys(space.constraints)
        if _outcomes(space, each) == {False}
    ]
    if never or next(space.points(), None) is not None:
        # In a branch, such a requirement excludes only that branch; it is an error too.
        return never
    return [_contradiction(space)]


def requirement_warnings(space: Space) -> Iterator[UserError]:
    """Warnings about written requirements that hold for all values."""
    for each in dict.fromkeys(space.constraints):
        if (
            each.verb == REQUIRE
            and not each.measured
            and _outcomes(space, each) == {True}
        ):
            yield UserError(
                f"require: '{each.text}' always holds{_for_any(each)}",
                each.place,
                "leave it out, or correct it",
            )


def excluded_options(space: Space) -> Iterator[UserError]:
    """Warnings about options that the requirements exclude from all points.

    Bounds in a list of options, and numbers of the payload, are there to exclude some.
    """
    kept = [c for c in space.constraints if c.verb != "knob" and not c.measured]
    for choice, value in Space(_only(space.items, kept)).excluded():
        yield UserError(
            f"no valid point has {choice.name} = {value}: the requirements exclude it",
            choice.place,
            "leave it out, or relax a requirement",
        )


def _remedy(constraint: Constraint) -> str:
    if constraint.measured and not constraint.names:
        return (
            "this schedule is for other payloads; match other ops, or use another one"
        )
    first = _REMEDIES.get(constraint.verb, "relax it")
    return f"{first}, or give the knobs other options"


def _for_any(constraint: Constraint) -> str:
    words = ""
    if constraint.names:
        words = f", for any option of {', '.join(constraint.names)}"
    if constraint.measured:
        values = [f"{text} = {number}" for text, number in constraint.measured]
        words += f", as {' and '.join(values)} in this payload"
    return words


def _outcomes(space: Space, constraint: Constraint) -> set[bool]:
    """The values that a requirement can have; empty where there are too many to try."""
    options = [space.choices[name].options for name in constraint.names]
    if prod(map(len, options)) > _MOST:
        return set()
    found: set[bool] = set()
    for values in product(*options):
        found.add(constraint.holds(values))
        if len(found) == 2:
            break
    return found


def _contradiction(space: Space) -> UserError:
    """An error for requirements that cannot hold together, as few as possible."""
    kept = list(dict.fromkeys(space.constraints))
    if len(kept) > _MOST_TOGETHER:
        return space.nothing_valid()
    for each in list(kept):
        fewer = [other for other in kept if other is not each]
        if not _has_point(_only(space.items, fewer)):
            kept = fewer
    if not kept:
        return space.nothing_valid()
    *others, last = kept
    notes = [Note(f"'{each.text}' is required here", each.place) for each in others]
    return UserError(
        f"{last.verb}: '{last.text}' cannot hold together with "
        + " and ".join(f"'{each.text}'" for each in others),
        last.place,
        "relax one of them, or give the knobs other options",
        notes,
    )


def _has_point(items: Sequence[Item]) -> bool:
    return next(Space(tuple(items)).points(), None) is not None


def _only(items: Sequence[Item], kept: Sequence[Constraint]) -> tuple[Item, ...]:
    """The region with only the requirements in `kept`."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Constraint):
            if item in kept:
                found.append(item)
        elif isinstance(item, Alternative):
            branches = tuple(_only(branch, kept) for branch in item.branches)
            found.append(Alternative(item.name, item.labels, branches, item.place))
        else:
            found.append(item)
    return tuple(found)
