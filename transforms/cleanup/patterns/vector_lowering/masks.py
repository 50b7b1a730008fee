"""Lower masks: to rows of masks, and rows to comparisons of lane numbers."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IndexType, i1, i64
from xdsl.ir import SSAValue

from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.vector import (
    ConstantMaskOp,
    CreateMaskOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.types import is_vector, vector_type, vector_with
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    mask_of,
    rebuild_read,
    rebuild_write,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.extents import dim_size
from tilewright.transforms.core.rewriter import Rewriter

LESS = "slt"


@pattern(CreateMaskOp)
def unroll_create_mask(op: CreateMaskOp, rewriter: Rewriter) -> None:
    """Make rows: the mask of the other dimensions, or nothing past the size."""
    kind, steps = vector_type(op.mask_vector), Steps()
    shape = kind.get_shape()
    if len(shape) < 2:
        return
    row_kind = vector_with(i1, shape[1:])
    on = steps.add(CreateMaskOp(list(op.mask_dim_sizes[1:]), row_kind))
    off = steps.constant(0, row_kind)
    result = steps.constant(0, kind)
    for row in range(shape[0]):
        number = steps.constant(row, IndexType())
        inside = steps.add(arith.CmpiOp(number, op.mask_dim_sizes[0], LESS))
        result = steps.insert(steps.select(inside, on, off), result, row)
    steps.replace(op, rewriter, result)


@pattern(ConstantMaskOp)
def unroll_constant_mask(op: ConstantMaskOp, rewriter: Rewriter) -> None:
    """Make a row a dense constant, and a mask of rows an insertion of them."""
    kind, steps, sizes = vector_type(op.result), Steps(), op.sizes
    shape = kind.get_shape()
    if len(shape) < 2:
        count = shape[0] if shape else 1
        lanes = [int(lane < sizes[0]) for lane in range(count)]
        values = lanes if 0 < sizes[0] < count else lanes[:1]
        rewriter.replace_with(op, arith.ConstantOp(dense_of(kind, values)))
        return
    row = steps.add(ConstantMaskOp(sizes[1:], vector_with(i1, shape[1:])))
    result = steps.constant(0, kind)
    for at in range(sizes[0]):
        result = steps.insert(row, result, at)
    steps.replace(op, rewriter, result)


@pattern(CreateMaskOp)
def compare_lanes(op: CreateMaskOp, rewriter: Rewriter) -> None:
    """Compare the number of each lane with the size."""
    shape, steps = vector_type(op.mask_vector).get_shape(), Steps()
    if len(shape) > 1:
        return
    kind = vector_with(i64, shape)
    numbers = dense_of(kind, list(range(shape[0])) if shape else [0])
    lanes = steps.add(arith.ConstantOp(numbers))
    size = steps.add(make("arith.index_cast", [op.mask_dim_sizes[0]], [i64]))
    bound = steps.broadcast(size, shape)
    result = steps.add(arith.CmpiOp(lanes, bound, LESS))
    steps.replace(op, rewriter, result)


@pattern(TransferReadOp, TransferWriteOp)
def mask_bounds(op: TransferReadOp | TransferWriteOp, rewriter: Rewriter) -> None:
    """Mask the lanes past the end of a row, instead of leaving them to the transfer."""
    vector = op.result if isinstance(op, TransferReadOp) else op.vector
    assert vector is not None
    shape = vector_type(vector).get_shape()
    if len(shape) > 1 or not op.indices or all(_true(b) for b in op.in_bounds):
        return
    steps, last = Steps(), len(op.indices) - 1
    extent = steps.index(dim_size(op.source, last, steps))
    left = steps.binary("arith.subi", extent, op.indices[last])
    mask = steps.add(CreateMaskOp([left], vector_with(i1, shape)))
    if (given := mask_of(op)) is not None:
        mask = steps.binary("arith.andi", mask, given)
    in_bounds = ArrayAttr([BoolAttr.from_bool(True)])
    new = (
        rebuild_read(op, mask=mask, in_bounds=in_bounds)
        if isinstance(op, TransferReadOp)
        else rebuild_write(op, mask=mask, in_bounds=in_bounds)
    )
    steps.ops.append(new)
    steps.replace(op, rewriter, *new.results)


def _true(flag: BoolAttr) -> bool:
    return bool(flag.value.data)


@pattern(SelectOp)
def spread_condition(op: SelectOp, rewriter: Rewriter) -> None:
    """Choose between a lane that is on and one that is off by a broadcast."""
    kind = op.result.type
    if not is_vector(kind) or kind.element_type != i1 or kind.get_shape() != (1,):
        return
    if is_vector(op.condition.type) or not (
        uniform(op.true_value) and uniform(op.false_value) == 0
    ):
        return
    steps = Steps()
    result: SSAValue = steps.broadcast(op.condition, (1,))
    steps.replace(op, rewriter, result)


ROWS = (unroll_create_mask, unroll_constant_mask)
COMPARISONS = (compare_lanes, mask_bounds, spread_condition)
