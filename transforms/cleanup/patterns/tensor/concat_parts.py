"""Insert the parts of a concat one by one: `tensor.decompose_concat`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from tilewright.ir.dialects import tensor
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import casted, with_shape
from tilewright.transforms.core.extents import Extent, OpList, dim_size, evaluate
from tilewright.transforms.core.rewriter import Rewriter


@pattern(tensor.ConcatOp)
def insert_parts(op: tensor.ConcatOp, rewriter: Rewriter) -> None:
    """Insert each part into an empty tensor of the size that the parts have."""
    new, kind = OpList(), tensor_type(op.result)
    if len(op.inputs) == 1:
        rewriter.replace_with(op, *casted_input(op))
        return
    shape = list(tensor_type(op.inputs[0]).get_shape())
    dim = op.dim.value.data
    parts = [tensor_type(value).get_shape()[dim] for value in op.inputs]
    shape[dim] = DYNAMIC_INDEX if DYNAMIC_INDEX in parts else sum(parts)
    inserted_parts(op, with_shape(kind, shape), new)
    rewriter.replace_with(op, *new.ops[:-1], *casted(new.ops[-1], kind))


def casted_input(op: tensor.ConcatOp) -> list[tensor.CastOp]:
    """The only input, under the type of the result."""
    return [tensor.CastOp(op.inputs[0], op.result.type)]


def inserted_parts(
    op: tensor.ConcatOp, kind: TensorType[Attribute], new: OpList
) -> SSAValue:
    """The parts of a concat, inserted into an empty tensor of a type."""
    joined = op.dim.value.data
    sizes = [
        [dim_size(value, dim, new) for dim in range(kind.get_num_dims())]
        for value in op.inputs
    ]
    starts = _running_sums([entry[joined] for entry in sizes], new)
    total: list[Extent] = list(sizes[0])
    total[joined] = starts[-1]
    dynamic = [
        new.index(size)
        for size, static in zip(total, kind.get_shape(), strict=True)
        if static == DYNAMIC_INDEX
    ]
    result: SSAValue = new.add(tensor.EmptyOp(dynamic, kind))
    for value, entry, start in zip(op.inputs, sizes, starts, strict=False):
        offsets: list[Extent] = [0] * len(entry)
        offsets[joined] = start
        ones: list[Extent] = [1] * len(entry)
        shape = tensor_type(value).get_shape()
        part: list[Extent] = [
            new.index(size) if static == DYNAMIC_INDEX else static
            for size, static in zip(entry, shape, strict=True)
        ]
        result = new.add(tensor.InsertSliceOp(value, result, offsets, part, ones))
    return result


def _running_sums(sizes: Sequence[Extent], new: OpList) -> list[Extent]:
    plus = AffineExpr.dimension(0) + AffineExpr.dimension(1)
    sums: list[Extent] = [0]
    for size in sizes:
        sums.append(evaluate(plus, [sums[-1], size], new))
    return sums


PATTERNS = (insert_parts,)
