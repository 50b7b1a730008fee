"""The search space: numbers to pick, branches to take, and constraints between them.

A space is never listed: its constraints generate the points (`solving/`). It counts
them, exactly or with an estimate that says so, walks them one by one in a stable order,
draws them, finds the first, the one at an index and the neighbours of one, and says why
a point is none of its own.

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

    from tilewright.transforms.control.choices.formulas import Formula
    from tilewright.tuning.space.solving.counts import Count
    from tilewright.tuning.space.solving.solver import Solver

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
    formula: Formula | None = None
    """The same as data, if it is known: then it also tells of choices half made."""


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
    def _solver(self) -> Solver:
        from tilewright.tuning.space.solving.solver import Solver

        return Solver(self.items)

    @cached_property
    def _combinations(self) -> Solver:
        from tilewright.tuning.space.solving.solver import Solver

        return Solver(self.items, constrained=False)

    def combinations(self) -> Count:
        """Number of points, constraints left aside."""
        return self._combinations.count

    def size(self) -> int:
        """The same as a number."""
        return self.combinations().number

    def count(self) -> Count:
        """Number of points that satisfy the constraints, exactly or about."""
        return self._solver.count

    def count_valid(self) -> int:
        """The same as a number; an estimate where `count()` says so."""
        return self.count().number

    def is_exact(self) -> bool:
        """Whether the count is exact and `point_at` knows every point."""
        return self._solver.exact

    def points(
        self,
        picks: Mapping[str, Value] | None = None,
        rank: Callable[[str, Value], int] | None = None,
    ) -> Iterator[Point]:
        """Every valid point, the first choice varying slowest, made when asked for.

        With `picks`, those that have these values; with `rank`, options of a low rank
        come first. Where a bounded search does not tell whether there are any, that is
        an error.
        """
        from tilewright.tuning.space.solving.walking import UndecidedError

        try:
            yield from self._solver.points(picks, rank)
        except UndecidedError:
            raise self.nothing_valid() from None

    def excluded(self) -> Iterator[tuple[Choice, Value]]:
        """Options that no valid point has, as far as that is known."""
        for name, value in self._solver.excluded():
            yield self.choices[name], value

    def first(self) -> Point:
        """The first valid point."""
        for point in self.points():
            return point
        raise self.nothing_valid()

    def point_at(self, index: int) -> Point:
        """The point at a position of `points()`, without making those before it."""
        return self._solver.point_at(index)

    def sample(self, rng: random.Random) -> Point:
        """A valid point, each equally likely where the count is exact."""
        point = self._solver.sample(rng)
        if point is None:
            raise self.nothing_valid()
        return point

    def neighbours(self, point: Mapping[str, Value]) -> list[Point]:
        """The valid points that differ in one choice, those with near options first.

        Where another branch opens choices that this point has no value for, they get
        the first values that are valid.
        """
        return self._solver.neighbours(point)

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
        bound: Point = {}
        waiting: dict[str, list[Constraint]] = {}
        unbound: dict[int, int] = {}

        def check(constraint: Constraint) -> Constraint | None:
            values = [bound[name] for name in constraint.names]
            return None if constraint.holds(values) else constraint

        def require(constraint: Constraint) -> Constraint | None:
            if id(constraint) in unbound:
                return None
            missing = {name for name in constraint.names if name not in bound}
            unbound[id(constraint)] = len(missing)
            for name in missing:
                waiting.setdefault(name, []).append(constraint)
            return None if missing else check(constraint)

        def bind(choice: Choice) -> Constraint | None:
            if choice.name in bound:
                return None
            bound[choice.name] = choose(choice)
            for constraint in waiting.pop(choice.name, ()):
                unbound[id(constraint)] -= 1
                if not unbound[id(constraint)] and check(constraint) is not None:
                    return constraint
            return None

        stack: list[Iterator[Item]] = [iter(self.items)]
        while stack:
            item = next(stack[-1], None)
            if item is None:
                stack.pop()
                continue
            failed = require(item) if isinstance(item, Constraint) else bind(item)
            if failed is not None:
                return bound, failed
            if isinstance(item, Alternative):
                taken = item.labels.index(str(bound[item.name]))
                stack.append(iter(item.branches[taken]))
        return bound, None

    def nothing_valid(self) -> UserError:
        """The error for a space whose constraints leave no point."""
        texts = "; ".join(constraint.text for constraint in self.constraints)
        if not self.is_exact():
            return UserError(
                "no point of the space was found that satisfies its constraints "
                f"({texts}); the search ended before it had seen all",
                remedy="choose some values with --set, or relax a constraint",
            )
        return UserError(
            f"no point of the space satisfies its constraints ({texts})",
            remedy="relax a constraint or widen the options",
        )

    def describe(self) -> str:
        """The space as indented text: choices, branches, constraints, counts."""
        size = self.combinations()
        lines = [*_describe(self.items, "")]
        count = self.count()
        lines.append(f"{count} valid point{'' if count.is_one else 's'} of {size}")
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
            yield f"{indent}require {_shortened(item.text)}"
        elif isinstance(item, Knob):
            yield f"{indent}{item.name} in {_options(item)}"
        else:
            yield f"{indent}choose {item.name}"
            for label, branch in zip(item.labels, item.branches, strict=True):
                yield f"{indent}  {label}"
                yield from _describe(branch, indent + "    ")


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


_LONGEST = 400
"""Characters of a constraint that are shown."""
_SHOWN = 12
"""Options that are listed; of more the first ones are, and the number of all."""


def _options(choice: Choice) -> str:
    shown = [str(option) for option in choice.options[:_SHOWN]]
    if len(choice.options) > _SHOWN:
        shown.append(f"... {len(choice.options)} in all")
    return "[" + ", ".join(shown) + "]"
