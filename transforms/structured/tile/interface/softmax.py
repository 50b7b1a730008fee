"""Tiles of `linalg.softmax`: rows at a time, on tensors and on buffers.

As upstream, it is no producer to fuse: `decompose_interface` makes ops that are.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.ir.dialects.linalg import IteratorType
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.linalg.ops.softmax import SoftmaxOp
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Refusal,
    Tiled,
    Tiling,
)
from tilewright.transforms.structured.tile.one_tile import sliced


class SoftmaxTiling(Tiling):
    """The loops are the dimensions; the one that is normalized is a reduction."""

    op: SoftmaxOp

    def why_not(self, cut: Sequence[int]) -> Refusal | None:
        """Rows that are cut: upstream cuts them, and normalizes each part alone."""
        if self.op.dimension.value.data not in cut:
            return None
        return Refusal(
            "a tile of a softmax has whole rows",
            "give the dimension size 0, or decompose the softmax first",
            is_doubt=True,
        )

    @property
    def iterators(self) -> Sequence[IteratorType]:
        """A reduction along the dimension."""
        rank, along = len(shape_of(self.op.input.type)), self.op.dimension.value.data
        return [
            IteratorType.REDUCTION if dim == along else IteratorType.PARALLEL
            for dim in range(rank)
        ]

    def ranges(self, new_ops: OpList) -> list[Extent]:
        """The input's shape."""
        source = self.op.input
        return [dim_size(source, d, new_ops) for d in range(len(self.iterators))]

    def destinations(self, new_ops: OpList) -> list[SSAValue]:
        """The output, if it is a tensor."""
        return [self.op.output] if self.op.results else []

    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """The same part of input and output."""
        output = into[0] if into else self.op.output
        tiled = SoftmaxOp(
            sliced(self.op.input, *tile, new_ops),
            sliced(output, *tile, new_ops),
            self.op.dimension.value.data,
        )
        tiled.attributes |= self.op.attributes
        tiled.location = self.op.location
        new_ops.ops.append(tiled)
        return Tiled.by(tiled)

    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """The tile itself."""
        return tile

    @property
    def has_parts(self) -> bool:
        """None: each element needs a whole row."""
        return False
