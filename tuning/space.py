"""The search space: numbers to pick, branches to take, and constraints between them.

A region is a tuple of items. Knobs and alternatives are choices; what stands in a
branch of an alternative is open only where that branch is taken; a constraint holds in
the region it stands in. Naming a choice twice is the same choice.

    Space((
        Knob("BM", (64, 128)),
        Alternative("loads", ("pointers", "descriptors"), ((), (Knob("S", (2, 3)),))),
        Constraint(("BM", "S"), "BM * S <= 256", lambda values: ...),
    ))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tilewright.ir.errors import Place, UserError

if TYPE_CHECKING:
    import random

    from tilewright.tuning.enumeration import Enumeration

Value: TypeAlias = int | float | bool | str
Point: TypeAlias = dict[str, Value]


@dataclass(frozen=True)
class Knob:
    """A value to pick from a list."""

    name: str
    options: tuple[Value, ...]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Alternative:
    """A branch to take; each branch brings choices and constraints of its own."""

    name: str
    labels: tuple[str, ...]
    branches: tuple[tuple[Item, ...], ...]
    place: Place | None = field(default=None, compare=False)

    @property
    def options(self) -> tuple[str, ...]:
        """The labels, under the name a knob has for them."""
        return self.labels


@dataclass(frozen=True)
class Constraint:
    """A condition on chosen values; `holds` takes them in the order of `names`."""

    names: tuple[str, ...]
    text: str
    holds: Callable[[Sequence[Value]], bool] = field(compare=False)
    place: Place | None = field(default=None, compare=False)


Choice: TypeAlias = Knob | Alternative
Item: TypeAlias = Knob | Alternative | Constraint


@dataclass(frozen=True)
class Space:
    """Everything a schedule leaves open."""

    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be a space: a name with two meanings, nothing to pick."""
        seen: dict[str, Choice] = {}
        for choice in choices_in(self.items):
            _check_choice(choice)
            known = seen.setdefault(choice.name, choice)
            if type(known) is not type(choice) or known.options != choice.options:
                raise UserError(
                    f"'{choice.name}' is declared twice with different options: "
                    f"{_options(known)} and {_options(choice)}",
                    place=choice.place,
                    remedy="give them different names, or the same options",
                )

    @cached_property
    def choices(self) -> Mapping[str, Choice]:
        """Every choice by name, in the order of the schedule, conditional ones too."""
        found: dict[str, Choice] = {}
        for choice in choices_in(self.items):
            found.setdefault(choice.name, choice)
        return found

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint, in the order of the schedule."""
        return tuple(constraints_in(self.items))

    @cached_property
    def conditional(self) -> frozenset[str]:
        """Names that are open only where some branch is taken."""
        return frozenset(self.choices) - _always(self.items)

    @cached_property
    def _enumeration(self) -> Enumeration:
        from tilewright.tuning.enumeration import Enumeration

        return Enumeration(self.items)

    def size(self) -> int:
        """Number of points, constraints left aside."""
        from tilewright.tuning.enumeration import Enumeration

        return Enumeration(without_constraints(self.items)).count()

    def count_valid(self) -> int:
        """Number of points that satisfy the constraints."""
        return self._enumeration.count()

    def points(self) -> Iterator[Point]:
        """Every valid point, the first choice varying slowest."""
        return self._enumeration.points()

    def point_at(self, index: int) -> Point:
        """The point at a position of `points()`, without making those before it."""
        return self._enumeration.point_at(index)

    def sample(self, rng: random.Random) -> Point:
        """A valid point, each equally likely."""
        count = self.count_valid()
        if count == 0:
            raise self.nothing_valid()
        return self.point_at(rng.randrange(count))

    def contains(self, point: Mapping[str, Value]) -> bool:
        """Whether this is a valid point, with nothing missing and nothing over."""
        return self.why_not(point) is None

    def why_not(self, point: Mapping[str, Value]) -> str | None:
        """Why this is not a point of the space, or None if it is."""
        taken: set[str] = set()
        missing: list[str] = []

        def take(choice: Choice) -> Value:
            if choice.name not in point:
                missing.append(f"'{choice.name}' has no value")
                return choice.options[0]
            taken.add(choice.name)
            if point[choice.name] not in choice.options:
                missing.append(
                    f"'{choice.name}' cannot be {point[choice.name]!r}: "
                    f"options are {_options(choice)}"
                )
                return choice.options[0]
            return point[choice.name]

        _, violated = self.assemble(take)
        if missing:
            return missing[0]
        if violated is not None:
            return f"constraint not satisfied: {violated.text}"
        for name in point:
            if name not in taken:
                return (
                    f"'{name}' is not open in the branches taken"
                    if name in self.choices
                    else f"the schedule has no choice '{name}'"
                )
        return None

    def assemble(
        self, choose: Callable[[Choice], Value]
    ) -> tuple[Point, Constraint | None]:
        """A point made by asking `choose` for each open choice in turn.

        Stops at the first constraint that fails and returns it beside what was chosen
        so far: a sampler that proposes value by value learns nothing from the rest.
        """
        return self._enumeration.assemble(choose)

    def nothing_valid(self) -> UserError:
        """The error for a space whose constraints leave no point."""
        texts = "; ".join(constraint.text for constraint in self.constraints)
        return UserError(
            f"no point of the space satisfies its constraints ({texts})",
            remedy="relax a constraint or widen the options",
        )

    def describe(self) -> str:
        """The space as indented text: choices, branches, constraints, counts."""
        size, valid = self.size(), self.count_valid()
        lines = [*_describe(self.items, "")]
        lines.append(f"{valid} valid points of {size}")
        return "\n".join(lines)


def canonical(point: Mapping[str, Value]) -> str:
    """The point as JSON that is equal for equal points, whatever their order."""
    return json.dumps(dict(point), sort_keys=True, separators=(",", ":"))


def space_of(options: Mapping[str, Sequence[Value]]) -> Space:
    """A plain space from a dict of lists: no conditions, no constraints."""
    return Space(tuple(Knob(name, tuple(values)) for name, values in options.items()))


def choices_in(items: Sequence[Item]) -> Iterator[Choice]:
    """Every choice of a region and of the branches in it."""
    for item in items:
        if isinstance(item, Constraint):
            continue
        yield item
        if isinstance(item, Alternative):
            for branch in item.branches:
                yield from choices_in(branch)


def constraints_in(items: Sequence[Item]) -> Iterator[Constraint]:
    """Every constraint of a region and of the branches in it."""
    for item in items:
        if isinstance(item, Constraint):
            yield item
        elif isinstance(item, Alternative):
            for branch in item.branches:
                yield from constraints_in(branch)


def without_constraints(items: Sequence[Item]) -> tuple[Item, ...]:
    """The region with its choices alone."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Knob):
            kept.append(item)
        elif isinstance(item, Alternative):
            branches = tuple(without_constraints(branch) for branch in item.branches)
            kept.append(Alternative(item.name, item.labels, branches, item.place))
    return tuple(kept)


