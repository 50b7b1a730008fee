"""Ops that access a part of a tensor: extractions and insertions, of tiles or vectors.

They all name a tensor and a part of it, by offsets, sizes and strides. Two that name
the same part of the same tensor access the same memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects.tensor import (
    ExtractSliceOp,
    InsertSliceOp,
    ParallelInsertSliceOp,
    Slice,
    slice_of,
)
from tilewright.ir.dialects.vector import MaskOp, TransferReadOp, TransferWriteOp
from tilewright.ir.types import vector_type
from tilewright.transforms.bufferization.buffer_aliases import is_all_of, known

Transfer = TransferReadOp | TransferWriteOp


@dataclass(frozen=True)
class Subset:
    """A part of a tensor."""

    tensor: SSAValue
    part: Slice

    @property
    def is_everything(self) -> bool:
        """Whether it is known to be the whole tensor."""
        return is_all_of(self.part, self.tensor)

    def is_same(self, other: Subset) -> bool:
        """Whether both are known to be the same part of the same tensor."""
        return self.tensor is other.tensor and is_same_part(self.part, other.part)


def accessed(op: Operation) -> Subset | None:
    """The part that an op reads or writes, if it is known exactly."""
    match op:
        case ExtractSliceOp():
            return Subset(op.source, slice_of(op))
        case InsertSliceOp() | ParallelInsertSliceOp():
            return Subset(op.dest, slice_of(op))
        case TransferReadOp() | TransferWriteOp():
            return _transferred(op)
        case _:
            return None


def is_accessed(subset: Subset, value: SSAValue) -> bool:
    """Whether a value is exactly a part: taken out of it, or the whole tensor."""
    if value is subset.tensor:
        return subset.is_everything
    if not isinstance(value.owner, ExtractSliceOp):
        return False
    taken = accessed(value.owner)
    return taken is not None and taken.is_same(subset)


def _transferred(op: Transfer) -> Subset | None:
    """The part that a vector covers, whatever the order of its lanes is."""
    is_masked = op.mask is not None or isinstance(op.parent_op(), MaskOp)
    if is_masked or not all(bool(entry) for entry in op.in_bounds):
        return None
    vector = op.vector if isinstance(op, TransferWriteOp) else op.result
    sizes: list[SSAValue | int] = [1] * len(op.indices)
    lanes = vector_type(vector).get_shape()
    for expr, extent in zip(op.permutation_map.data.results, lanes, strict=True):
        if not isinstance(expr, AffineDimExpr):
            return None
        sizes[expr.position] = extent
    return Subset(op.source, (list(op.indices), sizes, [1] * len(sizes)))


def is_same_part(one: Slice, other: Slice) -> bool:
    """Whether two slices have the same offsets, sizes and strides."""
    return all(
        list(map(known, left)) == list(map(known, right))
        for left, right in zip(one, other, strict=True)
    )
