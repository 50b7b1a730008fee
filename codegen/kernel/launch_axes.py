"""Map the loops of a grid to Triton's launch axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.analysis.elements.atoms import MAX_EXTENT, Linear
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId, is_block_mapping
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.indexing.index_ops import depends_on
from tilewright.ir.launch_attributes.table import RING, STAGES
from tilewright.ir.launch_attributes.values import launch_attribute, launch_number

_AXES = {MappingId.X: 0, MappingId.Y: 1, MappingId.Z: 2}
_MAX_BLOCKS = (2**31 - 1, 65535, 65535)
"""CUDA's limits on the extents of a launch grid."""


@dataclass(frozen=True)
class LaunchGrid:
    """The numbering of a grid's tiles by program ids."""

    tiles: tuple[Linear, ...]
    """Extents of the tile grid, outermost first."""
    programs: tuple[tuple[Linear, ...], ...]
    """Number of programs along Triton's axes 0, 1, 2, each as factors."""
    axes: tuple[int, ...] | None
    """The launch axis of each loop; None if axis 0 numbers all tiles."""
    group: int
    persistent: int
    """Programs per multiprocessor, each with many tiles; 0: one program per tile."""
    reversed: frozenset[int] = frozenset()
    """The loops of the grid that run backwards."""
    has_last_apart: bool = False
    """Whether axis 0 has the last loop only, and axis 1 numbers all other tiles."""

    @property
    def is_static(self) -> bool:
        """Whether all extents are numbers."""
        return all(extent.is_constant for extent in self.tiles)


def launch_grid(grid: ForallOp, indices: Indices) -> LaunchGrid:
    """The launch of a grid; refuses a grid that is not mapped to blocks."""
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
    tiles = tuple(
        Linear({}, extent) if isinstance(extent, int) else indices.linear(extent)
        for extent in grid.upper_bounds
    )
    if not all(atom.level == 0 for extent in tiles for atom in extent.terms):
        refuse(grid, "the extent of a grid depends on a loop around it")
    group = launch_number(grid, "triton.group")
    persistent = launch_number(grid, "triton.persistent")
    if group > 1 and len(tiles) < 2:
        refuse(
            grid,
            f"'triton.group' on a grid of {len(tiles)} dimensions",
            "it orders the tiles of the last two; leave it off",
        )
    if group > 1:
        # A group of more rows than there are has the same order.
        group = max(min(group, tiles[-2].high), 1)
    if not persistent:
        _refuse_hints(grid)
    deciding = _deciding_loops(grid)
    backwards = _reversed_loops(grid, deciding)
    is_plain = group == 1 and not persistent
    axes = _launch_axes(grid, tiles) if is_plain else None
    if axes is None and is_plain and len(tiles) - 1 in deciding:
        # A remainder has a known range. By it LLVM finds that the loop over tiles on
        # the diagonal runs once, and then ptxas runs the kernel's products
        # one after the other: attention with grouped heads took 1.2 times as long.
        *others, last = tiles
        if math.prod(extent.high for extent in others) <= _MAX_BLOCKS[1]:
            programs = ((last,), tuple(others))
            return LaunchGrid(
                tiles, programs, None, group, persistent, backwards, has_last_apart=True
            )
    if axes is None:
        _refuse_many(grid, tiles, MAX_EXTENT if persistent else _MAX_BLOCKS[0])
        return LaunchGrid(tiles, (tiles,), None, group, persistent, backwards)
    counts = [Linear({}, 1)] * (max(axes, default=0) + 1)
    for axis, extent in zip(axes, tiles, strict=True):
        counts[axis] = extent
    programs = tuple((count,) for count in counts)
    return LaunchGrid(tiles, programs, axes, group, persistent, backwards)


def _deciding_loops(grid: ForallOp) -> frozenset[int]:
    """The loops of a grid whose indices decide how often an inner loop runs."""
    loops = [op for op in grid.body.walk() if isinstance(op, scf.ForOp)]
    return frozenset(
        at
        for at, index in enumerate(grid.induction_vars)
        for op in loops
        if any(depends_on(bound, index) for bound in (op.lb, op.ub))
    )


def _reversed_loops(grid: ForallOp, deciding: frozenset[int]) -> frozenset[int]:
    """The loops that run backwards, if the grid asks for it.

    The bounds of a causal tile's loop grow with its row: run backwards, the longest
    tiles start first, and the last ones to finish are short.
    """
    if not launch_number(grid, "triton.reversed"):
        return frozenset()
    if not deciding:
        refuse(
            grid,
            "'triton.reversed' changes nothing here: all tiles have the same loops",
            "leave the attribute off this grid, or trim its loops",
        )
    return deciding


def _refuse_many(grid: ForallOp, tiles: tuple[Linear, ...], most: int) -> None:
    """Refuse a grid with more than `most` tiles."""
    count = math.prod(extent.constant for extent in tiles if extent.is_constant)
    if count > most:
        refuse(
            grid,
            f"{count} blocks, a launch has at most {most}",
            "tile by larger sizes",
        )


def _refuse_hints(grid: ForallOp) -> None:
    """Refuse attributes of the loop over tiles where there is no such loop."""
    for name, usual in (("triton.flatten", 0), (STAGES, 1), (RING, 1)):
        if (launch_attribute(grid, name) or usual) > usual:
            refuse(
                grid,
                f"'{name}' changes nothing here: a program has one tile",
                "set 'triton.persistent' too, or leave it off",
            )


def _launch_axes(grid: ForallOp, tiles: tuple[Linear, ...]) -> tuple[int, ...] | None:
    """The launch axis of each loop, or None if one axis must number all tiles.

    That is so if a loop may have more tiles than its axis allows.
    """
    assert grid.mapping is not None
    ids = [entry.data for entry in grid.mapping if isinstance(entry, BlockMappingAttr)]
    if len(set(ids)) != len(ids):
        refuse(grid, "two loops mapped to the same block dimension")
    if not all(entry in _AXES for entry in ids):
        return None
    axes = tuple(_AXES[entry] for entry in ids)
    if any(tiles[loop].high > _MAX_BLOCKS[axis] for loop, axis in enumerate(axes)):
        return None
    return axes
