"""The sketches of groups, made once while a payload is planned.

Grouping asks again and again whether a group has a sketch, also of groups that it has
built anew from the same ops, and the kernels are planned from the same sketches.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.table import sketches_for


class KnownSketches:
    """What is known of the groups of one payload."""

    def __init__(self, analysis: Analysis, target: Target):
        self._analysis = analysis
        self._target = target
        self._sketches: dict[tuple[Group, Hashable], list[Sketch]] = {}
        self._are_kernels: dict[Hashable, bool] = {}

    def of(self, group: Group) -> list[Sketch]:
        """The sketches that fit a group as it is now."""
        key = (group, _content(group))
        if (found := self._sketches.get(key)) is None:
            found = sketches_for(self._analysis, group, self._target)
            self._sketches[key] = found
        return found

    def has_one(self, group: Group) -> bool:
        """Whether one kernel can compute a group."""
        content = _content(group)
        if (found := self._are_kernels.get(content)) is None:
            found = any(
                not sketch.is_several and any(True for _ in sketch.points())
                for sketch in self.of(group)
            )
            self._are_kernels[content] = found
        return found

    def seconds(self, group: Group) -> float:
        """The estimate of the fastest kernel of a group; infinite without one."""
        return min(
            (
                sketch.seconds(point)
                for sketch in self.of(group)
                if not sketch.is_several
                for point in sketch.points()
            ),
            default=math.inf,
        )


def _content(group: Group) -> Hashable:
    """What the sketches of a group depend on, in which equal groups agree."""
    places = group.places.copy()  # `find` names places
    return (
        tuple(group.ops),
        tuple(group.also_sinks),
        frozenset(group.leaving),
        frozenset(group.prologues),
        group.stream,
        tuple(
            places.find((facts.number, loop))
            for facts in group.ops
            for loop in range(len(facts.extents))
        ),
    )
