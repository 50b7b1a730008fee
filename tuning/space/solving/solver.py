"""The solver: counts, iterates over, indexes and samples the valid points of a space.

Conditions that share no choice belong to different components, each with a diagram of
its own (`components.py`). The number of points is the product over the components. The
list of all points is never made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING

from xdsl.utils.disjoint_set import IntDisjointSet

from tilewright.tuning.space.choices import Item
from tilewright.tuning.space.solving.bounds import Node
from tilewright.tuning.space.solving.components import Component, State
from tilewright.tuning.space.solving.conditions import Variables
from tilewright.tuning.space.solving.counts import Count
from tilewright.tuning.space.solving.domains import bits
from tilewright.tuning.space.solving.estimation import draw, estimate
from tilewright.tuning.space.solving.walking import WORK_OF_SEARCH, Rank, Walk, owners

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point, Value

_WORK_OF_BUILD = 100_000
"""Options that are tried to build all diagrams, in under a second; components that take
more are estimated."""


class Solver:
    """The valid points of a region."""

    def __init__(self, items: Sequence[Item], constrained: bool = True) -> None:
        """Take the items of a region; without `constrained`, ignore the constraints."""
        variables = Variables(items)
        self._choices, self._numbers = variables.choices, variables.numbers
        self._domains, self._residuals = variables.domains, variables.residuals
        self._options = [domain.everything for domain in self._domains]
        self._impossible = False
        conditions = variables.conditions(constrained)
        self.components = self._components(self._filtered(conditions))
        self.component_of = owners(self.components)
        self._build()

    # -- components --------------------------------------------------------------

    def _filtered(self, conditions: Sequence[Node]) -> list[Node]:
        """The conditions on several choices; others restrict the options at once."""
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
        joined = IntDisjointSet(size=len(self._choices))
        for condition in conditions:
            first, *others = bits(condition.mask)
            for other in others:
                joined.union_left(first, other)
        groups: dict[int, tuple[list[int], list[Node]]] = {}
        for choice in range(len(self._choices)):
            groups.setdefault(joined[choice], ([], []))[0].append(choice)
        for condition in conditions:
            lowest = (condition.mask & -condition.mask).bit_length() - 1
            groups[joined[lowest]][1].append(condition)
        return [
            Component(
                self._residuals, choices, own, {c: self._options[c] for c in choices}
            )
            for choices, own in groups.values()
        ]

    def _build(self) -> None:
        """Build the diagrams, small ones first, within a limit of work."""
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
        """The number of valid points, exact or estimated."""
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
            # No run found a point; a search may still tell whether there is one.
            found = self._any()
            return Count(0) if found is False else Count(int(bool(found)), inf, False)
        return Count(number, sqrt(error), False)

    def _any(self) -> bool | None:
        """Whether there is a point; None where the search did not end."""
        found = [c.search(c.start, WORK_OF_SEARCH) for c in self.components]
        if False in found:
            return False
        return None if None in found else True

    # -- points ------------------------------------------------------------------

    def points(
        self,
        picks: Mapping[str, Value] | None = None,
        rank: Rank | None = None,
    ) -> Iterator[Point]:
        """Generate the valid points; the first choice varies slowest.

        With `picks`, only points that have these values; with `rank`, options of low
        rank come first. Raises `UndecidedError` where a search does not find the first.
        """
        if self._impossible:
            return
        held = self._restriction(picks or {})
        for chosen in Walk(self._choices, self.components, held, rank):
            yield self._point(chosen)

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
        """Sample a valid point uniformly; None where none was found.

        Where the count is an estimate, see `estimation.draw` for the distribution.
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
        """The valid points that differ in one choice, the nearest options first.

        Where another branch opens choices that this point has no value for, those get
        their first valid values.
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
        """A point with one choice changed, and with the choices it opens or closes."""
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
        return component.search(state, WORK_OF_SEARCH) is True

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


def _drawn(component: Component, rng: random.Random) -> list[int]:
    """Sample options from a diagram, every value equally likely."""
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