def _check_choice(choice: Choice) -> None:
    kind = "knob" if isinstance(choice, Knob) else "alternative"
    if not choice.options:
        raise UserError(f"{kind} '{choice.name}' has no options", place=choice.place)
    # 1 and True are equal to Python but not to a person: compare with the type.
    if len({(type(option), option) for option in choice.options}) < len(choice.options):
        raise UserError(
            f"{kind} '{choice.name}' lists an option twice: {_options(choice)}",
            place=choice.place,
        )
    if isinstance(choice, Alternative) and len(choice.labels) != len(choice.branches):
        raise UserError(
            f"alternative '{choice.name}' has {len(choice.branches)} branches and "
            f"{len(choice.labels)} labels",
            place=choice.place,
        )


def _always(items: Sequence[Item]) -> frozenset[str]:
    """Names that are open whatever is chosen: also those that every branch has."""
    names: set[str] = set()
    for item in items:
        if isinstance(item, Constraint):
            continue
        names.add(item.name)
        if isinstance(item, Alternative):
            names |= frozenset.intersection(*map(_always, item.branches))
    return frozenset(names)


def _describe(items: Sequence[Item], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, Constraint):
            yield f"{indent}require {item.text}"
        elif isinstance(item, Knob):
            yield f"{indent}{item.name} in {_options(item)}"
        else:
            yield f"{indent}choose {item.name}"
            for label, branch in zip(item.labels, item.branches, strict=True):
                yield f"{indent}  {label}"
                yield from _describe(branch, indent + "    ")


def _options(choice: Choice) -> str:
    return "[" + ", ".join(str(option) for option in choice.options) + "]"
