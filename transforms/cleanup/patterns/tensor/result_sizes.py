"""Sizes of results in terms of operands.

The group `memref.resolve_ranked_shaped_type_result_dims`: `tensor.dim` of what an op
makes becomes sizes of what it was made of, so that the op itself may go.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.normal_form import constant, times
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.tensor.pads import padding_of
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    groups_of,
    output_sizes,
)
from tilewright.transforms.cleanup.patterns.tensor.sizes import (
    DESTINATIONS,
    dim_of_cast,
    dim_of_empty,
)
from tilewright.transforms.cleanup.shapes import Size, shape_of
from tilewright.transforms.core.rewriter import Rewriter


@pattern(tensor.DimOp)
def dim_of_result(op: tensor.DimOp, rewriter: Rewriter) -> None:
    """Compute the size that an op gives its result."""
    dim, owner = constant_int(op.index), op.source.owner
    if dim is None or not is_tensor(op.source.type) or not isinstance(owner, Operation):
        return
    new_ops: list[Operation] = []
    size = _size(owner, op.source, dim, new_ops)
    if size is None:
        return
    if isinstance(size, int):
        size_op = index_constant(size)
        new_ops.append(size_op)
        size = size_op.result
    for new_op in new_ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new_ops)
    rewriter.replace(op, [size])


def _size(
    owner: Operation, value: SSAValue, dim: int, new_ops: list[Operation]
) -> Size | None:
    """The size of a dimension of what an op makes; None if nothing is known."""
    match owner.name:
        case "tensor.pad":
            low, high = padding_of(owner)
            source = _dim(owner.operands[0], dim, new_ops)
            total = sum((AffineExpr.dimension(d) for d in (1, 2)), AffineDimExpr(0))
            size, ops = applied(total, [source, low[dim], high[dim]])
            new_ops += ops
            return size
        case "tensor.expand_shape":
            return output_sizes(owner)[dim]
        case "tensor.collapse_shape":
            group = groups_of(owner)[dim]
            sizes = [_dim(owner.operands[0], inner, new_ops) for inner in group]
            product: AffineExpr = constant(1)
            for position in range(len(sizes)):
                product = times(product, AffineDimExpr(position))
            size, ops = applied(product, sizes)
            new_ops += ops
            return size
        case name if name in DESTINATIONS:
            return _dim(owner.operands[1], dim, new_ops)
        case _ if isinstance(owner, StructuredOp) and isinstance(value, OpResult):
            return _computed_size(owner, value, dim, new_ops)
        case _:
            return None


def _computed_size(
    op: StructuredOp, result: OpResult, dim: int, new_ops: list[Operation]
) -> Size | None:
    """The size of the first operand that the same loop runs over."""
    loop = op.maps[len(op.inputs) + result.index].results[dim]
    for operand, map_ in zip(op.operands, op.maps, strict=True):
        if is_tensor(operand.type) and loop in map_.results:
            return _dim(operand, map_.results.index(loop), new_ops)
    return None


def _dim(value: SSAValue, dim: int, new_ops: list[Operation]) -> Size:
    size = shape_of(value)[dim]
    if size != DYNAMIC_INDEX:
        return size
    index = index_constant(dim)
    read = tensor.DimOp(value, index.result)
    new_ops += [index, read]
    return read.results[0]


PATTERNS = (dim_of_result, dim_of_cast, dim_of_empty)
