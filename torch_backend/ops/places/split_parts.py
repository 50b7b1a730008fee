"""Parts of a dimension that are split: kernels read them where they lie, or a copy.

Columns 8 to 16 of 24 as 2 rows of 4 are rows 2 to 4 of all 6. Columns 5 to 13 of 21 are
no rows of the whole, and kernels have no address for a tile of them: they are copied.
"""

from __future__ import annotations

import math

from tilewright.frontend.builder.ops.dimension_groups import groups_of
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.tensor import ExtractSliceOp
from tilewright.ir.types import tensor_type


def splittable(x: Tensor, shape: Shape) -> Tensor:
    """A tensor that can have the shape; a part whose rows the whole lacks is copied."""
    view, groups = x.value.owner, groups_of(x.shape, shape)
    if not isinstance(view, ExtractSliceOp) or groups is None:
        return x
    whole = tensor_type(view.source).get_shape()
    offsets = view.static_offsets.get_values()
    steps = view.static_strides.get_values()
    for joined, split in zip(*groups, strict=True):
        sizes = [shape[dim] for dim in split if shape[dim] != 1]
        known = [size for size in sizes if isinstance(size, int)]
        axis = x.axes[joined[0]]
        if len(joined) > 1 or len(known) < 2 or len(known) < len(sizes) or axis is None:
            continue
        row = math.prod(known[1:])
        is_cut = x.sizes[axis] != whole[axis]
        if is_cut and (offsets[axis] % row or whole[axis] % row or steps[axis] != 1):
            return elementwise(lambda x: x, x)
    return x
