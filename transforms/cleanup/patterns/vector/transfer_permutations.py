"""Transfer in the order of the source; broadcast and transpose separately."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.vector import (
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.types import tensor_type, vector_type, vector_with
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    spread_and_transposed,
)
from tilewright.transforms.core.rewriter import Rewriter


@lru_cache(maxsize=1 << 12)
def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)


def _uses_every_dim(map_: AffineMap) -> bool:
    used = {e.position for e in map_.results if isinstance(e, AffineDimExpr)}
    return len(used) == map_.num_dims


@pattern(TransferReadOp)
def unpermute_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read in the source's order; broadcast and transpose afterwards."""
    map_ = op.permutation_map.data
    if _is_identity(map_) or not _uses_every_dim(map_):
        return
    if isinstance(op.parent_op(), MaskOp):
        return  # a mask holds only one op
    target = vector_type(op.result)
    shape = target.get_shape()
    where = {
        expr.position: at
        for at, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }
    kept = [where[dim] for dim in range(map_.num_dims)]
    read = TransferReadOp(
        op.source,
        list(op.indices),
        op.padding,
        vector_with(target.element_type, [shape[at] for at in kept]),
        ArrayAttr([op.in_bounds.data[at] for at in kept]),
        AffineMapAttr(AffineMap.identity(map_.num_dims)),
        op.mask,
    )
    rearranged = spread_and_transposed(read.result, kept, target)
    rewriter.replace_with(op, read, *rearranged)


@pattern(TransferWriteOp)
def unpermute_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Transpose first; write in the destination's order."""
    map_ = op.permutation_map.data
    if _is_identity(map_) or not _uses_every_dim(map_):
        return
    if isinstance(op.parent_op(), MaskOp):
        return  # a mask holds only one op
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


PATTERNS = (unpermute_read, unpermute_write)
