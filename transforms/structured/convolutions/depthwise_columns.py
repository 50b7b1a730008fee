"""A depthwise convolution as products of matrices and vectors, one for each channel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import BatchMatvecOp, GenericOp, WindowOp
from tilewright.ir.dialects.tensor import reassociation_of
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.structured.new_ops import empty, generic


def depthwise_as_products(op: WindowOp, new: OpList) -> tuple[GenericOp, SSAValue]:
    """The columns, and the result in the layout of the convolution.

    The op is `depthwise_conv_2d_nhwc_hwc`, and all sizes are known.
    """
    image, window, output = op.operands
    image = _transposed(image, (0, 3, 1, 2), new)
    window = _transposed(window, (2, 0, 1), new)
    output = _transposed(output, (0, 3, 1, 2), new)
    columns = _columns(op, image, window, output, new)
    product = new.add(
        BatchMatvecOp(
            [
                _collapsed(columns.results[0], [[0, 1], [2, 3], [4, 5]], new),
                _collapsed(window, [[0], [1, 2]], new),
            ],
            [_collapsed(output, groups := [[0, 1], [2, 3]], new)],
        )
    )
    kind = tensor_type(output)
    expanded = new.add(
        tensor.ExpandShapeOp(
            product, [], reassociation_of(groups), kind.get_shape(), kind
        )
    )
    return columns, _transposed(expanded, (0, 2, 3, 1), new)


def _columns(
    op: WindowOp, image: SSAValue, window: SSAValue, output: SSAValue, new: OpList
) -> GenericOp:
    """The elements under the window at each place, with two dimensions more."""
    sizes = (*tensor_type(output).get_shape(), *tensor_type(window).get_shape()[1:])
    n, c, h, w, kh, kw = (AffineExpr.dimension(loop) for loop in range(6))
    down, across = op.steps("strides")
    places = (h * down + kh if down != 1 else h + kh, w * across + kw)
    if across == 1:
        places = (places[0], w + kw)
    return generic(
        [image],
        [empty(sizes, element_type(image.type), new)],
        [AffineMap(6, 0, (n, c, *places)), AffineMap.identity(6)],
        (),
        lambda body: body.args[:1],
        new,
    )


def _transposed(value: SSAValue, order: Sequence[int], new: OpList) -> SSAValue:
    shape = tensor_type(value).get_shape()
    target = empty([shape[dim] for dim in order], element_type(value.type), new)
    rank = len(order)
    source = tuple(AffineExpr.dimension(order.index(dim)) for dim in range(rank))
    maps = [AffineMap(rank, 0, source), AffineMap.identity(rank)]
    made = generic([value], [target], maps, (), lambda body: body.args[:1], new)
    return made.results[0]


def _collapsed(value: SSAValue, groups: list[list[int]], new: OpList) -> SSAValue:
    shape = tensor_type(value).get_shape()
    sizes: list[int] = []
    for dims in groups:
        size = 1
        for dim in dims:
            size *= shape[dim]
        sizes.append(size)
    kind = TensorType(element_type(value.type), sizes)
    return new.add(tensor.CollapseShapeOp(value, reassociation_of(groups), kind))
