"""What every sketch has: knobs, conditions, an estimate, statements."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.planning.grouping.group import Group
from tilewright.planning.writing.lines import Lines

Point = Mapping[str, int]
"""Knob names, without the kernel's suffix, to values."""


@dataclass(frozen=True)
class Knob:
    """A number that a sketch leaves open."""

    name: str
    options: tuple[int, ...]


class Sketch(ABC):
    """One structure for the kernel of a group.

    Its options are those that make sense for the group's shape and for the card.
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
    """Whether its products are computed one after the other, as those of several groups
    would be: it is no reason to make one group of them."""

    def __init__(self, group: Group, target: Target):
        self.group = group
        self.target = target

    @abstractmethod
    def knobs(self) -> Sequence[Knob]:
        """The numbers that stay open."""

    def requires(self) -> Sequence[str]:
        """Conditions on the knobs, in the schedule language, by their plain names."""
        return ()

    def is_valid(self, point: Point) -> bool:
        """Whether a point satisfies the conditions of `requires`."""
        return True

    def points(self) -> Iterator[Point]:
        """The points that the first pick is made from."""
        knobs = self.knobs()
        for values in itertools.product(*(knob.options for knob in knobs)):
            point = dict(zip((knob.name for knob in knobs), values, strict=True))
            if self.is_valid(point):
                yield point

    @abstractmethod
    def seconds(self, point: Point) -> float:
        """The estimated time of the kernel at a point."""

    @abstractmethod
    def write(self, lines: Lines) -> None:
        """Write the statements. `lines.knob(name)` is a knob's name in the text."""
