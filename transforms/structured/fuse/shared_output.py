"""Fuse a producer into the slices of a shared output that starts from it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import destination_of
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.fuse.producer_tile import fuse_slice, why_not
from tilewright.transforms.structured.tile.coverage import tiles_cover


@dataclass(frozen=True)
class FusedOutput:
    """The tiles of a producer that a shared output started from."""

    fused: tuple[Operation, ...]
    keeps_original: bool
    """Whether the loop still starts from the producer's result."""


def fuse_through_output(
    user: TransformOp, producer: Operation, forall: ForallOp, rewriter: Rewriter
) -> FusedOutput | None:
    """Fuse into the slices of a shared output that starts from the producer."""
    for position, (output, argument) in enumerate(
        zip(forall.outputs, forall.shared_outs, strict=True)
    ):
        if not isinstance(output, OpResult) or output.op is not producer:
            continue
        _slice_whole(argument, rewriter)
        slices = [
            use.operation
            for use in argument.uses
            if isinstance(use.operation, tensor.ExtractSliceOp)
        ]
        if not slices:
            continue
        for slice_op in slices:
            if (reason := why_not(producer, slice_op, output)) is not None:
                raise user.refuse(reason, slice_op)
        _check_only_sliced(user, producer, argument)
        # Elements that no tile covers must still hold the producer's result.
        covers = tiles_cover(forall, argument, output, rewriter.equal_extents)
        into: dict[SSAValue, SSAValue] = {}
        destination = destination_of(output)
        if covers and destination is not None:
            into = {destination: argument}
        tiles = [
            fuse_slice(producer, output, slice_op, rewriter, into)
            for slice_op in slices
        ]
        if covers and destination is not None:
            start = len(forall.operands) - len(forall.outputs)
            forall.operands[start + position] = destination
            rewriter.changed(forall)
        return FusedOutput(tuple(tile.tiled.op for tile in tiles), not covers)
    return None


def _slice_whole(argument: SSAValue, rewriter: Rewriter) -> None:
    """Let an op that starts from a whole shared output start from a slice of all of it.

    An op without loops to tile, such as a sum to a scalar, was fused as a whole.
    """
    kind = tensor_type(argument)
    shape = kind.get_shape()
    if DYNAMIC_INDEX in shape:
        return
    for use in list(argument.uses):
        reader = use.operation
        if isinstance(reader, StructuredOp) and use.index >= len(reader.inputs):
            part = [0] * len(shape), list(shape), [1] * len(shape)
            whole = tensor.ExtractSliceOp(argument, *part, kind)
            rewriter.insert_before(reader, whole)
            rewriter.set_operand(reader, use.index, whole.result)


def _check_only_sliced(
    user: TransformOp, producer: Operation, argument: SSAValue
) -> None:
    """Refuse a shared output that is read other than by slices.

    The loop will start from the producer's destination, which has other contents.
    """
    for use in argument.uses:
        reader = use.operation
        if isinstance(reader, tensor.ExtractSliceOp | tensor.DimOp):
            continue
        if isinstance(reader, ParallelInsertSliceOp) and reader.dest is argument:
            continue
        raise user.refuse(
            f"'{reader.name}' in the loop uses the whole result of '{producer.name}'",
            producer,
            "tile what uses it first",
        )
