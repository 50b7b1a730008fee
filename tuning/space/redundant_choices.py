"""Redundant choices: those that change neither the emitted kernels nor their launches.

Examples are a knob that no op reads, a tile size larger than the problem, or a hint on
a loop that is gone. They make a search longer for nothing. They are found by comparing
the programs of points that differ in one choice. Only if all valid points were built
does that prove something; otherwise a claim says how much was compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.phrases import count
from tilewright.tuning.space.choices import Point, Value, canonical
from tilewright.tuning.space.space import Space

KeyOf = Callable[[Point], str]
"""The key of a point's program; raises `SilenceableFailure` where there is none."""


@dataclass(frozen=True)
class Unchanged:
    """A choice that changed no program wherever it was varied."""

    name: str
    pairs: int
    """Pairs of points that differ in this choice alone, with a program each."""
    proved: bool
    """Whether every valid point has a program, so that none is left to compare."""

    def __str__(self) -> str:
        """The claim, no larger than what was compared."""
        what = "nothing in the kernels or their launches"
        if self.proved:
            return f"changes {what}, at any valid point"
        return f"changed {what} in the {count(self.pairs, 'pair')} of points compared"


def unchanged_choices(
    programs: Iterable[tuple[Point, str]], valid: int | None
) -> list[Unchanged]:
    """Choices that were varied and changed no program.

    `programs` are points with the keys of their programs, empty where there is none.
    `valid` is the number of valid points; None if it is not known.
    """
    built = {canonical(point): (point, key) for point, key in programs if key}
    names = {name: None for point, _ in built.values() for name in point}
    found: list[Unchanged] = []
    for name in names:
        groups: dict[str, list[str]] = {}
        for point, key in built.values():
            rest = {other: value for other, value in point.items() if other != name}
            if name in point:
                groups.setdefault(canonical(rest), []).append(key)
        varied = [keys for keys in groups.values() if len(keys) > 1]
        if varied and all(len(set(keys)) == 1 for keys in varied):
            pairs = sum(len(keys) - 1 for keys in varied)
            found.append(Unchanged(name, pairs, len(built) == valid))
    return found


@dataclass(frozen=True)
class Probe:
    """The effect of varying one choice."""

    name: str
    tried: int
    """Pairs of points that differ in this choice and could both be built."""
    same: tuple[tuple[Value, Value], ...]
    """Pairs of values that gave the same program."""
    proved: bool = False
    """Whether every valid point was built."""

    @property
    def changes_nothing(self) -> bool:
        """Whether all pairs gave the same program."""
        return self.tried > 0 and len(self.same) == self.tried

    @property
    def unchanged(self) -> Unchanged | None:
        """The claim that follows, if the choice changed nothing."""
        if not self.changes_nothing:
            return None
        return Unchanged(self.name, self.tried, self.proved)


def probe(
    space: Space,
    key_of: KeyOf,
    points: int = 8,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Probe]:
    """Vary every choice at a few random points, until it changes the program."""
    drawn = random.Random(seed)
    keys: dict[str, str | None] = {}
    pairs: dict[str, list[tuple[Value, Value]]] = {name: [] for name in space.choices}
    same: dict[str, list[tuple[Value, Value]]] = {name: [] for name in space.choices}

    def key(point: Point) -> str | None:
        name = canonical(point)
        if name not in keys:
            tell(name)
            try:
                keys[name] = key_of(point)
            except SilenceableFailure:
                keys[name] = None
        return keys[name]

    for _ in range(points):
        if all(len(pairs[name]) > len(same[name]) for name in pairs):
            break
        point = space.sample(drawn)
        own = key(point)
        if own is None:
            continue
        for name, other in _variations(space, point):
            if len(pairs[name]) > len(same[name]):
                continue
            found = key(other)
            if found is not None:
                pair = (point[name], other[name])
                pairs[name].append(pair)
                if found == own:
                    same[name].append(pair)
    built = sum(key is not None for key in keys.values())
    proved = space.is_exact() and built == space.count_valid()
    return [
        Probe(name, len(pairs[name]), tuple(same[name]), proved)
        for name in space.choices
    ]


def _variations(space: Space, point: Point) -> Iterator[tuple[str, Point]]:
    """Points that differ in one choice, and in the choices of its branches."""
    for other in space.neighbours(point):
        changed = [name for name in point.keys() & other if other[name] != point[name]]
        if len(changed) == 1:
            yield changed[0], other
