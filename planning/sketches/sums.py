"""Matmuls with a vector, as sums along rows or columns of the matrix.

No element of the matrix is used twice, so memory is the limit and tensor cores have
nothing to do. The structures of reductions read the matrix at the memory's full rate:
a program for a few rows, for a part of a long row, or for a tile of columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches import reductions
from tilewright.planning.sketches.base import Around, Point, Sketch
from tilewright.planning.sketches.rows import family as rows
from tilewright.planning.writing.lines import Lines

FAMILIES = (rows.sketches, reductions.sketches)
"""The sketches of reductions that are no chains."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with one matmul, one factor of which is a vector."""
    matmuls = group.contractions
    if len(matmuls) != 1 or group.reductions or group.also_sinks:
        return ()
    (matmul,) = matmuls
    if not _has_vector(matmul):
        return ()
    summing = _summing(group, matmul)
    return [
        Sum(group, matmul, sketch)
        for family in FAMILIES
        for sketch in family(analysis, summing, target)
        # Loops by lanes are faster here: 235 us for 4096 rows of 65536, and 254 us so.
        if sketch.label != "long_rows"
    ]


def _has_vector(matmul: OpFacts) -> bool:
    """Whether a factor is a vector, or one for each matrix of a batch."""
    dims = matmul.contraction
    assert dims is not None
    return not matmul.open_loops and 1 in (
        matmul.count(dims.m),
        matmul.count(dims.n),
    )


def _summing(group: Group, matmul: OpFacts) -> Group:
    """The group with its matmul as a reduction like any other."""
    reduction = replace(matmul, role=Role.REDUCTION, contraction=None)

    def with_reduction(ops: set[OpFacts]) -> set[OpFacts]:
        return {reduction if facts is matmul else facts for facts in ops}

    return Group(
        [reduction if facts is matmul else facts for facts in group.ops],
        group.places,
        leaving=with_reduction(group.leaving),
    )


class Sum(Around):
    """A sketch of a reduction, for a matmul that is first written as one."""

    def __init__(self, group: Group, matmul: OpFacts, sketch: Sketch):
        super().__init__(group, sketch.target, sketch)
        self.matmul = matmul

    def seconds(self, point: Point) -> float:
        """The reduction's estimate."""
        inner = self.inner
        is_shared = isinstance(inner, reductions.Reduction) and bool(inner.parts)
        return super().seconds(point) + self.target.calibration.parts.last * is_shared

    def write(self, lines: Lines) -> None:
        """Write the matmul's body out, then as the reduction."""
        lines.rewrite("generalize", self.matmul.name)
        super().write(lines)
