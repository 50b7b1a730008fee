"""Use the bounds and shapes of loops: `scf.for_loop_canonicalization`."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.vector import CreateMaskOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import index_op
from tilewright.ir.indexing.ranges import PROVEN, Ranges, candidates
from tilewright.ir.types import vector_type
from tilewright.transforms.cleanup.build import remade
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.affine import MIN_MAX, affine_op
from tilewright.transforms.cleanup.patterns.tensor.sizes import destination
from tilewright.transforms.core.rewriter import Rewriter


@pattern_on(*MIN_MAX)
def decided_by_bounds(op: Operation, rewriter: Rewriter) -> None:
    """Replace a minimum or maximum that the ranges of the loops decide."""
    decide(op, PROVEN, rewriter)


def decide(op: Operation, ranges: Ranges, rewriter: Rewriter) -> None:
    """Replace a minimum or maximum that is always the same of its candidates."""
    index = index_op(op.results[0])
    assert index is not None
    map_ = index.map
    found = candidates(index)
    if found is None or len(found) != len(map_.results) or len(found) < 2:
        return
    sign = 1 if op.name == "affine.min" else -1
    for position, chosen in enumerate(found):
        others = [other for other in found if other is not chosen]
        if all(
            (gap := ranges.least((other - chosen) * sign)) is not None and gap >= 0
            for other in others
        ):
            single = AffineMap(
                map_.num_dims, map_.num_symbols, (map_.results[position],)
            )
            rewriter.replace_with(op, affine_op("affine.apply", single, op.operands))
            return


def _shape_source(value: SSAValue) -> SSAValue | None:
    """The tensor from which a carried value or result has its shape."""
    if isinstance(value, OpResult):
        loop, position = value.op, value.index
    elif isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        if parent is None:
            return None
        loop, position = parent, value.index - 1
    else:
        return None
    if loop.name != "scf.for" or position < 0:
        return None
    carried = loop.regions[0].block.args[position + 1]
    last = loop.regions[0].block.last_op
    if last is None or not _keeps_shape(last.operands[position], carried):
        return None
    return loop.operands[3 + position]


def _keeps_shape(value: SSAValue, carried: SSAValue) -> bool:
    """Whether a value is the carried tensor, perhaps written to."""
    while value is not carried:
        before = destination(value)
        if before is None and isinstance(value, OpResult):
            before = _shape_source(value)
        if before is None:
            return False
        value = before
    return True


@pattern_on("tensor.dim")
def dim_of_carried(op: Operation, rewriter: Rewriter) -> None:
    """Read an extent of a carried tensor from the loop's initial value."""
    source = _shape_source(op.operands[0])
    if source is not None:
        rewriter.replace_with(op, remade(op, [source, op.operands[1]]))


@pattern(CreateMaskOp)
def mask_within_bounds(op: CreateMaskOp, rewriter: Rewriter) -> None:
    """Further than upstream: drop a mask size that always covers the vector."""
    shape = vector_type(op.mask_vector).get_shape()
    for position, (size, extent) in enumerate(
        zip(op.mask_dim_sizes, shape, strict=False)
    ):
        if constant_int(size) is not None:
            continue
        low = PROVEN.lowest(size)
        if low is not None and low >= extent:
            full = index_constant(extent)
            rewriter.insert_before(op, full)
            rewriter.set_operand(op, position, full.result)


PATTERNS = (decided_by_bounds, dim_of_carried)
FURTHER = (mask_within_bounds,)
