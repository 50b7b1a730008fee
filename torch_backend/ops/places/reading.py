"""Tensors as kernels can read them at computed places."""

from __future__ import annotations

from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.views import materialized
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
)


def whole_of(x: Tensor) -> Tensor:
    """A tensor, or a transposed view of one; a part of another tensor is copied."""
    plain = materialized(x) if None in x.axes else x
    source = plain.value
    while isinstance(source.owner, CollapseShapeOp | ExpandShapeOp):
        source = source.owner.operands[0]
    if isinstance(source.owner, ExtractSliceOp):
        return elementwise(lambda x: x, plain)
    return plain


def position(loop: int, *sizes: object) -> Scalar:
    """The index of a loop, to compute places of a dimension of these sizes with.

    32 bits take half of the registers; places a few sizes outside must fit as well.
    """
    is_short = all(isinstance(size, int) and size < 2**28 for size in sizes)
    return index(loop).cast("i32" if is_short else "i64")
