"""A few points that together try every branch of a choice and every value of a knob.

A point tries the options it picks. An option that failed is tried again together with
options that are known to work, which isolates the option at fault. Points satisfy the
requirements and come in the same order every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tilewright.ir.errors import Place, UserError
from tilewright.tuning.space.choices import (
    Alternative,
    Constraint,
    Item,
    Point,
    Value,
    canonical,
)
from tilewright.tuning.space.space import Space

_TRIES = 3
"""Failed points with an option before the option counts as not working."""
_PATHS = 4
"""Paths of branches to an option that are tried, of which one must be valid."""


@dataclass(frozen=True)
class Option:
    """A value of a choice at one place; a choice in two places has two options."""

    name: str
    value: Value
    place: Place | None

    def __str__(self) -> str:
        """`BM = 64`."""
        return f"{self.name} = {self.value}"


class Covering:
    """Proposes points to run, and is told whether they worked."""

    def __init__(self, space: Space):
        self._space = space
        self._picks: dict[Option, list[Mapping[str, Value]]] = {}
        _find_options(space.items, {}, self._picks)
        self._tries: dict[Option, int] = {}
        """Points that were run to try an option."""
        self._failed: dict[Option, set[str]] = {}
        """Points with an option that were run and failed."""
        self._run: set[str] = set()
        self.works: set[Option] = set()
        self.impossible: list[Option] = []
        """Options that no valid point has."""

    @property
    def options(self) -> Sequence[Option]:
        """All options, in the order of the schedule."""
        return list(self._picks)

    def next_point(self) -> Point | None:
        """A point with an option that has not worked yet; None after the last."""
        if not self._run:
            self._run.add("")
            if not self._picks:
                return Point()
            first = self._space.default_point()
            if first is not None and self._space.contains(first):
                self._run.add(canonical(first))
                return first
        for option in self._picks:
            if option in self.works or option in self.impossible:
                continue
            if self._tries.get(option, 0) >= _TRIES:
                continue
            point = self._point_with(option)
            if point is not None:
                # A failure would not count against the other options of the point.
                self._tries[option] = self._tries.get(option, 0) + 1
                self._run.add(canonical(point))
                return point
        return None

    def tell(self, point: Point, *, works: bool) -> None:
        """Record whether a point worked."""
        for option in taken(self._space.items, point):
            if works:
                self.works.add(option)
            else:
                self._failed.setdefault(option, set()).add(canonical(point))

    def verdict(self, option: Option) -> str:
        """What is known of an option with which no point worked so far.

        `no point with v = bad works` is said only if every valid point was run.
        """
        failed = self._failed.get(option, set())
        at_option = self._space.points({option.name: option.value})
        first = islice(at_option, len(failed) + 1)
        try:
            every = all(canonical(point) in failed for point in first)
        except UserError:
            every = False  # the bounded search could not decide
        if every:
            return f"no point with {option} works; others do"
        if len(failed) == 1:
            return f"the one point tried with {option} does not work; others do"
        return f"none of the {len(failed)} points tried with {option} works; others do"

    def not_tried(self) -> list[Option]:
        """Options that no point has tried, except impossible ones."""
        tried = self.works | self._failed.keys()
        return [o for o in self._picks if o not in tried and o not in self.impossible]

    def _point_with(self, option: Option) -> Point | None:
        valid: list[Point] = []
        for branches in self._picks[option]:
            picks = {**branches, option.name: option.value}
            points = self._space.points(picks, self._rank(option))
            try:
                # Valid points that are generated to find one that has not been run.
                valid += islice(points, 16)
            except UserError:
                return None  # the search ended before it found a point or none
            if new := [point for point in valid if canonical(point) not in self._run]:
                return new[0]
        if not valid:
            self.impossible.append(option)
        return None

    def _rank(self, wanted: Option) -> Callable[[str, Value], int]:
        """Prefer untried options; next to a failed option, prefer working ones."""
        failed = wanted in self._failed
        works = {(o.name, o.value) for o in self.works}
        seen = {(o.name, o.value) for o in self._failed} | works

        def rank(name: str, value: Value) -> int:
            if (name, value) in works:
                return 0 if failed else 1
            return 2 if (name, value) in seen else 1 if failed else 0

        return rank


def taken(items: Sequence[Item], point: Mapping[str, Value]) -> Iterator[Option]:
    """The options that a point picks, in the branches it takes."""
    for item in items:
        if isinstance(item, Constraint) or item.name not in point:
            continue
        value = point[item.name]
        yield Option(item.name, value, item.place)
        if isinstance(item, Alternative):
            yield from taken(item.branches[item.labels.index(str(value))], point)


def _find_options(
    items: Sequence[Item],
    picks: Mapping[str, Value],
    found: dict[Option, list[Mapping[str, Value]]],
) -> None:
    """Collect every option with the branches that lead to it, a few paths for each."""
    for item in items:
        if isinstance(item, Constraint):
            continue
        for position, value in enumerate(item.options):
            if item.name in picks and not _same(picks[item.name], value):
                continue  # the same choice again, in one of its own branches
            paths = found.setdefault(Option(item.name, value, item.place), [])
            if len(paths) >= _PATHS:
                continue
            paths.append(picks)
            if isinstance(item, Alternative):
                inner = {**picks, item.name: value}
                _find_options(item.branches[position], inner, found)


def _same(one: Value, other: Value) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)
