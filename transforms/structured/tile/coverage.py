"""Whether the tiles that a forall writes cover a whole output."""

from __future__ import annotations

from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineMap,
)

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.indexing.composition import composed_over_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear, linear_form
from tilewright.transforms.core.extents import Extent, known_size


def tiles_cover(forall: ForallOp, argument: BlockArgument, whole: SSAValue) -> bool:
    """Whether every element of a shared output is written by some iteration.

    Known for what tiling makes: along each dimension either everything, or tiles of one
    length side by side, the last of them cut off at the end. Extents may be values:
    those of `whole`, the tensor that the output starts from.
    """
    inserts = [
        op
        for op in forall.terminator.region.block.ops
        if isinstance(op, ParallelInsertSliceOp) and op.dest is argument
    ]
    if len(inserts) != 1 or not forall.is_normalized:
        return False
    offsets, sizes, strides = slice_of(inserts[0])
    if any(constant_int(stride) != 1 for stride in strides):
        return False
    used: set[SSAValue] = set()
    for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        extent = known_size(whole, dim)
        if extent is None:
            return False
        if constant_int(offset) == 0 and _is_same(size, extent):
            continue
        index = _covering_index(forall, extent, offset, size)
        if index is None or index in used:
            return False
        used.add(index)
    return True


def _covering_index(
    forall: ForallOp, extent: Extent, offset: Extent, size: Extent
) -> SSAValue | None:
    """The index whose tiles are adjacent and reach the end."""
    if not isinstance(offset, SSAValue):
        return None
    map_, operands = composed_over_dims(AffineMap.identity(1), [offset])
    form = linear_form(map_.results[0])
    if form is None or form.constant != 0 or len(operands) != 1:
        return None
    step = form.terms.get(0, 0)
    index = operands[0]
    if index not in forall.induction_vars or step <= 0:
        return None
    count = forall.upper_bounds[forall.induction_vars.index(index)]
    if not _reaches(count, step, extent):
        return None
    return index if _is_tile(size, index, step, extent) else None


def _reaches(count: Extent, step: int, extent: Extent) -> bool:
    """Whether this many steps reach the end."""
    number, whole = constant_int(count), constant_int(extent)
    if number is not None:
        return whole is not None and number * step >= whole
    assert isinstance(count, SSAValue)
    map_, operands = composed_over_dims(AffineMap.identity(1), [count])
    match map_.results[0]:
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.CeilDiv, AffineDimExpr(), AffineConstantExpr() as by
        ):
            return by.value == step and _is_same(operands[0], extent)
        case AffineDimExpr():
            # As many steps as elements: tiles of one element.
            return _is_same(operands[0], extent)
        case _:
            return False


def _is_tile(size: Extent, index: SSAValue, step: int, extent: Extent) -> bool:
    """Whether a size is the step, or the rest of the extent if that is less."""
    number = constant_int(size)
    if number is not None:
        return number == step
    assert isinstance(size, SSAValue)
    if not isinstance(size.owner, affine.MinOp):
        return False
    map_, operands = composed_over_dims(size.owner.map.data, size.owner.arguments)
    if index not in operands:
        return False
    at = operands.index(index)
    others = [operand for operand in operands if operand is not index]
    if (known := constant_int(extent)) is not None and not others:
        rest = Linear({at: -step}, known)
    elif len(others) == 1 and _is_same(others[0], extent):
        rest = Linear({at: -step, 1 - at: 1})
    else:
        return False
    whole: Linear[int] = Linear({}, step)
    forms = [linear_form(expr) for expr in map_.results]
    return forms in ([whole, rest], [rest, whole])


def _is_same(left: Extent, right: Extent) -> bool:
    """Whether two extents are the same number, value, or dimension of a tensor."""
    number = constant_int(left)
    if number is not None:
        return number == constant_int(right)
    assert isinstance(left, SSAValue)
    if left is right or not isinstance(right, SSAValue):
        return left is right
    a, b = left.owner, right.owner
    return (
        isinstance(a, tensor.DimOp)
        and isinstance(b, tensor.DimOp)
        and a.source is b.source
        and _is_same(a.index, b.index)
    )
