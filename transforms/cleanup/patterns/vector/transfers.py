"""Patterns on transfers: forward written vectors, drop dead writes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ConstantMaskOp,
    CreateMaskOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor, tensor_type, vector_type, vector_with
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import is_poison
from tilewright.transforms.cleanup.driver import fold, pattern
from tilewright.transforms.cleanup.shapes import is_more_static, shape_of
from tilewright.transforms.core.rewriter import Rewriter

Transfer = TransferReadOp | TransferWriteOp


def vector_of(op: Transfer) -> VectorType[Attribute]:
    """The type of the vector that is read or written."""
    return vector_type(op.result if isinstance(op, TransferReadOp) else op.vector)


def mask_of(op: Transfer) -> SSAValue | None:
    """`op.mask`, found by counting operands: this is called very often."""
    operands = op.operands
    others = 2 + op.permutation_map.data.num_dims
    return operands[others] if len(operands) > others else None


def source_of(op: Transfer) -> SSAValue:
    """`op.source`, found by its position: this is called very often."""
    return op.operands[0 if isinstance(op, TransferReadOp) else 1]


def is_masked(op: Transfer) -> bool:
    """Whether some lanes may be off: by its own mask, or that of the op around it."""
    return mask_of(op) is not None or isinstance(op.parent_op(), MaskOp)


def is_in_bounds(op: Transfer) -> bool:
    """Whether every access is in bounds."""
    return all(bool(bound) for bound in op.in_bounds)


def same_place(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether both access the same elements in the same order, in bounds."""
    return same_elements(read, write) and is_in_bounds(read) and is_in_bounds(write)


