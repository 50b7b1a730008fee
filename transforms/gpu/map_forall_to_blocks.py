"""`gpu.map_forall_to_blocks`: check that a function's parallel loop can be its grid.

    %grid = transform.gpu.map_forall_to_blocks %func generate_gpu_launch
        grid_dims = [6, 4, 1] : (!transform.any_op) -> !transform.any_op

Upstream rewrites the loop to `gpu.launch`. Here an `scf.forall` mapped to blocks is the
grid, and code generation launches it: the op checks that it can be launched and
returns it. Nothing changes.

Requires: one `scf.forall` at the top of the target, on buffers or on tensors, from 0 in
steps of 1 to constants, each of its loops mapped to a block dimension of its own; in
it, no loops mapped to blocks, warps or threads. `grid_dims`, where given, has room for
it: fewer blocks cannot do, more would have nothing to do and are not launched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i64
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId, is_block_mapping
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp

_DIMENSIONS = (MappingId.X, MappingId.Y, MappingId.Z)


@irdl_op_definition
class MapForallToBlocksOp(TargetOp):
    """Check that a parallel loop can be launched; consumes the target, returns it."""

    name = "transform.gpu.map_forall_to_blocks"

    grid_dims = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    generate_gpu_launch = opt_prop_def(UnitAttr)
    """Whether upstream creates the launch or expects one; it changes nothing here."""
    result = result_def(TransformOpHandleType)

    assembly_format = (
        "$target (`generate_gpu_launch` $generate_gpu_launch^)? "
        "(`grid_dims` `=` $grid_dims^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """Check that `grid_dims` has three entries or none."""
        if len(self.grid_dims) not in (0, len(_DIMENSIONS)):
            raise VerifyException("transform requires empty or size-3 grid_dims")

    def plans(self, state: TransformState) -> Sequence[ForallOp]:
        """Find the grid of each target, and check them all."""
        grids = super().plans(state)
        room = [int(dim) for dim in self.grid_dims.get_values()]
        for grid in grids:
            check_grid(self, grid)
            if room:
                _check_room(self, grid, room)
        return grids

    def analyze(self, op: Operation) -> ForallOp:
        """Find the grid of one target."""
        return _top_level_forall(self, op)

    def rewrite(self, grid: ForallOp, rewriter: Rewriter) -> ForallOp:
        """Leave the grid as it is: code generation launches it."""
        return grid


def _top_level_forall(user: TransformOp, target: Operation) -> ForallOp:
    """The only forall of a target that is not nested in another."""
    found: list[ForallOp] = []
    for op in target.walk():
        if isinstance(op, ForallOp) and not any(one.is_ancestor(op) for one in found):
            found.append(op)
    if len(found) != 1:
        raise user.refuse(
            f"needs one scf.forall at the top, there are {len(found)}",
            target,
            "match the one that is meant"
            if found
            else user.worded(
                mlir="tile with tile_using_forall",
                tw="tile it first: 'tile ... onto [block.x]'",
            ),
        )
    return found[0]


def check_grid(user: TransformOp, grid: ForallOp) -> None:
    """Refuse a forall that cannot be launched."""
    mapping = grid.mapping
    if mapping is None:
        raise user.refuse(
            "the forall has no mapping",
            grid,
            user.worded(
                mlir="tile with a mapping such as [#gpu.block<x>], or use "
                "loops_to_grid",
                tw="tile with 'onto', such as 'tile ... onto [block.x]'",
            ),
        )
    if not is_block_mapping(mapping):
        raise user.refuse(
            "the forall is not mapped to blocks",
            grid,
            user.worded(
                mlir="use #gpu.block<x>, <y>, <z>", tw="use block.x, block.y, block.z"
            ),
        )
    ids = _ids(grid)
    if len(set(ids)) != len(ids):
        raise user.refuse(
            "two loops are mapped to the same dimension",
            grid,
            remedy="give each loop a dimension of its own",
        )
    if len({one in _DIMENSIONS for one in ids}) > 1:
        raise user.refuse(
            "linear and other dimensions are mixed in one mapping",
            grid,
            remedy="use linear dimensions for all loops, or for none",
        )
    if not grid.is_normalized:
        raise user.refuse(
            "the forall does not count from 0 in steps of 1",
            grid,
            "tile with sizes, so that it counts tiles",
        )
    if not all(isinstance(extent, int) for extent in grid.upper_bounds):
        raise user.refuse(
            "the number of tiles is known only at run time",
            grid,
            "give the function static shapes",
        )
    for inner in grid.body.walk():
        if isinstance(inner, ForallOp) and inner.mapping is not None:
            raise user.refuse(
                "a mapped forall inside the grid: Triton owns what is inside a block",
                inner,
                user.worded(
                    mlir="tile with tile_using_for instead",
                    tw="use 'tile' without 'onto' instead",
                ),
            )


def _ids(grid: ForallOp) -> list[MappingId]:
    """The block dimension of each loop."""
    mapping = grid.mapping or ()
    return [entry.data for entry in mapping if isinstance(entry, BlockMappingAttr)]


def _check_room(user: TransformOp, grid: ForallOp, room: Sequence[int]) -> None:
    """Refuse a grid that has more tiles than blocks were asked for."""
    tiles = [extent for extent in grid.upper_bounds if isinstance(extent, int)]
    ids = _ids(grid)
    if any(one not in _DIMENSIONS for one in ids):
        fits = math.prod(tiles) <= math.prod(room)
    else:
        fits = all(
            count <= room[_DIMENSIONS.index(one)]
            for count, one in zip(tiles, ids, strict=True)
        )
    if not fits:
        raise user.refuse(
            f"grid_dims {list(room)} has no room for {tiles} tiles",
            grid,
            "leave grid_dims out: the grid has as many blocks as tiles",
        )
