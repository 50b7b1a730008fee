"""Reads at computed places run under the shape that splits their dimensions.

Images that are warped are read as rows of pixels, and are images again behind that.
What weights the pixels has the loops of an image, and would be a kernel of its own.

Before:

    rows = gather(x, places)             tensor<16x32x4096xf32>
    y = expand_shape(rows) * weight      loops over 16x32x64x64

After:

    y = gather(x, expand_shape(places)) * weight
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineMap

from tilewright.frontend.builder.ops.dimension_groups import groups_of
from tilewright.frontend.builder.ops.elements import named_elementwise
from tilewright.frontend.builder.ops.reshapes import is_plain, reshape
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import ExtractOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.torch_backend.ops.elements.before_reshapes import sizes_before
from tilewright.torch_backend.ops.elements.inlining import (
    copied_body,
    inlined,
    operands_of,
)


def split_reads(x: Tensor, shape: Shape) -> Tensor | None:
    """A tensor that is read at given indices under a shape that splits dimensions.

    None if no such op makes it, or if the shape joins dimensions.
    """
    maker = x.value.owner
    if not isinstance(maker, GenericOp) or not _reads_at_indices(maker):
        return None
    groups = groups_of(x.shape, shape)
    is_known = all(isinstance(size, int) for size in (*x.shape, *shape))
    if groups is None or not is_known or not is_plain(x):
        return None
    if any(len(dims) > 1 for dims in groups[0]):
        return None
    # What only broadcasts indices is no op of its own.
    operands = [inlined(one, 0) for one in operands_of(x)]
    moved: list[Tensor] = []
    for one in (tensor for operand in operands for tensor in operand.tensors):
        sizes = sizes_before(one.shape, shape, x.shape, (groups[1], groups[0]))
        if sizes is None:
            return None
        moved.append(reshape(one, sizes))

    def element(*given: Scalar) -> Scalar:
        rest = iter(given)
        found = [
            operand.function(*[next(rest) for _ in operand.tensors])
            for operand in operands
        ]
        return copied_body(maker, found, [_place(dims, shape) for dims in groups[1]])

    return named_elementwise(
        "read",
        lambda at: element(*at.values()),
        {f"at{n}": one for n, one in enumerate(moved)},
        x.dtype,
        shape,
    )


def _reads_at_indices(op: GenericOp) -> bool:
    """Whether an element-wise op of one result reads a tensor at given indices."""
    block, last = op.body.block, op.indexing_maps.data[-1].data
    return (
        any(isinstance(each, ExtractOp) for each in block.ops)
        and len(op.inputs) > 0
        and len(op.results) == 1
        and is_elementwise(op)
        and last == AffineMap.identity(last.num_dims)
        and block.args[-1].first_use is None
    )


def _place(dims: Sequence[int], shape: Shape) -> Scalar:
    """The index along dimensions that were one."""
    at = index(dims[0])
    for dim in dims[1:]:
        size = shape[dim]
        assert isinstance(size, int)
        at = at * size + index(dim)
    return at
