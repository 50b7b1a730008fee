"""`structured.continuous_tile_sizes`: tile sizes that shrink by powers of two.

    %tiles, %chunks = continuous_tile_sizes %mm {dimension = 0, target_size = 7}

For a loop of extent 25 the sizes are 7, 4 and the chunks 21, 4: three tiles of 7, then
one of 4. What the target size leaves over is covered by powers of two, each once. The
payload stays as it is; `split` it after %chunks with `multiway`, then tile each part.

Requires: one target, and a loop whose extent is known.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.transforms.core.base import TransformParamHandleType
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.tile.size_queries import SizeQuery


@irdl_op_definition
class ContinuousTileSizesOp(SizeQuery):
    """The sizes, the largest first, and how much of the loop each covers."""

    name = "transform.structured.continuous_tile_sizes"
    RESULTS: ClassVar[int] = 2

    tile_sizes = result_def(TransformParamHandleType)
    chunk_sizes = result_def(TransformParamHandleType)

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
        parts = sizes_for(self.extent(targets[0]), size)
        tiles = [IntegerAttr(tile, i64) for tile, _ in parts]
        chunks = [IntegerAttr(chunk, i64) for _, chunk in parts]
        state.set_params(self.tile_sizes, tiles)
        state.set_params(self.chunk_sizes, chunks)


def sizes_for(extent: int, size: int) -> list[tuple[int, int]]:
    """Tile sizes, and how much each covers; the first may cover nothing."""
    left = extent % size
    powers = [1 << bit for bit in range(left.bit_length()) if left >> bit & 1]
    return [(size, extent - left), *((power, power) for power in reversed(powers))]