def same_elements(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether both access the same elements in the same order, as far as in bounds."""
    return (
        list(read.indices) == list(write.indices)
        and read.permutation_map == write.permutation_map
        and read.result.type == write.vector.type
    )


def is_apart(one: Transfer, other: Transfer) -> bool:
    """Whether two transfers of one tensor have no element in common."""
    if one.permutation_map != other.permutation_map or vector_of(one) != vector_of(
        other
    ):
        return False
    lanes = vector_of(one).get_shape()
    along = {
        expr.position: lanes[at]
        for at, expr in enumerate(one.permutation_map.data.results)
        if isinstance(expr, AffineDimExpr)
    }
    for dim, pair in enumerate(zip(one.indices, other.indices, strict=True)):
        first, second = (constant_int(index) for index in pair)
        if first is None or second is None:
            continue
        if abs(first - second) >= along.get(dim, 1):
            return True
    return False


# -- bounds and casts ----------------------------------------------------------------


@fold(TransferReadOp, TransferWriteOp)
def infer_in_bounds(op: Transfer, rewriter: Rewriter) -> None:
    """Mark dimensions as in bounds where constant indices prove it."""
    if is_in_bounds(op):
        return
    source = source_of(op).type
    assert isinstance(source, TensorType | MemRefType)
    shape: Sequence[int] = source.get_shape()  # pyright: ignore
    lanes = vector_of(op).get_shape()
    bounds = [bool(bound) for bound in op.in_bounds]
    spread: list[int] = []
    for at, expr in enumerate(op.permutation_map.data.results):
        if not isinstance(expr, AffineDimExpr):
            spread.append(at)
            continue
        start, extent = constant_int(op.indices[expr.position]), shape[expr.position]
        if start is not None and extent != DYNAMIC_INDEX:
            bounds[at] = bounds[at] or start + lanes[at] <= extent
    if all(bound for at, bound in enumerate(bounds) if at not in spread):
        bounds = [True] * len(bounds)
    found = ArrayAttr([BoolAttr.from_bool(bound) for bound in bounds])
    if found != op.in_bounds:
        op.properties["in_bounds"] = found
        rewriter.changed(op)


@fold(TransferReadOp)
def read_what_was_cast(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read a tensor before a cast that only makes extents dynamic."""
    cast = owner_named(source_of(op), "tensor.cast")
    if cast is None or not is_tensor(cast.operands[0].type):
        return
    source = cast.operands[0]
    if is_more_static(shape_of(source), shape_of(source_of(op))):
        rewriter.set_operand(op, 0, source)


# -- reads of what was written -------------------------------------------------------


def _writes_before(op: Transfer) -> list[TransferWriteOp]:
    """The writes into a tensor, last first, while they do not overlap."""
    writes: list[TransferWriteOp] = []
    owner = source_of(op).owner
    while isinstance(owner, TransferWriteOp):
        writes.append(owner)
        if not is_apart(owner, op):
            break
        owner = source_of(owner).owner
    return writes


@fold(TransferReadOp)
def forward_written(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Replace a read of what was just written there by the written vector."""
    if is_masked(op) or not is_tensor(source_of(op).type):
        return
    for write in _writes_before(op):
        if (
            not is_masked(write)
            and is_in_bounds(write)
            and list(write.indices) == list(op.indices)
            and write.vector.type == op.result.type
            and write.permutation_map == op.permutation_map
        ):
            rewriter.replace(op, [write.vector])
            return


@pattern(TransferReadOp)
def forward_rearranged(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Forward a vector written in another order by broadcast and transpose."""
    write = source_of(op).owner
    if not isinstance(write, TransferWriteOp) or not is_tensor(source_of(op).type):
        return
    if is_masked(op) or is_masked(write):
        return
    if list(op.indices) != list(write.indices):
        return
    if not is_in_bounds(op) or not is_in_bounds(write):
        return
    if op.permutation_map == write.permutation_map:
        return
    written = _positions(write.permutation_map.data)
    wanted = _positions(op.permutation_map.data)
    shape, lanes = vector_of(op).get_shape(), vector_of(write).get_shape()
    if written.keys() != wanted.keys() or any(
        shape[wanted[dim]] != lanes[at] for dim, at in written.items()
    ):
        return
    kept = [wanted[dim] for dim in sorted(written, key=lambda dim: written[dim])]
    rearranged = spread_and_transposed(write.vector, kept, vector_of(op))
    rewriter.replace_with(op, *rearranged)


def _positions(map_: AffineMap) -> dict[int, int]:
    """For each dimension of the source, the lane dimension that runs along it."""
    return {
        expr.position: at
        for at, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }


def spread_and_transposed(
    value: SSAValue, kept: Sequence[int], target: VectorType[Attribute]
) -> list[Operation]:
    """Ops that turn a vector into one of type `target`.

    `kept` says where each of its dimensions goes; along all others it repeats.
    """
    shape = target.get_shape()
    order = [*(at for at in range(len(shape)) if at not in kept), *kept]
    new_ops: list[Operation] = []
    if len(kept) != len(shape):
        wide = vector_with(target.element_type, [shape[at] for at in order])
        new_ops.append(BroadcastOp(value, wide))
        value = new_ops[-1].results[0]
    permutation = [order.index(at) for at in range(len(shape))]
    if permutation != list(range(len(shape))) or not new_ops:
        new_ops.append(TransposeOp(value, permutation))
    return new_ops


@pattern(TransferReadOp)
def forward_masked(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Further than upstream: forward under the write's mask, or a subset of it.

    Where the mask is off the read gives its padding, so `select` unless that is poison.
    """
    write = source_of(op).owner
    if not isinstance(write, TransferWriteOp) or not same_place(op, write):
        return
    mask = mask_of(op)
    if mask is None or isinstance(write.parent_op(), MaskOp):
        return
    if (written := mask_of(write)) is not None and not _is_same_mask(written, mask):
        return
    if is_poison(op.padding):
        rewriter.replace(op, [write.vector])
        return
    map_ = op.permutation_map.data
    if map_ != AffineMap.identity(map_.num_dims):
        return  # the mask is in the source's order, the vector is not
    padding = BroadcastOp(op.padding, vector_type(op.result))
    operands = [mask, write.vector, padding.vector]
    select = make("arith.select", operands, [op.result.type])
    rewriter.replace_with(op, padding, select)


def _is_same_mask(one: SSAValue, other: SSAValue) -> bool:
    """Whether two masks have the same sizes, even before CSE merges them."""
    if one is other:
        return True
    first, second = one.owner, other.owner
    return (
        isinstance(first, CreateMaskOp | ConstantMaskOp)
        and isinstance(second, type(first))
        and one.type == other.type
        and list(first.operands) == list(second.operands)
        and first.properties == second.properties
    )


# -- writes that are not needed ------------------------------------------------------


@fold(TransferWriteOp)
def write_back_everything(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Replace a write of a whole tensor over another by the tensor."""
    read = op.vector.owner
    if op.result is None or is_masked(op):
        return
    if not isinstance(read, TransferReadOp) or is_masked(read):
        return
    if source_of(read).type != source_of(op).type or not vector_of(op).get_shape():
        return
    for transfer in (read, op):
        map_ = transfer.permutation_map.data
        if map_ != AffineMap.identity(map_.num_dims):
            return
        if any(constant_int(index) != 0 for index in transfer.indices):
            return
    if vector_of(op).get_shape() == tensor_type(source_of(op)).get_shape():
        rewriter.replace(op, [source_of(read)])


@fold(TransferWriteOp)
def write_back_read(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Drop a write of what was read from the same place."""
    read = op.vector.owner
    if op.result is None or not isinstance(read, TransferReadOp):
        return
    if is_masked(read) or is_masked(op):
        return
    if (
        source_of(read) is source_of(op)
        and list(read.indices) == list(op.indices)
        and read.permutation_map == op.permutation_map
    ):
        rewriter.replace(op, [source_of(op)])


@pattern(TransferWriteOp)
def drop_overwritten(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Skip a write that this one overwrites under the same mask."""
    if op.result is None or isinstance(op.parent_op(), MaskOp):
        return
    later = op
    for write in _writes_before(op):
        if (
            write.mask is op.mask
            and list(write.indices) == list(op.indices)
            and write.permutation_map == op.permutation_map
            and write.vector.type == op.vector.type
        ):
            rewriter.set_operand(later, 1, source_of(write))
            return
        if write.results[0].uses.get_length() != 1:
            return
        later = write


# -- other forms of the same ---------------------------------------------------------


def rebuild_read(
    op: TransferReadOp,
    *,
    mask: SSAValue | None,
    padding: SSAValue | None = None,
    in_bounds: ArrayAttr[BoolAttr] | None = None,
) -> TransferReadOp:
    """The same read with another mask, other padding or other bounds."""
    return TransferReadOp(
        source_of(op),
        list(op.indices),
        op.padding if padding is None else padding,
        op.result.type,
        in_bounds or op.in_bounds,
        op.permutation_map,
        mask,
    )


def rebuild_write(
    op: TransferWriteOp,
    *,
    mask: SSAValue | None,
    target: SSAValue | None = None,
    in_bounds: ArrayAttr[BoolAttr] | None = None,
) -> TransferWriteOp:
    """The same write with another mask, other bounds or into another tensor."""
    return TransferWriteOp(
        op.vector,
        source_of(op) if target is None else target,
        list(op.indices),
        in_bounds or op.in_bounds,
        mask,
        op.permutation_map,
        None if op.result is None else tensor_type(op.result),
    )


PATTERNS = (
    infer_in_bounds,
    read_what_was_cast,
    forward_written,
    forward_rearranged,
    write_back_everything,
    write_back_read,
    drop_overwritten,
)
FURTHER = (forward_masked,)
