"""The sketches of groups and their estimates, made once while a payload is planned.

Grouping asks for the time of many groups. Equal ones, such as those of the layers of a
deep network, are estimated once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.equal import Signatures
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.table import fused_sketches, sketches_for


class KnownSketches:
    """What is known of the groups of one payload."""

    def __init__(self, analysis: Analysis, target: Target):
        self._analysis = analysis
        self._target = target
        self._signatures = Signatures()
        self._seconds: dict[Hashable, float] = {}

    def of(self, group: Group) -> list[Sketch]:
        """The sketches that fit a group."""
        return sketches_for(self._analysis, group, self._target)

    def seconds(self, group: Group) -> float:
        """The estimate of the fastest kernel of a group; infinite without one."""
        key = self._signatures.of(group)
        if (found := self._seconds.get(key)) is None:
            found = self._seconds[key] = min(
                (
                    sketch.seconds(point)
                    for sketch in fused_sketches(self._analysis, group, self._target)
                    if not sketch.is_several
                    for point in sketch.points()
                ),
                default=math.inf,
            )
        return found
