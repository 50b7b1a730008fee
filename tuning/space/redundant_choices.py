"""Redundant choices: those that change neither the emitted kernels nor their launches.

Examples are a knob that no op reads, a tile size larger than the problem, or a hint on
a loop that is gone. They make a search longer for nothing. They are found by varying
one choice at a few points and comparing the keys of the programs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tilewright.ir.errors import SilenceableFailure
from tilewright.tuning.space.choices import Point, Value, canonical
from tilewright.tuning.space.space import Space

KeyOf = Callable[[Point], str]
"""The key of a point's program; raises `SilenceableFailure` where there is none."""


@dataclass(frozen=True)
class Probe:
    """The effect of varying one choice."""

    name: str
    tried: int
    """Pairs of points that differ in this choice and could both be built."""
    same: tuple[tuple[Value, Value], ...]
    """Pairs of values that gave the same program."""

    @property
    def changes_nothing(self) -> bool:
        """Whether all pairs gave the same program."""
        return self.tried > 0 and len(self.same) == self.tried


def probe(
    space: Space,
    key_of: KeyOf,
    points: int = 4,
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
    return [Probe(name, len(pairs[name]), tuple(same[name])) for name in space.choices]


def _variations(space: Space, point: Point) -> Iterator[tuple[str, Point]]:
    """Points that differ in one choice, and in the choices of its branches."""
    for other in space.neighbours(point):
        changed = [name for name in point.keys() & other if other[name] != point[name]]
        if len(changed) == 1:
            yield changed[0], other
