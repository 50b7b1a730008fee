"""From the loops of a grid to Triton's launch axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId, is_block_mapping
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes import launch_number

_AXES = {MappingId.X: 0, MappingId.Y: 1, MappingId.Z: 2}
_MAX_BLOCKS = (2**31 - 1, 65535, 65535)
"""CUDA's limits on the extents of a launch grid."""


@dataclass(frozen=True)
class LaunchGrid:
    """How the tiles of a grid are numbered by program ids."""

    tiles: tuple[int, ...]
    """Extents of the tile grid, outermost first."""
    programs: tuple[int, ...]
    """Programs along Triton's axes 0, 1, 2."""
    axes: tuple[int, ...] | None
    """The launch axis of each loop; None where one axis numbers all tiles."""
    group: int
    persistent: int
    """Programs a multiprocessor, each taking tile after tile; 0 is one a tile."""


def launch_grid(grid: ForallOp) -> LaunchGrid:
    """The launch of a grid, refused where it is not static or not mapped to blocks."""
    if not is_block_mapping(grid.mapping):
        refuse(
            grid,
            "a parallel loop that is not mapped to blocks",
            "map it with `mapping = [#gpu.block<y>, #gpu.block<x>]` when tiling",
        )
    if not grid.is_normalized:
        refuse(
            grid,
            "a grid that does not count from 0 in steps of 1",
            "tile with sizes, so that the grid counts tiles",
        )
    extents = grid.upper_bounds
    tiles = tuple(extent for extent in extents if isinstance(extent, int))
    if len(tiles) != len(extents):
        refuse(grid, "a grid of dynamic extent", "give the function static shapes")
    group = launch_number(grid, "triton.group")
    persistent = launch_number(grid, "triton.persistent")
    if group > 1 and len(tiles) < 2:
        refuse(
            grid,
            f"'triton.group' on a grid of {len(tiles)} dimensions",
            "it orders the tiles of the last two; leave it off",
        )
    if group > 1:
        # More rows than there are make no other order.
        group = max(min(group, tiles[-2]), 1)
    if launch_number(grid, "triton.flatten") and not persistent:
        refuse(
            grid,
            "'triton.flatten' changes nothing here: a program has one tile",
            "set 'triton.persistent' too, or leave it off",
        )
    is_plain = group == 1 and not persistent
    axes = _launch_axes(grid, tiles) if is_plain else None
    if axes is None:
        programs = (math.prod(tiles),)
        if programs[0] > _MAX_BLOCKS[0]:
            refuse(grid, f"{programs[0]} blocks, more than CUDA can number")
        return LaunchGrid(tiles, programs, None, group, persistent)
    counts = [1] * (max(axes, default=0) + 1)
    for axis, extent in zip(axes, tiles, strict=True):
        counts[axis] = extent
    return LaunchGrid(tiles, tuple(counts), axes, group, persistent)


def _launch_axes(grid: ForallOp, tiles: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axis of each loop, or None where the tiles must be numbered in one row."""
    assert grid.mapping is not None
    ids = [entry.data for entry in grid.mapping if isinstance(entry, BlockMappingAttr)]
    if len(set(ids)) != len(ids):
        refuse(grid, "two loops mapped to the same block dimension")
    if not all(entry in _AXES for entry in ids):
        return None
    axes = tuple(_AXES[entry] for entry in ids)
    if any(tiles[loop] > _MAX_BLOCKS[axis] for loop, axis in enumerate(axes)):
        return None
    return axes
