"""Write a reshape as a cast to its sizes and strides: `memref.expand_ops`."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType

from tilewright.ir.dialects import arith, memref
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter


@pattern(memref.ReshapeOp)
def reinterpret(op: memref.ReshapeOp, rewriter: Rewriter) -> None:
    """Cast to sizes that are read from the shape, and the strides that follow."""
    (rank,) = buffer_type(op.shape).get_shape()
    if rank == DYNAMIC_INDEX:
        return
    new, kind = OpList(), buffer_type(op.result)
    sizes: list[Extent] = [0] * rank
    strides: list[Extent] = [1] * rank
    stride: Extent = 1
    for dim in reversed(range(rank)):
        size: Extent = kind.get_shape()[dim]
        if size == DYNAMIC_INDEX:
            size = new.add(memref.LoadOp(op.shape, [new.index(dim)]))
            if not isinstance(size.type, IndexType):
                size = new.add(arith.IndexCastOp(size, IndexType()))
        sizes[dim], strides[dim] = size, stride
        if dim:
            stride = _times(stride, size, new)
    new.add(memref.ReinterpretCastOp(op.source, 0, sizes, strides, kind))
    rewriter.replace_with(op, *new.ops)


def _times(left: Extent, right: Extent, new: OpList) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if left == 1:
        return right
    return new.add(arith.MuliOp(new.index(left), new.index(right)))


PATTERNS = (reinterpret,)
