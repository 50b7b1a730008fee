"""The sketches of a group that streams a chain."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.streams.roles import RoleStream, may_have_roles
from tilewright.planning.sketches.streams.rolling import RollingStream
from tilewright.planning.sketches.streams.shape import StreamShape
from tilewright.planning.sketches.streams.transposed import TransposedStream


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The rolling form; with masks on indices, also without the loop being cut.

    Three matmuls of TF32 may read their right factors from transposed copies.
    """
    if group.stream is None:
        return ()
    shape = StreamShape(group, group.stream)
    if not any(shape.sizes(group.sink, "rows")):
        return ()  # A matmul of a vector: no loop is left for a grid.
    whole = RollingStream(shape, target, cuts=False)
    found = [RollingStream(shape, target, cuts=True), whole] if shape.masks else [whole]
    if may_have_roles(shape, target):
        found.append(RoleStream(shape, target))
    if whole.work.tf32x3 and shape.can_transpose:
        found.append(TransposedStream(shape, target))
    return [sketch for sketch in found if any(sketch.points())]
