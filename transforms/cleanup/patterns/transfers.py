"""Transfers: a read of what was just written is the value; masks that mask nothing go.

Upstream forwards unmasked pairs only. Forwarding masked ones is what keeps a partial
tile's accumulator in registers instead of in an allocation per tile.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerAttr, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ConstantMaskOp,
    CreateMaskOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.types import tensor_type, vector_type
from tilewright.transforms.cleanup.patterns.constants import (
    become,
    constant_int,
    filled,
    is_poison,
    uniform,
)
from tilewright.transforms.cleanup.patterns.driver import fold, pattern
from tilewright.transforms.rewriter import Rewriter


def same_place(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether both touch the same elements in the same arrangement, in bounds."""
    return (
        list(read.indices) == list(write.indices)
        and read.permutation_map == write.permutation_map
        and read.result.type == write.vector.type
        and all(bool(b) for b in read.in_bounds)
        and all(bool(b) for b in write.in_bounds)
    )


@pattern(TransferReadOp)
def forward_written(op: TransferReadOp, rewriter: Rewriter) -> None:
    """A read of what was written at the same place, under the same or no mask."""
    write = op.source.owner
    if not isinstance(write, TransferWriteOp) or not same_place(op, write):
        return
    if write.mask is not None and write.mask is not op.mask:
        return
    if op.mask is None or is_poison(op.padding):
        rewriter.replace(op, [write.vector])
        return
    if not _is_identity(op.permutation_map.data):
        return  # the mask is in the source's order, the vector is not
    padding = BroadcastOp(op.padding, vector_type(op.result))
    select = SelectOp(op.mask, write.vector, padding.vector)
    rewriter.replace_with(op, padding, select)


