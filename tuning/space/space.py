"""The search space of a schedule: its choices and its valid points.

A space does not hold a list of its points. The solver (`solving/`) generates them from
the constraints. A space can

- count its points, exactly or with an estimate that says so,
- iterate over them in a stable order, find the one at an index, and sample them,
- find the neighbours of a point,
- explain why a point is not valid.

    Space((
        Knob("BM", (64, 128)),
        Alternative("loads", ("pointers", "descriptors"), ((), (Knob("S", (2, 3)),))),
        Constraint(("BM", "S"), "BM * S <= 256", lambda values: ...),
    ))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import table_html
from tilewright.tuning.space.choices import (
    Alternative,
    Choice,
    Constraint,
    Item,
    Knob,
    Point,
    Value,
    always_open,
    check_choice,
    choices_in,
    constraints_in,
    describe_items,
    options_text,
)

if TYPE_CHECKING:
    import random

    from tilewright.tuning.space.solving.counts import Count
    from tilewright.tuning.space.solving.solver import Solver


@dataclass(frozen=True)
class Space:
    """Everything a schedule leaves open."""

    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        """Refuse a name that is declared twice with different options."""
        seen: dict[str, Choice] = {}
        for choice in choices_in(self.items):
            check_choice(choice)
            known = seen.setdefault(choice.name, choice)
            if type(known) is not type(choice) or known.options != choice.options:
                raise UserError(
                    f"'{choice.name}' is declared twice with different options: "
                    f"{options_text(known)} and {options_text(choice)}",
                    place=choice.place,
                    remedy="give them different names, or the same options",
                )

    @cached_property
    def choices(self) -> Mapping[str, Choice]:
        """All choices by name, conditional ones too, in the order of the schedule."""
        found: dict[str, Choice] = {}
        for choice in choices_in(self.items):
            found.setdefault(choice.name, choice)
        return found

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints that the values decide, in the order of the schedule."""
        return tuple(c for c in constraints_in(self.items) if c.is_counted)

    @cached_property
    def uncounted(self) -> tuple[Constraint, ...]:
        """The constraints that only a run decides."""
        return tuple(c for c in constraints_in(self.items) if not c.is_counted)

    @cached_property
    def conditional(self) -> frozenset[str]:
        """Names that are open only where some branch is taken."""
        return frozenset(self.choices) - always_open(self.items)

    @cached_property
    def _solver(self) -> Solver:
        from tilewright.tuning.space.solving.solver import Solver

        return Solver(self.items)

    @cached_property
    def _combinations(self) -> Solver:
        from tilewright.tuning.space.solving.solver import Solver

        return Solver(self.items, constrained=False)

    def combinations(self) -> Count:
        """The number of points if there were no constraints."""
        return self._combinations.count

    def size(self) -> int:
        """`combinations()` as a number."""
        return self.combinations().number

    def count(self) -> Count:
        """The number of valid points; an estimate for large spaces."""
        return replace(self._solver.count, is_bound=bool(self.uncounted))

    def count_valid(self) -> int:
        """`count()` as a number."""
        return self.count().number

    def is_exact(self) -> bool:
        """Whether the count is exact and `point_at` knows every point."""
        return self._solver.exact

    def points(
        self,
        picks: Mapping[str, Value] | None = None,
        rank: Callable[[str, Value], int] | None = None,
    ) -> Iterator[Point]:
        """Generate the valid points; the first choice varies slowest.

        With `picks`, only points that have these values; with `rank`, options of low
        rank come first. Raises a `UserError` where a bounded search cannot decide
        whether there are any.
        """
        from tilewright.tuning.space.solving.walking import UndecidedError

        try:
            yield from self._solver.points(picks, rank)
        except UndecidedError:
            raise self.nothing_valid() from None

    def excluded(self) -> Iterator[tuple[Choice, Value]]:
        """Options that the solver knows to be in no valid point."""
        for name, value in self._solver.excluded():
            yield self.choices[name], value

    def first(self) -> Point:
        """The first valid point."""
        for point in self.points():
            return point
        raise self.nothing_valid()

    def completed(self, point: Mapping[str, Value]) -> Point:
        """A point with the defaults, or first options, where it leaves choices open.

        Values of choices that it does not reach are dropped. It may not be valid.
        """

        def choose(choice: Choice) -> Value:
            default = choice.options[0] if choice.default is None else choice.default
            return point.get(choice.name, default)

        found, _ = self.assemble(choose, constrained=False)
        return found

    def default_point(self) -> Point | None:
        """The point of the defaults; None if a choice that it reaches has none.

        It may violate a constraint: `why_not` tells.
        """
        has_all = True

        def choose(choice: Choice) -> Value:
            nonlocal has_all
            has_all = has_all and choice.default is not None
            return choice.options[0] if choice.default is None else choice.default

        point, _ = self.assemble(choose, constrained=False)
        return point if point and has_all else None

    def point_at(self, index: int) -> Point:
        """The point at an index of `points()`, without generating those before it."""
        return self._solver.point_at(index)

    def sample(self, rng: random.Random) -> Point:
        """A valid point, each equally likely where the count is exact."""
        point = self._solver.sample(rng)
        if point is None:
            raise self.nothing_valid()
        return point

    def neighbours(self, point: Mapping[str, Value]) -> list[Point]:
        """The valid points that differ in one choice, the nearest options first.

        Where another branch opens choices that this point has no value for, those get
        their first valid values.
        """
        return self._solver.neighbours(point)

    def contains(self, point: Mapping[str, Value]) -> bool:
        """Whether this is a valid point, with a value for each open choice only."""
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
                    f"options are {options_text(choice)}"
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
        self, choose: Callable[[Choice], Value], *, constrained: bool = True
    ) -> tuple[Point, Constraint | None]:
        """Build a point by calling `choose` for each open choice in turn.

        Stops at the first constraint that fails, and returns it with the values so
        far: a sampler that proposes value by value learns nothing from the rest.
        Unless `constrained`, constraints are ignored.
        """
        bound: Point = {}
        waiting: dict[str, list[Constraint]] = {}
        unbound: dict[int, int] = {}

        def check(constraint: Constraint) -> Constraint | None:
            if not constrained:
                return None
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

    def _repr_html_(self) -> str:
        """The choices with their options and defaults, for notebooks."""
        rows = [
            (
                one.name,
                ", ".join(map(str, one.options)),
                "" if one.default is None else one.default,
                "in a branch" if one.name in self.conditional else "",
            )
            for one in self.choices.values()
        ]
        title = f"{self.count().of('valid point')} of {self.combinations()}"
        return table_html(title, ["choice", "options", "default", ""], rows)

    def describe(self) -> str:
        """The space as indented text: choices, branches, constraints, counts."""
        size = self.combinations()
        lines = [*describe_items(self.items, "")]
        lines.append(f"{self.count().of('valid point')} of {size}")
        return "\n".join(lines)


def space_of(options: Mapping[str, Sequence[Value]]) -> Space:
    """A plain space from a dict of lists: no conditions, no constraints."""
    return Space(tuple(Knob(name, tuple(values)) for name, values in options.items()))
