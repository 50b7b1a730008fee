"""Generating the valid points of a space, counting them, and finding one by its index.

A constraint is checked as soon as its last name is bound, so a point is never built to
be thrown away. Counting shares what it has counted: two prefixes that agree on every
value still needed (by a constraint that is open, or by a choice named again) have the
same number of completions. Counts make every point addressable, and that makes sampling
uniform without rejection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from tilewright.tuning.space import (
    Alternative,
    Choice,
    Constraint,
    Item,
    Point,
    Value,
    choices_in,
    constraints_in,
)

Pending: TypeAlias = tuple[Constraint, ...]


class _Cell:
    """One choice still to be made, and those after it.

    Cells are shared: the tail after an alternative is one object whichever way it was
    reached, so that its identity can stand in a memo key.
    """

    __slots__ = ("choice", "rest", "tails", "names")

    def __init__(self, choice: Choice, rest: _Cell | None) -> None:
        self.choice = choice
        self.rest = rest
        self.tails: dict[str, _Cell | None] = {}
        names = {choice.name} | (set(rest.names) if rest is not None else set())
        names |= {inner.name for inner in choices_in((choice,))}
        for constraint in constraints_in((choice,)):
            names |= set(constraint.names)
        self.names: frozenset[str] = frozenset(names)
        if isinstance(choice, Alternative):
            for label, branch in zip(choice.labels, choice.branches, strict=True):
                self.tails[label] = _chain(branch, rest)

    def constraints(self, value: Value) -> Pending:
        """Constraints that begin to apply with this choice."""
        if not isinstance(self.choice, Alternative):
            return ()
        return _own(self.choice.branches[self.choice.labels.index(str(value))])

    def after(self, value: Value) -> _Cell | None:
        """What is left to choose once this choice has a value."""
        return self.tails[str(value)] if self.tails else self.rest


class Enumeration:
    """The valid points of a region."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._first = _chain(items, None)
        self._root = _own(items)
        self._counts: dict[Any, int] = {}

    def points(self) -> Iterator[Point]:
        """Every valid point, the first choice varying slowest."""
        pending, violated = _settle(self._root, {})
        if violated is None:
            yield from _points(self._first, {}, pending)

    def count(self) -> int:
        """How many valid points there are."""
        pending, violated = _settle(self._root, {})
        return 0 if violated else self._count(self._first, {}, pending)

    def point_at(self, index: int) -> Point:
        """The point at a position of `points()`."""
        total = self.count()
        if not 0 <= index < total:
            raise IndexError(f"there is no point {index} among {total}")
        cell, bound = self._first, Point()
        pending, _ = _settle(self._root, bound)
        while cell is not None:
            for step in _steps(cell, bound, pending):
                count = self._count(*step)
                if index < count:
                    cell, bound, pending = step
                    break
                index -= count
        return dict(bound)

    def assemble(
        self, choose: Callable[[Choice], Value]
    ) -> tuple[Point, Constraint | None]:
        """Ask for each open choice in turn; stop at the first constraint that fails."""
        bound = Point()
        pending, violated = _settle(self._root, bound)
        cell = self._first
        while cell is not None and violated is None:
            name = cell.choice.name
            if name not in bound:
                bound[name] = choose(cell.choice)
            value = bound[name]
            pending, violated = _settle(pending + cell.constraints(value), bound)
            cell = cell.after(value)
        return bound, violated

    def _count(self, cell: _Cell | None, bound: Point, pending: Pending) -> int:
        if cell is None:
            return 1
        needed = set(cell.names)
        for constraint in pending:
            needed.update(constraint.names)
        known = tuple((name, bound[name]) for name in sorted(needed & bound.keys()))
        key = (id(cell), tuple(map(id, pending)), known)
        if key not in self._counts:
            steps = _steps(cell, bound, pending)
            self._counts[key] = sum(self._count(*step) for step in steps)
        return self._counts[key]


def _points(cell: _Cell | None, bound: Point, pending: Pending) -> Iterator[Point]:
    if cell is None:
        yield dict(bound)
        return
    for step in _steps(cell, bound, pending):
        yield from _points(*step)


def _steps(
    cell: _Cell, bound: Point, pending: Pending
) -> Iterator[tuple[_Cell | None, Point, Pending]]:
    """The ways to make a choice that break no constraint, with what is left after."""
    name = cell.choice.name
    again = name in bound
    for value in (bound[name],) if again else cell.choice.options:
        now = bound if again else {**bound, name: value}
        rest, violated = _settle(pending + cell.constraints(value), now)
        if violated is None:
            yield cell.after(value), now, rest


def _settle(pending: Pending, bound: Point) -> tuple[Pending, Constraint | None]:
    """Check the constraints whose names are all bound; return those still open."""
    still: list[Constraint] = []
    for constraint in pending:
        if any(name not in bound for name in constraint.names):
            still.append(constraint)
        elif not constraint.holds([bound[name] for name in constraint.names]):
            return (), constraint
    return tuple(still), None


def _chain(items: Sequence[Item], rest: _Cell | None) -> _Cell | None:
    for item in reversed(items):
        if not isinstance(item, Constraint):
            rest = _Cell(item, rest)
    return rest


def _own(items: Sequence[Item]) -> Pending:
    """The constraints of a region itself, not of the branches in it."""
    return tuple(item for item in items if isinstance(item, Constraint))
