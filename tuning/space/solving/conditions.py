"""The choices of a space as variables, and the conditions that make a point valid.

Every choice is a variable, in the order of the schedule. A choice in a branch has an
additional value, *not open*, and a condition that ties it to the branches taken. A
requirement does not apply to a point at which one of its choices is not open, or is
text where a number is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tilewright.tuning.space.choices import Alternative, Choice, Constraint, Item
from tilewright.tuning.space.solving.bounds import Node
from tilewright.tuning.space.solving.domains import Domain
from tilewright.tuning.space.solving.formulas import condition_of
from tilewright.tuning.space.solving.residuals import Residuals

Path: TypeAlias = tuple[tuple[str, int], ...]
"""The branches that lead to an item: names of alternatives and branch numbers."""


class Variables:
    """The choices of a region as variables, and the conditions on its points."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.choices: list[Choice] = []
        self.numbers: dict[str, int] = {}
        """The number of each choice, by its name."""
        self._paths: list[list[Path]] = []
        self._constraints: list[tuple[Constraint, Path]] = []
        self._collect(items, ())
        self.domains = [
            _domain(choice, () not in paths)
            for choice, paths in zip(self.choices, self._paths, strict=True)
        ]
        self.residuals = Residuals(self.domains)

    def conditions(self, constrained: bool) -> list[Node]:
        """The conditions on points; `constrained` adds the requirements."""
        return [*self._activations(), *(self._required() if constrained else ())]

    def _collect(self, items: Sequence[Item], path: Path) -> None:
        for item in items:
            if isinstance(item, Constraint):
                self._constraints.append((item, path))
                continue
            number = self.numbers.setdefault(item.name, len(self.choices))
            if number == len(self.choices):
                self.choices.append(item)
                self._paths.append([])
            self._paths[number].append(path)
            if isinstance(item, Alternative):
                for position, branch in enumerate(item.branches):
                    inner = (*path, (item.name, position))
                    self._collect(branch, inner)

    def _taken(self, path: Path) -> Node:
        """The condition that all branches of a path are taken."""
        picks = self.residuals.picks
        return self.residuals.all_of(
            [picks(self.numbers[name], option) for name, option in path]
        )

    def _activations(self) -> Iterator[Node]:
        """The condition that a choice has a value exactly where a place is reached."""
        residuals = self.residuals
        for number, paths in enumerate(self._paths):
            if () in paths:
                continue
            closed = residuals.picks(number, self.domains[number].none)
            reached = residuals.any_of([self._taken(path) for path in paths])
            yield residuals.any_of([closed, reached])
            yield residuals.any_of(
                [residuals.negation(closed), residuals.negation(reached)]
            )

    def _required(self) -> Iterator[Node]:
        residuals = self.residuals
        for constraint, path in self._constraints:
            if not all(name in self.numbers for name in constraint.names):
                continue
            choices = [self.numbers[name] for name in constraint.names]
            if constraint.formula is not None:
                node = condition_of(residuals, constraint.formula, choices)
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
        """The condition that a choice is not open, or text: its constraint is void."""
        domain = self.domains[choice]
        for option, number in enumerate(domain.numbers):
            if option == domain.none or (needs_number and number is None):
                yield self.residuals.picks(choice, option)


def _domain(choice: Choice, conditional: bool) -> Domain:
    if isinstance(choice, Alternative):
        numbers: Sequence[int | None] = range(len(choice.labels))
    else:
        numbers = [int(o) if isinstance(o, int) else None for o in choice.options]
    return Domain(choice.options, numbers, conditional)
