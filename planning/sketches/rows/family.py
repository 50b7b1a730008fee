"""The sketches of a group that reduces rows."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.rows.looped import LoopedRows, can_loop
from tilewright.planning.sketches.rows.shape import row_shape
from tilewright.planning.sketches.rows.streamed import StreamedRows, streamed_steps
from tilewright.planning.sketches.rows.whole import PersistentRows, WholeRows

COLUMNS = (4096, 8192, 16384)
"""The columns of an iteration of a loop over a row."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with reductions along contiguous rows."""
    shape = row_shape(group)
    if shape is None:
        return ()
    found: list[Sketch] = [WholeRows(shape, target)]
    if shape.has_scan:
        return found
    if shape.length > COLUMNS[0] and shape.count > target.sms:
        found.append(PersistentRows(shape, target))
    if shape.length > COLUMNS[0] and can_loop(shape):
        looped = [
            LoopedRows(shape, target, columns)
            for columns in COLUMNS
            if columns < shape.length
        ]
        timed = [sketch for sketch in looped if any(sketch.points())]
        found += sorted(timed, key=_best)[:2]
        steps = streamed_steps(shape, COLUMNS)
        streamed = [StreamedRows(shape, target, columns) for columns in steps]
        timed = [sketch for sketch in streamed if any(sketch.points())]
        found += sorted(timed, key=_best)[:1]
    return found


def _best(sketch: Sketch) -> float:
    """The time of a sketch at its best point."""
    return min(map(sketch.seconds, sketch.points()))
