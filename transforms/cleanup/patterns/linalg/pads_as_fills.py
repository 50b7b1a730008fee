"""Write a pad as a fill and an insertion: `linalg.decompose_pad`."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.tensor.pads import constant_padding
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter


@pattern(tensor.PadOp)
def pad_by_insertion(op: tensor.PadOp, rewriter: Rewriter) -> None:
    """Insert the source into a tensor that has the padding everywhere."""
    new, kind = OpList(), tensor_type(op.result)
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    dynamic: list[SSAValue] = []
    for dim, size in enumerate(kind.get_shape()):
        if size == DYNAMIC_INDEX:
            total = _plus(_size(op.source, dim, new), low[dim], new)
            dynamic.append(new.index(_plus(total, high[dim], new)))
    value = constant_padding(op)
    if value is None:
        body = op.detach_region(0)
        filled = new.add(tensor.GenerateOp(dynamic, body, kind))
    else:
        destination = new.add(tensor.EmptyOp(dynamic, kind))
        filled = new.add(FillOp([value], [destination]))
    sizes = [_size(op.source, dim, new) for dim in range(len(low))]
    ones: list[Extent] = [1] * len(low)
    new.add(tensor.InsertSliceOp(op.source, filled, low, sizes, ones))
    rewriter.replace_with(op, *new.ops)


def _size(value: SSAValue, dim: int, new: OpList) -> Extent:
    size = tensor_type(value).get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return size
    return new.add(tensor.DimOp(value, new.index(dim)))


def _plus(left: Extent, right: Extent, new: OpList) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if right == 0:
        return left
    return new.add(arith.AddiOp(new.index(left), new.index(right)))


PATTERNS = (pad_by_insertion,)
