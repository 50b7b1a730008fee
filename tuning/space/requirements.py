"""Requirements that say nothing, or that nothing satisfies.

A requirement that always holds is probably mistyped; one that never holds leaves no
point. Where requirements contradict each other only together, the error names as few of
them as it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from tilewright.ir.errors import Note, UserError
from tilewright.tuning.space.choices import Alternative, Constraint, Item
from tilewright.tuning.space.space import Space

_MOST = 20_000
"""Values of a requirement that are tried; larger ones are not judged."""

_MOST_TOGETHER = 24
"""Requirements of which the contradicting ones are looked for."""


def requirement_errors(space: Space) -> list[UserError]:
    """Requirements that leave no valid point, each at its place."""
    never = [
        UserError(
            f"require: '{each.text}' never holds{_for_any(each)}",
            each.place,
            "relax it, or give the knobs other options",
        )
        for each in dict.fromkeys(space.constraints)
        if _outcomes(space, each) == {False}
    ]
    if never or next(space.points(), None) is not None:
        # In a branch it excludes the branch only; a person still wants to know.
        return never
    return [_contradiction(space)]


def requirement_warnings(space: Space) -> Iterator[UserError]:
    """Requirements that hold whatever is chosen."""
    for each in dict.fromkeys(space.constraints):
        if _outcomes(space, each) == {True}:
            yield UserError(
                f"require: '{each.text}' always holds{_for_any(each)}",
                each.place,
                "leave it out, or correct it",
            )


def _for_any(constraint: Constraint) -> str:
    if not constraint.names:
        return ""
    return f", for any option of {', '.join(constraint.names)}"


def _outcomes(space: Space, constraint: Constraint) -> set[bool]:
    """What a requirement may come to; empty where there is too much to try."""
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
    """Requirements that cannot hold together, as few as possible."""
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
        f"require: '{last.text}' cannot hold together with "
        + " and ".join(f"'{each.text}'" for each in others),
        last.place,
        "relax one of them, or give the knobs other options",
        notes,
    )


def _has_point(items: Sequence[Item]) -> bool:
    return next(Space(tuple(items)).points(), None) is not None


def _only(items: Sequence[Item], kept: Sequence[Constraint]) -> tuple[Item, ...]:
    """The region with some of its requirements."""
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
