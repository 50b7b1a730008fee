"""Slices of everything are nothing; dimensions that are known are known."""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.tensor import SliceOp, slice_of
from tilewright.transforms.cleanup.patterns.constants import constant_int
from tilewright.transforms.cleanup.patterns.driver import pattern
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.structured.extents import known_size


def covers(op: SliceOp, whole: SSAValue) -> bool:
    """Whether a slice is all of `whole`: from 0, in steps of 1, every dimension full.

    Upstream folds this for static shapes only. We also know that a size is full when it
    is the very value the dimension was made with, as in a partial tile.
    """
    offsets, sizes, strides = slice_of(op)
    for dim, (offset, size, stride) in enumerate(
        zip(offsets, sizes, strides, strict=True)
    ):
        if constant_int(offset) != 0 or constant_int(stride) != 1:
            return False
        full = known_size(whole, dim)
        if full is None:
            return False
        if size is not full and constant_int(size) != (constant_int(full) or -1):
            return False
    return True


@pattern(tensor.ExtractSliceOp)
def fold_extract(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> None:
    """Extracting everything."""
    if op.result.type == op.source.type and covers(op, op.source):
        rewriter.replace(op, [op.source])


@pattern(tensor.InsertSliceOp)
def fold_insert(op: tensor.InsertSliceOp, rewriter: Rewriter) -> None:
    """Inserting over everything."""
    if op.source.type == op.dest.type and covers(op, op.dest):
        rewriter.replace(op, [op.source])


@pattern(tensor.DimOp)
def fold_dim(op: tensor.DimOp, rewriter: Rewriter) -> None:
    """A dimension that can be followed to its source."""
    dim = constant_int(op.index)
    if dim is None:
        return
    size = known_size(op.source, dim)
    if isinstance(size, SSAValue):
        rewriter.replace(op, [size])
    elif size is not None:
        number = IntegerAttr.from_index_int_value(size)
        rewriter.replace_with(op, arith.ConstantOp(number))


@pattern(CopyOp)
def fold_copy(op: CopyOp, rewriter: Rewriter) -> None:
    """Copying a buffer onto itself."""
    if op.source is op.target:
        rewriter.erase(op)


PATTERNS = (fold_extract, fold_insert, fold_dim, fold_copy)
