"""Iterating over the valid points; the first choice varies slowest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from tilewright.tuning.space.choices import Choice, Value
from tilewright.tuning.space.solving.components import Component, Restriction, State

WORK_OF_SEARCH = 60_000
"""Options that are tried to find a point where the diagram is not complete."""

Rank: TypeAlias = Callable[[str, Value], int]
"""The rank of an option, by the name of its choice and the option."""


def owners(components: Sequence[Component]) -> dict[int, int]:
    """The number of the component that each choice belongs to."""
    return {
        choice: number
        for number, component in enumerate(components)
        for choice in component.choices
    }


class UndecidedError(Exception):
    """A search ended before it found a point or knew that there is none."""


class Walk:
    """An iteration over the points, within some options and in some order."""

    def __init__(
        self,
        choices: Sequence[Choice],
        components: Sequence[Component],
        options: Mapping[int, int],
        rank: Rank | None,
    ) -> None:
        """Take restrictions of some choices as `options`."""
        self._choices = choices
        self._components = components
        self._owner = owners(components)
        self._rank = rank
        self._options = options
        self._within = [
            Restriction({c: options[c] for c in component.choices if c in options})
            if options.keys() & set(component.choices)
            else None
            for component in components
        ]

    def begins(self) -> bool:
        """Whether there is a point at all."""
        found = [
            component.search(component.start, WORK_OF_SEARCH, within)
            for component, within in zip(self._components, self._within, strict=True)
        ]
        if None in found and False not in found:
            raise UndecidedError
        return False not in found

    def __iter__(self) -> Iterator[Sequence[int]]:
        """The options of each point; the same list is reused."""
        total = len(self._choices)
        if not self.begins():
            return
        if total == 0:
            yield ()
            return
        states = [component.start for component in self._components]
        chosen = [0] * total
        before: list[State] = []
        walks = [self.steps(0, states)]
        while walks:
            choice = len(walks) - 1
            owner = self._owner[choice]
            if len(before) > choice:
                states[owner] = before.pop()
            step = next(walks[-1], None)
            if step is None:
                walks.pop()
                continue
            before.append(states[owner])
            chosen[choice], states[owner] = step
            if choice == total - 1:
                yield chosen
            else:
                walks.append(self.steps(choice + 1, states))

    def steps(
        self, choice: int, states: Sequence[State]
    ) -> Iterator[tuple[int, State]]:
        """The options of a choice that lead to a point, and the states after them."""
        owner = self._owner[choice]
        component, within = self._components[owner], self._within[owner]
        steps = component.steps(states[owner])
        if self._rank is not None:
            steps = self._ranked(choice, steps, self._rank)
        wanted = self._options.get(choice, -1)
        for option, child in steps:
            if not wanted >> option & 1:
                continue
            # An incomplete or restricted diagram may have no point from here on.
            if component.search(child, WORK_OF_SEARCH, within) is not False:
                yield option, child

    def _ranked(
        self, choice: int, steps: Iterator[tuple[int, State]], rank: Rank
    ) -> list[tuple[int, State]]:
        """The options of a choice, those of low rank first."""
        name, options = self._choices[choice].name, self._choices[choice].options

        def key(step: tuple[int, State]) -> int:
            return rank(name, options[step[0]]) if step[0] < len(options) else 0

        return sorted(steps, key=key)
