"""Element-wise ops on images are computed under the shape that reads them.

A shuffle of pixels splits the channels and moves the parts; a softmax over places joins
rows and columns. With their loops, what computes the image belongs to their kernel.

Before:

    y = relu(x + bias)                   tensor<16x64x64x12xf32>
    z = transpose(expand_shape(y))       tensor<16x3x64x2x64x2xf32>

After:

    z = transpose(relu(expand_shape(x) + expand_shape(bias)))
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from tilewright.frontend.builder.ops.dimension_groups import groups_of
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.torch_backend.ops.elements.before_reshapes import sizes_before
from tilewright.torch_backend.ops.elements.inlining import inlined

_IMAGE_RANK = 4
"""Rows of products have less: what follows a product stays with its matrix."""
_FIRST_PLACE = 2
"""The dimension after those of the batch and of the channels."""
_MOST_OPS = 16


def reshaped_elements(x: Tensor, shape: Shape) -> Tensor | None:
    """An image under another shape, computed so.

    None if no element-wise op computes it, if it follows a reduction, whose kernel
    computes it as well, or if the shape joins other dimensions than places: products
    of batches are planned for what they are given.
    """
    if x.rank < _IMAGE_RANK:
        return None
    groups = groups_of(x.shape, shape)
    if groups is None or any(len(d) > 1 and d[0] < _FIRST_PLACE for d in groups[0]):
        return None
    found = inlined(x, _MOST_OPS)
    values = [one.value for one in found.tensors]
    if x.value in values or _follow_reductions(values):
        return None
    if not any(one.shape == x.shape for one in found.tensors):
        return None
    moved: list[Tensor] = []
    for one in found.tensors:
        sizes = sizes_before(one.shape, shape, x.shape, (groups[1], groups[0]))
        if sizes is None:
            return None
        moved.append(reshape(one, sizes))
    return elementwise(found.function, *moved, dtype=x.dtype)


def _follow_reductions(values: Sequence[SSAValue]) -> bool:
    """Whether an op that is not element-wise computes one of some values."""
    pending, seen = list(values), set[SSAValue]()
    while pending:
        value = pending.pop()
        owner = value.owner
        if value in seen or isinstance(owner, Block):
            continue
        seen.add(value)
        if isinstance(owner, StructuredOp) and not is_elementwise(owner):
            return True
        pending += owner.operands
    return False
