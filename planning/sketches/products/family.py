"""Which sketches fit a group with products."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.products.shape import product_shape
from tilewright.planning.sketches.products.tiles import Tiles


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with products of matrices."""
    shape = product_shape(group)
    if shape is None or shape.row is None or shape.column is None:
        return ()
    if group.reductions:
        return ()
    return [Tiles(group, target, shape)]
