"""Counting, walking, addressing and drawing the valid points of a space.

Every choice is a variable, in the order of the schedule; one that stands in branches
has a value more, *not open*, and a condition that ties it to the branches taken. The
conditions fall apart into components that share no choice, so that the number of points
is a product, and each is a diagram of its own (`components.py`). Nothing here makes the
list of all points.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING

from tilewright.tuning.solving.components import Component, Restriction, State
from tilewright.tuning.solving.estimation import draw, estimate, magnitude
from tilewright.tuning.solving.residuals import Domain, Node, Residuals, bits
from tilewright.tuning.space import Alternative, Choice, Constraint, Item

if TYPE_CHECKING:
    from tilewright.tuning.space import Point, Value

_WORK_OF_BUILD = 100_000
"""Options tried to build all diagrams, under a second; what is left is estimated."""
_WORK_OF_SEARCH = 60_000
"""Options tried to find one point where the diagram was not built."""
_LONGEST = 10**21
"""Counts below are written with all their digits."""


@dataclass(frozen=True)
class Count:
    """How many points there are."""

    number: int
    error: float = 0.0
    """The relative standard error; 0 where the number is exact."""
    exact: bool = True

    @property
    def is_one(self) -> bool:
        """Whether a noun after it is singular."""
        return self.number == 1

    def __str__(self) -> str:
        """`576`, `4.1e+30`, or `about 3.2e+11 (+- 4%, estimated)`."""
        if self.error == inf:
            return "at least 1" if self.number else "an unknown number of"
        shown = str(self.number) if self.number < _LONGEST else magnitude(self.number)
        if self.exact:
            return shown
        if self.number > 10**6:
            shown = magnitude(self.number)
        percent = max(1, round(200 * self.error)) if self.error < 10 else 1000
        return f"about {shown} (+- {percent}%, estimated)"


Rank = Callable[[str, "Value"], int]
"""Where options of a choice come in an order: its name and the option."""

Path = tuple[tuple[str, int], ...]
"""The branches that lead to an item: alternatives and the branches of them."""


class Solver:
    """The valid points of a region."""

    def __init__(self, items: Sequence[Item], constrained: bool = True) -> None:
        """Without `constrained`, every combination of what is open counts."""
        self._choices: list[Choice] = []
        self._numbers: dict[str, int] = {}
        self._paths: list[list[Path]] = []
        constraints: list[tuple[Constraint, Path]] = []
        self._collect(items, (), constraints)
        self._domains = [
            _domain(choice, () not in paths)
            for choice, paths in zip(self._choices, self._paths, strict=True)
        ]
        self._residuals = Residuals(self._domains)
        self._options = [domain.everything for domain in self._domains]
        self._impossible = False
        conditions = [
            *self._activations(),
            *(self._conditions(constraints) if constrained else ()),
        ]
        self.components = self._components(self._filtered(conditions))
        self.component_of = {
            choice: number
            for number, component in enumerate(self.components)
            for choice in component.choices
        }
        self._build()

    # -- the variables and their conditions --------------------------------------

    def _collect(
        self,
        items: Sequence[Item],
        path: Path,
        constraints: list[tuple[Constraint, Path]],
    ) -> None:
        for item in items:
            if isinstance(item, Constraint):
                constraints.append((item, path))
                continue
            number = self._numbers.setdefault(item.name, len(self._choices))
            if number == len(self._choices):
                self._choices.append(item)
                self._paths.append([])
            self._paths[number].append(path)
            if isinstance(item, Alternative):
                for position, branch in enumerate(item.branches):
                    inner = (*path, (item.name, position))
                    self._collect(branch, inner, constraints)

    def _taken(self, path: Path) -> Node:
        """Whether the branches that lead somewhere are all taken."""
        picks = self._residuals.picks
        return self._residuals.all_of(
            [picks(self._numbers[name], option) for name, option in path]
        )

    def _activations(self) -> Iterator[Node]:
        """A choice has a value where one of its places is reached, and only there."""
        residuals = self._residuals
        for number, paths in enumerate(self._paths):
            if () in paths:
                continue
            closed = residuals.picks(number, self._domains[number].none)
            reached = residuals.any_of([self._taken(path) for path in paths])
            yield residuals.any_of([closed, reached])
            yield residuals.any_of(
                [residuals.negation(closed), residuals.negation(reached)]
            )

    def _conditions(
        self, constraints: Sequence[tuple[Constraint, Path]]
    ) -> Iterator[Node]:
        residuals = self._residuals
        for constraint, path in constraints:
            if not all(name in self._numbers for name in constraint.names):
                continue
            choices = [self._numbers[name] for name in constraint.names]
            if constraint.formula is not None:
                node = residuals.formula(constraint.formula, choices)
            else:
                holds = constraint.holds
                node = residuals.call(lambda *v, f=holds: f(v), choices)
            void = [residuals.negation(self._taken(path))]
            for choice in choices:
                void += self._void(choice, constraint.formula is not None)
            root = residuals.any_of([*void, node])
            # Conditions that all hold may belong to different components.
            yield from root.parts if root.kind == "all" else (root,)

    def _void(self, choice: int, needs_number: bool) -> Iterator[Node]:
        """When a constraint on a choice has nothing to say: it is not open, or text."""
        domain = self._domains[choice]
        for option, number in enumerate(domain.numbers):
            if option == domain.none or (needs_number and number is None):
                yield self._residuals.picks(choice, option)

    def _filtered(self, conditions: Sequence[Node]) -> list[Node]:
        """The conditions on several choices; the others take options away at once."""
        kept: list[Node] = []
        for condition in dict.fromkeys(conditions):
            if condition.kind == "constant":
                self._impossible |= not condition.low
            elif condition.mask & (condition.mask - 1):
                kept.append(condition)
            else:
                choice = condition.mask.bit_length() - 1
                self._options[choice] &= self._residuals.allowed(condition)
        self._impossible |= not all(self._options)
        return kept

    def _components(self, conditions: Sequence[Node]) -> list[Component]:
        parent = list(range(len(self._choices)))

        def root(choice: int) -> int:
            while parent[choice] != choice:
                parent[choice] = parent[parent[choice]]
                choice = parent[choice]
            return choice

        for condition in conditions:
            first, *others = bits(condition.mask)
            for other in others:
                parent[root(other)] = root(first)
        groups: dict[int, tuple[list[int], list[Node]]] = {}
        for choice in range(len(self._choices)):
            groups.setdefault(root(choice), ([], []))[0].append(choice)
        for condition in conditions:
            lowest = (condition.mask & -condition.mask).bit_length() - 1
            groups[root(lowest)][1].append(condition)
        return [
            Component(
                self._residuals, choices, own, {c: self._options[c] for c in choices}
            )
            for choices, own in groups.values()
        ]

    def _build(self) -> None:
        """Build every diagram that can be, the small ones first."""
        if self._impossible:
            return
        left = _WORK_OF_BUILD
        for component in sorted(self.components, key=lambda c: len(c.choices)):
            before = self._residuals.work
            component.build(max(left, 2_000))
            left -= self._residuals.work - before

    # -- how many ----------------------------------------------------------------

    @property
    def exact(self) -> bool:
        """Whether the count is exact, and every point has an index."""
        return self._impossible or all(c.exact for c in self.components)

    @cached_property
    def count(self) -> Count:
        """How many valid points there are, exactly or about."""
        if self._impossible:
            return Count(0)
        number, error = 1, 0.0
        for component in self.components:
            if component.exact:
                number *= component.start.count
                continue
            guess = estimate(component)
            number *= guess.whole()
            error += guess.error**2
        if self.exact or any(c.exact and not c.start.count for c in self.components):
            return Count(number)
        if number == 0:
            # No run came to an end: whether there is any point a search may say.
            found = self._any()
            return Count(0) if found is False else Count(int(bool(found)), inf, False)
        return Count(number, sqrt(error), False)

    def _any(self) -> bool | None:
        """Whether there is a point; None where the search did not end."""
        found = [c.search(c.start, _WORK_OF_SEARCH) for c in self.components]
        if False in found:
            return False
        return None if None in found else True

    # -- points ------------------------------------------------------------------

    def points(
        self,
        picks: Mapping[str, Value] | None = None,
        rank: Rank | None = None,
    ) -> Iterator[Point]:
        """Every valid point, the first choice varying slowest, made when asked for.

        With `picks`, those that have these values; with `rank`, options of a low rank
        come first. Raises `UndecidedError` where a search does not find the first.
        """
        walk = _Walk(self, self._restriction(picks or {}), rank)
        if self._impossible or not walk.begins():
            return
        total = len(self._choices)
        if total == 0:
            yield {}
            return
        states = [component.start for component in self.components]
        chosen = [0] * total
        before: list[State] = []
        walks = [walk.steps(0, states)]
        while walks:
            choice = len(walks) - 1
            owner = self.component_of[choice]
            if len(before) > choice:
                states[owner] = before.pop()
            step = next(walks[-1], None)
            if step is None:
                walks.pop()
                continue
            before.append(states[owner])
            chosen[choice], states[owner] = step
            if choice == total - 1:
                yield self._point(chosen)
            else:
                walks.append(walk.steps(choice + 1, states))

    def _restriction(self, picks: Mapping[str, Value]) -> dict[int, int]:
        found: dict[int, int] = {}
        for name, value in picks.items():
            number = self._numbers[name]
            options = self._choices[number].options
            found[number] = sum(
                1 << position
                for position, option in enumerate(options)
                if option == value and type(option) is type(value)
            )
        return found

    def ranked(
        self, choice: int, steps: Iterator[tuple[int, State]], rank: Rank
    ) -> list[tuple[int, State]]:
        """The options of a choice, those of a low rank first."""
        name, options = self._choices[choice].name, self._choices[choice].options

        def key(step: tuple[int, State]) -> int:
            return rank(name, options[step[0]]) if step[0] < len(options) else 0

        return sorted(steps, key=key)

    def excluded(self) -> Iterator[tuple[str, Value]]:
        """Options that no valid point has, as far as the diagrams tell."""
        for component in self.components:
            if not component.exact or self._impossible:
                continue
            for choice, carried in component.carried().items():
                name, options = (
                    self._choices[choice].name,
                    self._choices[choice].options,
                )
                for position, option in enumerate(options):
                    if not carried >> position & 1:
                        yield name, option

    def point_at(self, index: int) -> Point:
        """The point at a position of `points()`; only where the count is exact."""
        total = self.count.number
        if not self.exact or not 0 <= index < total:
            raise IndexError(f"there is no point {index} among {self.count}")
        states = [component.start for component in self.components]
        chosen = [0] * len(self._choices)
        for choice in range(len(self._choices)):
            owner = self.component_of[choice]
            component, here = self.components[owner], states[owner]
            others = total // here.count
            edges = component.edges(here)
            if len(edges) == 1:
                ((mask, child),) = edges
                position, index = divmod(index, child.count * others)
                chosen[choice] = list(bits(mask))[position]
                states[owner] = child
                total = child.count * others
                continue
            for option, child in component.steps(here):
                size = child.count * others
                if index < size:
                    chosen[choice], states[owner], total = option, child, size
                    break
                index -= size
        return self._point(chosen)

    def sample(self, rng: random.Random) -> Point | None:
        """A valid point, each equally likely; None where none was found.

        Where the count is an estimate, `estimation.draw` says how even it is.
        """
        if self._impossible:
            return None
        chosen = [0] * len(self._choices)
        for component in self.components:
            if component.exact:
                if not component.start.count:
                    return None
                options = _drawn(component, rng)
            else:
                options = draw(component, rng)
            if options is None:
                return next(self.points(), None)
            for choice, option in zip(component.choices, options, strict=True):
                chosen[choice] = option
        return self._point(chosen)

    def neighbours(self, point: Mapping[str, Value]) -> list[Point]:
        """The valid points that differ in one choice, those with near options first.

        Where another branch opens choices that this point has no value for, they get
        the first values that are valid.
        """
        here = self._positions(point)
        found: list[tuple[int, Point]] = []
        for choice, option in enumerate(here):
            if option == self._domains[choice].none:
                continue
            others = bits(self._options[choice])
            near = sorted(others, key=lambda other: (abs(other - option), other))
            for other in near:
                if other == option or other == self._domains[choice].none:
                    continue
                changed = self._moved(here, choice, other)
                if changed is not None:
                    found.append((abs(other - option), self._point(changed)))
        found.sort(key=lambda entry: entry[0])
        return [other for _, other in found]

    def _moved(self, here: Sequence[int], choice: int, option: int) -> list[int] | None:
        """A point with one choice changed, and those that it opens or closes."""
        component = self.components[self.component_of[choice]]
        changed = list(here)
        changed[choice] = option
        state = component.start
        for number in component.choices:
            wanted = changed[number]
            closed = self._domains[number].none
            following: tuple[int, State] | None = None
            for mask, child in component.edges(state):
                if mask >> wanted & 1 and self._lives(component, child):
                    following = wanted, child
                    break
            if following is None and number != choice:
                # Only a choice that opens or closes may take another value.
                for option_here, child in component.steps(state):
                    if (wanted == closed) != (option_here == closed) and self._lives(
                        component, child
                    ):
                        following = option_here, child
                        break
            if following is None:
                return None
            changed[number], state = following
        return changed

    def _lives(self, component: Component, state: State) -> bool:
        return component.search(state, _WORK_OF_SEARCH) is True

    def _positions(self, point: Mapping[str, Value]) -> list[int]:
        return [
            list(choice.options).index(point[choice.name])
            if choice.name in point
            else domain.none
            for choice, domain in zip(self._choices, self._domains, strict=True)
        ]

    def _point(self, chosen: Sequence[int]) -> Point:
        return {
            choice.name: choice.options[option]
            for choice, option in zip(self._choices, chosen, strict=True)
            if option < len(choice.options)
        }


def _domain(choice: Choice, conditional: bool) -> Domain:
    if isinstance(choice, Alternative):
        numbers: Sequence[int | None] = range(len(choice.labels))
    else:
        numbers = [int(o) if isinstance(o, int) else None for o in choice.options]
    return Domain(choice.options, numbers, conditional)


def _drawn(component: Component, rng: random.Random) -> list[int]:
    """Options drawn from a diagram, each value equally likely."""
    state, chosen = component.start, list[int]()
    for _ in component.choices:
        index = rng.randrange(state.count)
        for mask, child in component.edges(state):
            size = mask.bit_count() * child.count
            if index < size:
                chosen.append(list(bits(mask))[index // child.count])
                state = child
                break
            index -= size
    return chosen


class UndecidedError(Exception):
    """A search ended before it found a point, or that there is none."""


class _Walk:
    """How the points are walked: within which options, and in which order."""

    def __init__(
        self, solver: Solver, options: Mapping[int, int], rank: Rank | None
    ) -> None:
        self._solver = solver
        self._rank = rank
        self._options = options
        self._within = [
            Restriction({c: options[c] for c in component.choices if c in options})
            if options.keys() & set(component.choices)
            else None
            for component in solver.components
        ]

    def begins(self) -> bool:
        """Whether there is a point at all."""
        found = [
            component.search(component.start, _WORK_OF_SEARCH, within)
            for component, within in zip(
                self._solver.components, self._within, strict=True
            )
        ]
        if None in found and False not in found:
            raise UndecidedError
        return False not in found

    def steps(
        self, choice: int, states: Sequence[State]
    ) -> Iterator[tuple[int, State]]:
        """The options of a choice that lead on, and where to."""
        owner = self._solver.component_of[choice]
        component, within = self._solver.components[owner], self._within[owner]
        steps = component.steps(states[owner])
        if self._rank is not None:
            steps = self._solver.ranked(choice, steps, self._rank)
        wanted = self._options.get(choice, -1)
        for option, child in steps:
            if not wanted >> option & 1:
                continue
            # A diagram that was not built, or is not wanted whole, may end here.
            if component.search(child, _WORK_OF_SEARCH, within) is not False:
                yield option, child
