"""Element-wise ops on images are computed under the shape that splits their dimensions.

A shuffle of pixels or channels splits the channels and moves the parts. With the loops
of the parts, what computes the image belongs to the kernel that moves them.

Before:

    y = relu(x + bias)                   tensor<16x64x64x12xf32>
    z = transpose(expand_shape(y))       tensor<16x3x64x2x64x2xf32>

After:

    z = transpose(relu(expand_shape(x) + expand_shape(bias)))
"""

from __future__ import annotations

from tilewright.frontend.builder.elements import elementwise
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.views import groups_of, reshape
from tilewright.torch_backend.ops.elements.before_reshapes import sizes_before
from tilewright.torch_backend.ops.elements.inlining import inlined

_IMAGE_RANK = 4
"""Rows of products have less: what follows a product stays with its matrix."""
_MOST_OPS = 16


def split_dimensions(x: Tensor, shape: Shape) -> Tensor | None:
    """A tensor under a shape that splits dimensions, computed so.

    None if no element-wise op computes it, or the shape joins dimensions as well.
    """
    if x.rank < _IMAGE_RANK or len(shape) <= x.rank:
        return None
    groups = groups_of(x.shape, shape)
    if groups is None or any(len(dims) > 1 for dims in groups[0]):
        return None
    found = inlined(x, _MOST_OPS)
    if any(one.value is x.value for one in found.tensors):
        return None
    moved: list[Tensor] = []
    for one in found.tensors:
        sizes = sizes_before(one.shape, shape, x.shape, (groups[1], groups[0]))
        if sizes is None:
            return None
        moved.append(reshape(one, sizes))
    return elementwise(found.function, *moved, dtype=x.dtype)
