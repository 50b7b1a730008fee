"""Compute one slice of a producer's result: the tile that fusion needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.scf import ForallOp, ForOp
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.tile.interface.table import tiling_of
from tilewright.transforms.structured.tile.interface.tiling import Part, Tiled


@dataclass(frozen=True)
class Tile:
    """A fused producer, and which part of its result it computes."""

    tiled: Tiled
    part: Part


def why_not(
    producer: Operation, slice_op: tensor.ExtractSliceOp, result: OpResult
) -> str | None:
    """Why a slice of a producer's result cannot be computed alone; None if it can."""
    tiling = tiling_of(producer)
    if tiling is None:
        return f"'{producer.name}' cannot be tiled"
    offsets, sizes, strides = slice_of(slice_op)
    if any(constant_int(stride) != 1 for stride in strides):
        return "a slice of the producer is strided"
    return tiling.why_no_part(result.index, Part(offsets, sizes))


def carried_in(loop: Operation | None, producer: Operation) -> dict[SSAValue, SSAValue]:
    """The block arguments that replace a loop's initial tensors, for a producer.

    A forall's shared outputs hold in every iteration what they held at the start. What
    an `scf.for` carries has changed: only an op that does not read it may use it, in
    place of what the loops around started from, too.
    """
    tiling = tiling_of(producer)
    is_read = tiling is None or tiling.reads_destinations
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
    producer: Operation,
    result: OpResult,
    slice_op: tensor.ExtractSliceOp,
    rewriter: Rewriter,
    replaced: Mapping[SSAValue, SSAValue],
) -> Tile:
    """Replace a slice of a producer's result by the producer's tile for it.

    Destinations in `replaced` give way to tensors of the same shape and content.
    """
    new_ops = OpList()
    tiling = tiling_of(producer)
    assert tiling is not None, "checked by why_not"
    offsets, sizes, strides = slice_of(slice_op)
    part = Part(offsets, sizes)
    into: list[SSAValue] = []
    if tiling.WRITES_DESTINATIONS:
        starts = tiling.destinations(new_ops)
        into = [replaced.get(start, start) for start in starts]
    tiled = tiling.tile_of_result(result.index, part, into, new_ops)
    value = tiled.values[result.index]
    value.name_hint = value.name_hint or result.name_hint
    if len(tensor_type(slice_op.result).get_shape()) != len(sizes):
        # The slice drops dimensions of size 1; the tile has them still.
        zeros: list[Extent] = [0] * len(sizes)
        kept = tensor_type(slice_op.result)
        value = new_ops.add(tensor.ExtractSliceOp(value, zeros, sizes, strides, kept))
    elif value.type != slice_op.result.type:
        value = new_ops.add(tensor.CastOp(value, slice_op.result.type))
    rewriter.insert_before(slice_op, *new_ops.ops)
    rewriter.replace(slice_op, [value])
    return Tile(tiled, part)
