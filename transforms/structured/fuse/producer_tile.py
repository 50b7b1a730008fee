"""Compute one slice of a producer's result: the tile that fusion needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, ForOp
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.tile.one_tile import (
    is_empty,
    loop_ranges,
    slices_by_tiles,
    tile_op,
)


@dataclass(frozen=True)
class Tile:
    """A fused producer, and which part of its result it computes."""

    op: StructuredOp
    offsets: tuple[Extent, ...]
    sizes: tuple[Extent, ...]


def why_not(
    producer: Operation, slice_op: tensor.ExtractSliceOp, result: OpResult
) -> str | None:
    """Why a slice of a producer's result cannot be computed alone; None if it can."""
    if not isinstance(producer, StructuredOp):
        return f"'{producer.name}' is not a structured op"
    if len(producer.results) != len(producer.outputs):
        return "the producer works on buffers"
    if is_empty(producer):
        return "an operand of the producer has no elements: there are no tiles"
    if any(stride != 1 for stride in slice_of(slice_op)[2]):
        return "a slice of the producer is strided"
    map_ = producer.maps[len(producer.inputs) + result.index]
    if not all(isinstance(expr, AffineDimExpr) for expr in map_.results):
        return "the producer's result is not indexed by plain loops"
    if not slices_by_tiles(producer):
        return "an indexing map of the producer runs backwards, or divides loops"
    if not _has_whole_scans(producer, slice_op, map_):
        return "the slice cuts the loop that the producer's totals run along"
    return None


def _has_whole_scans(
    producer: StructuredOp, slice_op: tensor.ExtractSliceOp, map_: AffineMap
) -> bool:
    """Whether a slice has all indices of the reduction loops that it runs along."""
    offsets, sizes, _ = slice_of(slice_op)
    extents = tensor_type(slice_op.source).get_shape()
    return all(
        not is_reduction(producer, loop) or (offset == 0 and size == extent)
        for loop, offset, size, extent in zip(
            named_loops(map_), offsets, sizes, extents, strict=True
        )
    )


def carried_in(loop: Operation, producer: StructuredOp) -> dict[SSAValue, SSAValue]:
    """The block arguments that replace a loop's initial tensors, for a producer.

    A forall's shared outputs hold in every iteration what they held at the start. What
    an `scf.for` carries has changed: only an op that does not read it may use it, in
    place of what the loops around started from, too.
    """
    reads = producer.body.block.args[len(producer.inputs) :]
    is_read = any(arg.first_use for arg in reads)
    if isinstance(loop, ForallOp):
        found = _first(loop.outputs, loop.shared_outs)
    elif isinstance(loop, ForOp) and not is_read:
        found = _first(loop.iter_args, loop.body.block.args[1:])
    else:
        return {}
    if not is_read:
        for start, argument in list(found.items()):
            for outer in _started_from(start):
                found.setdefault(outer, argument)
    return found


def _started_from(value: SSAValue) -> Iterator[SSAValue]:
    """The initial values of the loops that carry a value, from the inside out."""
    while isinstance(value, BlockArgument):
        loop = value.owner.parent_op()
        if isinstance(loop, ForOp) and value.index > 0:
            value = loop.iter_args[value.index - 1]
        elif isinstance(loop, ForallOp) and value in loop.shared_outs:
            value = loop.outputs[list(loop.shared_outs).index(value)]
        else:
            return
        yield value


def _first(
    starts: Sequence[SSAValue], arguments: Sequence[SSAValue]
) -> dict[SSAValue, SSAValue]:
    found: dict[SSAValue, SSAValue] = {}
    for start, argument in zip(starts, arguments, strict=True):
        found.setdefault(start, argument)
    return found


def fuse_slice(
    producer: StructuredOp,
    result: OpResult,
    slice_op: tensor.ExtractSliceOp,
    rewriter: Rewriter,
    destinations: Mapping[SSAValue, SSAValue],
) -> Tile:
    """Replace a slice of a producer's result by the producer's tile for it.

    Its `destinations` are replaced by tensors of the same shape and content.
    """
    new_ops = OpList()
    map_ = producer.maps[len(producer.inputs) + result.index]
    offsets: list[Extent] = [0] * map_.num_dims
    sizes = loop_ranges(producer, new_ops)
    part_offsets, part_sizes, strides = slice_of(slice_op)
    for dim, expr in enumerate(map_.results):
        assert isinstance(expr, AffineDimExpr), "checked by why_not"
        offsets[expr.position] = part_offsets[dim]
        sizes[expr.position] = part_sizes[dim]
    outputs = [destinations.get(output, output) for output in producer.outputs]
    operands = [*producer.inputs, *outputs]
    tiled = tile_op(producer, operands, offsets, sizes, new_ops)
    value: SSAValue = tiled.results[result.index]
    if len(tensor_type(slice_op.result).get_shape()) != len(part_sizes):
        # The slice drops dimensions of size 1; the tile has them still.
        zeros: list[Extent] = [0] * len(part_sizes)
        kept = tensor_type(slice_op.result)
        value = new_ops.add(
            tensor.ExtractSliceOp(value, zeros, part_sizes, strides, kept)
        )
    elif value.type != slice_op.result.type:
        value = new_ops.add(tensor.CastOp(value, slice_op.result.type))
    rewriter.insert_before(slice_op, *new_ops.ops)
    rewriter.replace(slice_op, [value])
    return Tile(tiled, tuple(part_offsets), tuple(part_sizes))
