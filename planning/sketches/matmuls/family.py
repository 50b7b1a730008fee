"""Which sketches fit a group with matmuls."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.matmuls.lanes import LaneSums, long_loop
from tilewright.planning.sketches.matmuls.padded import (
    PaddedTiles,
    may_describe,
    ragged_factors,
)
from tilewright.planning.sketches.matmuls.roles import RoleTiles, may_have_roles
from tilewright.planning.sketches.matmuls.row_tiles import RowTiles, may_hold_rows
from tilewright.planning.sketches.matmuls.shape import MatmulShape, matmul_shape
from tilewright.planning.sketches.matmuls.split import (
    SplitTiles,
    factors,
    may_be_split,
)
from tilewright.planning.sketches.matmuls.tiles import Tiles
from tilewright.planning.sketches.matmuls.transposed import (
    TransposedTiles,
    side_to_transpose,
)


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with matmuls."""
    shape = matmul_shape(group)
    if shape is None:
        return ()
    if group.reductions:
        return [RowTiles(group, target, shape)] if may_hold_rows(shape) else ()
    found = _by_lanes(group, target, shape)
    if shape.row is not None and shape.column is not None:
        found += [Tiles(group, target, shape), *_split(group, target, shape)]
        ragged = ragged_factors(shape) if may_describe(shape, target) else ()
        if ragged:
            found.append(PaddedTiles(group, target, shape, ragged))
        if may_have_roles(shape, target):
            found.append(RoleTiles(group, target, shape))
        side = side_to_transpose(shape, target)
        if side is not None:
            found.append(TransposedTiles(group, target, shape, side))
    return found


def _by_lanes(group: Group, target: Target, shape: MatmulShape) -> list[Sketch]:
    """Sums by lanes, if there are few rows."""
    column = long_loop(shape, on_tensor_cores=shape.factor in target.tensor_flops)
    return [] if column is None else [LaneSums(group, target, shape, column)]


def _split(group: Group, target: Target, shape: MatmulShape) -> list[Sketch]:
    """The best split of the sum, if tiles are few."""
    tiles = shape.batch * -(-shape.m // 64) * -(-shape.n // 64)
    if tiles > 2 * target.sms or not may_be_split(shape):
        return []
    wanted = max(2, 2 * target.sms // tiles)
    near = sorted(factors(shape), key=lambda parts: abs(parts - wanted))[:3]
    return _best([SplitTiles(group, target, shape, parts) for parts in near])


def _best(found: Sequence[Sketch]) -> list[Sketch]:
    """The sketch with the best estimate, if there is one."""
    timed = [
        (min((s.seconds(point) for point in s.points()), default=1.0), number, s)
        for number, s in enumerate(found)
    ]
    return [min(timed)[2]] if timed else []