@pattern(TransferWriteOp)
def drop_overwritten(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """A write over what was just written at the same place, under the same mask."""
    first = op.source.owner
    if not isinstance(first, TransferWriteOp) or first.mask is not op.mask:
        return
    if (
        list(first.indices) == list(op.indices)
        and first.permutation_map == op.permutation_map
        and first.vector.type == op.vector.type
        and first.in_bounds == op.in_bounds
    ):
        rewriter.replace_with(op, rebuild_write(op, mask=op.mask, target=first.source))


def is_full(mask: SSAValue) -> bool:
    """Whether a mask lets every lane through."""
    owner = mask.owner
    if not isinstance(owner, CreateMaskOp):
        return False
    shape = vector_type(mask).get_shape()
    sizes = [constant_int(size) for size in owner.mask_dim_sizes]
    return all(
        size is not None and size >= extent
        for size, extent in zip(sizes, shape, strict=True)
    )


@pattern(ConstantMaskOp)
def expand_constant_mask(op: ConstantMaskOp, rewriter: Rewriter) -> None:
    """One form of masks is enough: the one whose sizes are values."""
    sizes = [
        arith.ConstantOp(IntegerAttr.from_index_int_value(size)) for size in op.sizes
    ]
    mask = CreateMaskOp([*sizes], op.result.type)
    rewriter.replace_with(op, *sizes, mask)


@pattern(TransferReadOp)
def drop_full_read_mask(op: TransferReadOp, rewriter: Rewriter) -> None:
    """A mask that lets every lane through."""
    if op.mask is not None and is_full(op.mask):
        rewriter.replace_with(op, rebuild_read(op, mask=None))


@pattern(TransferWriteOp)
def drop_full_write_mask(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """A mask that lets every lane through."""
    if op.mask is not None and is_full(op.mask):
        rewriter.replace_with(op, rebuild_write(op, mask=None))


@pattern(MaskOp)
def drop_full_mask(op: MaskOp, rewriter: Rewriter) -> None:
    """A mask around an op that lets every lane through; or around nothing."""
    masked = op.masked_op
    if masked is None and op.passthru is None:
        values = list(op.body.block.last_op.operands) if op.body.block.last_op else []
        rewriter.replace(op, values)
    elif masked is not None and is_full(op.mask):
        unmask(op, masked, rewriter)


def unmask(op: MaskOp, masked: Operation, rewriter: Rewriter) -> None:
    """Take the op out from under its mask."""
    rewriter.move_before(masked, op)
    rewriter.replace(op, list(masked.results))


@pattern(MaskOp)
def lower_masked_transfer(op: MaskOp, rewriter: Rewriter) -> None:
    """`vector.mask { transfer }` is a transfer with a mask operand."""
    masked = op.masked_op
    if op.passthru is not None:
        return  # a vector, where a transfer's padding is a scalar
    if isinstance(masked, TransferReadOp) and masked.mask is None:
        rewriter.replace_with(op, rebuild_read(masked, mask=op.mask))
    elif isinstance(masked, TransferWriteOp) and masked.mask is None:
        rewriter.replace_with(op, rebuild_write(masked, mask=op.mask))


@pattern(TransferReadOp)
def unpermute_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read in the source's order; broadcast and transpose afterwards."""
    map_ = op.permutation_map.data
    if _is_identity(map_) or not _uses_every_dim(map_):
        return
    target = vector_type(op.result)
    shape = target.get_shape()
    where = {
        expr.position: at
        for at, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }
    spread = [
        at for at, e in enumerate(map_.results) if isinstance(e, AffineConstantExpr)
    ]
    kept = [where[dim] for dim in range(map_.num_dims)]
    read = TransferReadOp(
        op.source,
        list(op.indices),
        op.padding,
        VectorType(target.element_type, [shape[at] for at in kept]),
        ArrayAttr([op.in_bounds.data[at] for at in kept]),
        AffineMapAttr(AffineMap.identity(map_.num_dims)),
        op.mask,
    )
    new_ops: list[Operation] = [read]
    value: SSAValue = read.result
    if spread:
        wide = [shape[at] for at in (*spread, *kept)]
        new_ops.append(BroadcastOp(value, VectorType(target.element_type, wide)))
        value = new_ops[-1].results[0]
    order = [*spread, *kept]
    permutation = [order.index(at) for at in range(len(shape))]
    if permutation != list(range(len(shape))):
        new_ops.append(TransposeOp(value, permutation))
    rewriter.replace_with(op, *new_ops)


@pattern(TransferWriteOp)
def unpermute_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Transpose first; write in the destination's order."""
    map_ = op.permutation_map.data
    if _is_identity(map_) or not _uses_every_dim(map_):
        return
    order = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    permutation = [order.index(dim) for dim in range(map_.num_dims)]
    transpose = TransposeOp(op.vector, permutation)
    write = TransferWriteOp(
        transpose.result,
        op.source,
        list(op.indices),
        ArrayAttr([op.in_bounds.data[p] for p in permutation]),
        op.mask,
        AffineMapAttr(AffineMap.identity(map_.num_dims)),
        None if op.result is None else tensor_type(op.result),
    )
    rewriter.replace_with(op, transpose, write)


@fold(BroadcastOp)
def fold_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """A broadcast constant is a dense constant; one to the same type is nothing."""
    if op.source.type == op.vector.type:
        rewriter.replace(op, [op.source])
        return
    number = uniform(op.source)
    if number is not None:
        become(op, filled(number, op.vector.type), rewriter)


@fold(TransposeOp)
def fold_transpose(op: TransposeOp, rewriter: Rewriter) -> None:
    """A transpose that moves nothing."""
    if op.order == tuple(range(len(op.order))):
        rewriter.replace(op, [op.vector])


def rebuild_read(
    op: TransferReadOp, *, mask: SSAValue | None, padding: SSAValue | None = None
) -> TransferReadOp:
    """The same read with another mask, or another padding."""
    return TransferReadOp(
        op.source,
        list(op.indices),
        op.padding if padding is None else padding,
        op.result.type,
        op.in_bounds,
        op.permutation_map,
        mask,
    )


def rebuild_write(
    op: TransferWriteOp, *, mask: SSAValue | None, target: SSAValue | None = None
) -> TransferWriteOp:
    """The same write with another mask, or into another tensor."""
    return TransferWriteOp(
        op.vector,
        op.source if target is None else target,
        list(op.indices),
        op.in_bounds,
        mask,
        op.permutation_map,
        None if op.result is None else tensor_type(op.result),
    )


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)


def _uses_every_dim(map_: AffineMap) -> bool:
    used = {e.position for e in map_.results if isinstance(e, AffineDimExpr)}
    return len(used) == map_.num_dims


CANONICAL = (
    expand_constant_mask,
    forward_written,
    drop_overwritten,
    drop_full_read_mask,
    drop_full_write_mask,
    drop_full_mask,
    fold_broadcast,
    fold_transpose,
)
MASKED = (lower_masked_transfer,)
PERMUTATION = (unpermute_read, unpermute_write)
