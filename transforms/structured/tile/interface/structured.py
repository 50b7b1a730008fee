"""Tiles of structured ops, on tensors and on buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import IteratorType, StructuredOp
from tilewright.ir.dialects.memref.layouts import layout_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import is_buffer, tensor_type
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Refusal,
    Tiled,
    Tiling,
)
from tilewright.transforms.structured.tile.one_tile import (
    is_empty,
    loop_ranges,
    operand_slice,
    slices_by_tiles,
    tile_op,
)


class StructuredTiling(Tiling):
    """The indexing maps say which part of each operand a tile reads or writes."""

    op: StructuredOp

    def why_not(self, cut: Sequence[int]) -> Refusal | None:
        """Maps without slices, and operands without elements."""
        if not slices_by_tiles(self.op):
            return Refusal(
                "an indexing map runs backwards, or divides loops: a tile has no slice",
                "tile the other loops, with size 0 for these",
            )
        if is_empty(self.op):
            return Refusal(
                "an operand has no elements: there are no tiles", "leave this op out"
            )
        if any(
            is_buffer(operand.type) and layout_of(operand.type) is None
            for operand in self.op.operands
        ):
            return Refusal("an operand is a buffer whose layout is not strided")
        return None

    @property
    def iterators(self) -> Sequence[IteratorType]:
        """The op's own."""
        return [entry.data for entry in self.op.get_iterator_types()]

    def ranges(self, new_ops: OpList) -> list[Extent]:
        """The extents of the operands' dimensions."""
        return loop_ranges(self.op, new_ops)

    def destinations(self, new_ops: OpList) -> list[SSAValue]:
        """The outputs that are tensors."""
        return list(self.op.outputs) if self.op.results else []

    @property
    def reads_destinations(self) -> bool:
        """Whether the body uses an output."""
        outputs = self.op.body.block.args[len(self.op.inputs) :]
        return any(arg.first_use for arg in outputs)

    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """The op on slices of its operands."""
        outputs = into if self.op.results else self.op.outputs
        operands = [*self.op.inputs, *outputs]
        return Tiled.by(tile_op(self.op, operands, *tile, new_ops))

    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """The output's slice."""
        output = self.op.outputs[result]
        return Part(*operand_slice(output, self._map(result), *tile, new_ops)[:2])

    def why_no_part(self, result: int, part: Part) -> str | None:
        """A part is computed alone if the output's map names loops."""
        map_ = self._map(result)
        if (refusal := self.why_not(named_loops(map_))) is not None:
            return f"{refusal.fact} of the producer"
        if not all(isinstance(expr, AffineDimExpr) for expr in map_.results):
            return "the producer's result is not indexed by plain loops"
        if not self._has_whole_scans(result, part):
            return "the slice cuts the loop that the producer's totals run along"
        return None

    def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
        """The loops that the output's map names, and all of the others."""
        sizes = self.ranges(new_ops)
        offsets: list[Extent] = [0] * len(sizes)
        for dim, loop in enumerate(named_loops(self._map(result))):
            offsets[loop], sizes[loop] = part.offsets[dim], part.sizes[dim]
        return Part(offsets, sizes)

    def _map(self, result: int) -> AffineMap:
        return self.op.maps[len(self.op.inputs) + result]

    def _has_whole_scans(self, result: int, part: Part) -> bool:
        """Whether a part has all indices of the reduction loops that it runs along."""
        extents = tensor_type(self.op.outputs[result]).get_shape()
        loops = named_loops(self._map(result))
        return all(
            not is_reduction(self.op, loop) or (offset == 0 and size == extent)
            for loop, offset, size, extent in zip(loops, *part, extents, strict=True)
        )
