"""`structured.continuous_tile_sizes`: tile sizes that shrink by powers of two.

    %tiles, %chunks = continuous_tile_sizes %mm {dimension = 0, target_size = 7}

For a loop of extent 25 the sizes are 7, 4 and the chunks 21, 4: three tiles of 7, then
one of 4. What the target size leaves over is covered by powers of two, each once. The
payload stays as it is; `split` it after %chunks with `multiway`, then tile each part.

Requires: one target, and, for parameters, a loop whose extent is known.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.transforms.core.base import TransformHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.tile.one_tile import loop_ranges
from tilewright.transforms.structured.tile.size_queries import (
    SizeQuery,
    floor_div,
    modulo,
    size_op,
    times,
)


@irdl_op_definition
class ContinuousTileSizesOp(SizeQuery):
    """The sizes, the largest first, and how much of the loop each covers."""

    name = "transform.structured.continuous_tile_sizes"
    RESULTS: ClassVar[int] = 2

    tile_sizes = result_def(TransformHandleType)
    chunk_sizes = result_def(TransformHandleType)

    def apply(self, state: TransformState) -> None:
        """Compute the sizes; the payload does not change."""
        size = self.size_wanted()
        targets = state.payload_ops(self.target)
        if len(targets) != 1:
            raise self.broken(
                f"it looks at one op, the handle has {len(targets)}",
                remedy="take one of them with "
                + self.worded(
                    mlir="split_handle, or use foreach", tw="'pick', or use 'for each'"
                ),
            )
        if self.gives_ops:
            self._apply_to_payload(state, targets[0], size)
            return
        parts = sizes_for(self.extent(targets[0]), size)
        tiles = [IntegerAttr(tile, i64) for tile, _ in parts]
        chunks = [IntegerAttr(chunk, i64) for _, chunk in parts]
        state.set_params(self.tile_sizes, tiles)
        state.set_params(self.chunk_sizes, chunks)

    def _apply_to_payload(
        self, state: TransformState, target: Operation, size: int
    ) -> None:
        """Compute the sizes in front of the target."""
        op, loop = self.loop_of(target)
        new_ops = OpList()
        extent = loop_ranges(op, new_ops)[loop]
        tiles: list[Operation] = []
        chunks: list[Operation] = []
        left: AffineExpr = AffineExpr.symbol(0)
        while size:
            tile = AffineConstantExpr(size)
            chunk = times(floor_div(left, tile), tile)
            left = modulo(left, tile)
            # As a parameter, a size that covers nothing of a known extent is left out.
            if not chunks or not isinstance(extent, int) or _value(chunk, extent):
                tiles.append(new_ops.index(size).owner)  # pyright: ignore[reportArgumentType]
                chunks.append(size_op(chunk, extent, new_ops))
            size = (1 << (size - 1).bit_length()) // 2 if size > 1 else 0
        state.rewriter.insert_before(op, *new_ops.ops)
        state.set_ops(self.tile_sizes, tiles)
        state.set_ops(self.chunk_sizes, chunks)


def _value(size: AffineExpr, extent: int) -> int:
    return size.eval([], [extent])


def sizes_for(extent: int, size: int) -> list[tuple[int, int]]:
    """Tile sizes, and how much each covers; the first may cover nothing."""
    left = extent % size
    powers = [1 << bit for bit in range(left.bit_length()) if left >> bit & 1]
    return [(size, extent - left), *((power, power) for power in reversed(powers))]
