"""What every sketch has: knobs, conditions, an estimate, statements."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.codegen.targets import Target
from tilewright.planning.grouping.group import Group
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import holds
from tilewright.schedules.language.syntax import Value

Point = Mapping[str, int]
"""Knob names, without the kernel's suffix, to values."""


@dataclass(frozen=True)
class Knob:
    """A number that a sketch leaves open."""

    name: str
    options: tuple[int, ...]


class Sketch(ABC):
    """One structure for the kernel of a group.

    Its options are those that make sense for the group's shape and for the GPU.
    """

    label: str
    """The name of its branch, where there are several."""
    summary: str
    """What it does, in a few words, for the comment above its branch."""

    is_sure: bool = False
    """Whether its time hardly depends on choices, as a library's: it needs no luck."""

    is_spare: bool = False
    """Whether it only stands in for another sketch that is refused."""

    calls_library: bool = False
    """Whether a library computes a part of it, which reads no tiles."""

    is_several: bool = False
    """Whether its matmuls are computed one after the other, as those of several groups
    would be: it is no reason to make one group of them."""

    def __init__(self, group: Group, target: Target):
        self.group = group
        self.target = target

    @abstractmethod
    def knobs(self) -> Sequence[Knob]:
        """The numbers that stay open."""

    def conditions(self) -> Sequence[Value]:
        """Conditions on the knobs, by their plain names."""
        return ()

    @cached_property
    def _conditions(self) -> Sequence[Value]:
        return self.conditions()

    def requires(self) -> Sequence[Value]:
        """The conditions that the schedule has: none if no point satisfies them."""
        return self._conditions if any(self._valid_points()) else ()

    def is_valid(self, point: Point) -> bool:
        """Whether a point satisfies the conditions."""
        return all(holds(condition, point) for condition in self._conditions)

    def points(self) -> Iterator[Point]:
        """The points that the first pick is made from."""
        found = list(self._valid_points())
        return iter(found) if found else self.fallback()

    def fallback(self) -> Iterator[Point]:
        """The points of a tensor so small that no point satisfies the conditions."""
        return iter(())

    def all_points(self) -> Iterator[Point]:
        """Every combination of options that a block has enough threads for."""
        knobs = self.knobs()
        names = [knob.name for knob in knobs]
        most = self.target.max_threads_per_block // self.target.warp
        for values in itertools.product(*(knob.options for knob in knobs)):
            point = dict(zip(names, values, strict=True))
            if point.get("warps", 1) <= most:
                yield point

    def _valid_points(self) -> Iterator[Point]:
        return filter(self.is_valid, self.all_points())

    @abstractmethod
    def seconds(self, point: Point) -> float:
        """The estimated time of the kernel at a point."""

    @abstractmethod
    def write(self, lines: Lines) -> None:
        """Write the statements. `lines.knob(name)` is a knob's name in the text."""


class Around(Sketch):
    """A sketch that does something before or besides another one."""

    def __init__(self, group: Group, target: Target, inner: Sketch):
        super().__init__(group, target)
        self.inner = inner
        self.label = inner.label
        self.summary = inner.summary

    def knobs(self) -> Sequence[Knob]:
        """Those of the other sketch."""
        return self.inner.knobs()

    def requires(self) -> Sequence[Value]:
        """The conditions of the other sketch."""
        return self.inner.requires()

    def is_valid(self, point: Point) -> bool:
        """Whether the other sketch has the point."""
        return self.inner.is_valid(point)

    def points(self) -> Iterator[Point]:
        """The points of the other sketch."""
        return self.inner.points()

    def seconds(self, point: Point) -> float:
        """The estimate of the other sketch."""
        return self.inner.seconds(point)

    def write(self, lines: Lines) -> None:
        """The statements of the other sketch."""
        self.inner.write(lines)
