"""The families of sketches. Each answers with the sketches that fit a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches import (
    elementwise,
    held_columns,
    held_rows,
    reductions,
    scans,
    scatters,
    sums,
    transposition,
)
from tilewright.planning.sketches.apart import apart
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.library import family as library
from tilewright.planning.sketches.matmuls import family as matmuls
from tilewright.planning.sketches.rows import family as rows
from tilewright.planning.sketches.streams import family as streams

Family = Callable[[Analysis, Group, Target], Sequence[Sketch]]

FAMILIES: tuple[Family, ...] = (
    matmuls.sketches,
    sums.sketches,
    library.sketches,
    rows.sketches,
    scans.sketches,
    scatters.sketches,
    reductions.sketches,
    held_columns.sketches,
    elementwise.sketches,
    transposition.sketches,
)


def sketches_for(analysis: Analysis, group: Group, target: Target) -> list[Sketch]:
    """Every sketch that fits a group; none if the default must schedule it."""
    if group.stream is not None:
        return fused_sketches(analysis, group, target)
    before = apart(analysis, group, target, sketches_for)
    return [*fused_sketches(analysis, group, target), *before]


def fused_sketches(analysis: Analysis, group: Group, target: Target) -> list[Sketch]:
    """The sketches that compute a group with its prologues in one kernel."""
    if group.stream is not None:
        return list(streams.sketches(analysis, group, target))
    whole = [each for family in FAMILIES for each in family(analysis, group, target)]
    if all(isinstance(o, held_columns.HeldColumns) and not o.stores for o in whole):
        whole += held_rows.sketches(analysis, group, target)
    return whole
