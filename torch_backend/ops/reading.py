"""Tensors as kernels can read them at computed places."""

from __future__ import annotations

from tilewright.frontend.builder.elements import elementwise
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.views import materialized
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
)


def whole_of(x: Tensor) -> Tensor:
    """The tensor without its view; a part of another tensor is copied."""
    plain = materialized(x)
    source = plain.value
    while isinstance(source.owner, CollapseShapeOp | ExpandShapeOp):
        source = source.owner.operands[0]
    if isinstance(source.owner, ExtractSliceOp):
        return elementwise(lambda x: x, plain)
    return plain
