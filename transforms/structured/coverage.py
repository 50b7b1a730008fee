"""Whether the tiles a forall hands back make up the whole of an output."""

from __future__ import annotations

from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.patterns.affine import compose, linear_terms
from tilewright.transforms.cleanup.patterns.constants import constant_int
from tilewright.transforms.structured.extents import Extent


def tiles_cover(forall: ForallOp, argument: BlockArgument) -> bool:
    """Whether every element of a shared output is written by some iteration.

    Known for what tiling makes: along each dimension either everything, or tiles of one
    length side by side, the last of them cut off at the end.
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
    for extent, offset, size in zip(
        tensor_type(argument).get_shape(), offsets, sizes, strict=True
    ):
        if constant_int(offset) == 0 and constant_int(size) == extent:
            continue
        index = _covering_index(forall, extent, offset, size)
        if index is None or index in used:
            return False
        used.add(index)
    return True


def _covering_index(
    forall: ForallOp, extent: int, offset: Extent, size: Extent
) -> SSAValue | None:
    """The index whose tiles lie side by side and reach the end."""
    if not isinstance(offset, SSAValue):
        return None
    map_, operands = compose(AffineMap.identity(1), [offset])
    terms = linear_terms(map_.results[0])
    if terms is None or terms[1] != 0 or len(operands) != 1:
        return None
    step = terms[0].get(0, 0)
    index = operands[0]
    if index not in forall.induction_vars or step <= 0:
        return None
    count = constant_int(forall.upper_bounds[forall.induction_vars.index(index)])
    if count is None or count * step < extent:
        return None
    return index if _is_tile(size, index, step, extent) else None


def _is_tile(size: Extent, index: SSAValue, step: int, extent: int) -> bool:
    """Whether a size is a step, or what is left of the extent where that is less."""
    number = constant_int(size)
    if number is not None:
        return number == step
    assert isinstance(size, SSAValue)
    if not isinstance(size.owner, affine.MinOp):
        return False
    map_, operands = compose(size.owner.map.data, size.owner.arguments)
    if operands != [index]:
        return False
    whole: tuple[dict[int, int], int] = ({}, step)
    rest: tuple[dict[int, int], int] = ({0: -step}, extent)
    terms = [linear_terms(expr) for expr in map_.results]
    return terms in ([whole, rest], [rest, whole])
