"""Lower transfers of contiguous rows in bounds to loads and stores.

Before:
    %v = vector.transfer_read %m[%i], %pad {in_bounds = [true]}
        : memref<8xf32>, vector<4xf32>

After:
    %v = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from tilewright.ir.dialects.memref.layouts import layout_of
from tilewright.ir.dialects.vector import (
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MaskOp,
    StoreOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.types import is_buffer, is_vector, vector_type, vector_with
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    is_in_bounds,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.rewriter import Rewriter


def broadcast_dims(map_: AffineMap) -> list[int] | None:
    """The lanes that repeat an element; None if the map permutes dimensions."""
    first = map_.num_dims - len(map_.results)
    found: list[int] = []
    for at, expr in enumerate(map_.results):
        if isinstance(expr, AffineConstantExpr) and expr.value == 0:
            found.append(at)
        elif not isinstance(expr, AffineDimExpr) or expr.position != first + at:
            return None
    return found


def is_contiguous(kind: MemRefType[Attribute]) -> bool:
    """Whether the elements of a row lie side by side."""
    layout = layout_of(kind)
    return layout is not None and (not layout.strides or layout.strides[-1] == 1)


def _is_simple(op: Transfer, max_rank: int) -> bool:
    """Whether an access in memory is contiguous, in bounds, and of rows."""
    kind, source = vector_of(op), source_of(op).type
    if len(kind.get_shape()) > max_rank or not is_buffer(source):
        return False
    if isinstance(op.parent_op(), MaskOp) or not is_in_bounds(op):
        return False
    of = source.element_type
    fits = of == kind if is_vector(of) else of == kind.element_type
    return fits and is_contiguous(source)


def lower_transfer(max_rank: int) -> tuple[Pattern, ...]:
    """The patterns for vectors of at most this rank."""

    @pattern(TransferReadOp)
    def lower_read(op: TransferReadOp, rewriter: Rewriter) -> None:
        """Load, and repeat what is broadcast."""
        repeated = broadcast_dims(op.permutation_map.data)
        if repeated is None or not _is_simple(op, max_rank):
            return
        kind, steps = vector_type(op.result), Steps()
        shape = [
            1 if at in repeated else size for at, size in enumerate(kind.get_shape())
        ]
        source, indices, mask = source_of(op), list(op.indices), mask_of(op)
        if mask is not None and repeated:
            return  # the load has other lanes than the mask
        if mask is None:
            row_kind = vector_with(kind.element_type, shape)
            value = steps.add(LoadOp(source, indices, row_kind))
        else:
            other = steps.broadcast(op.padding, shape)
            value = steps.add(MaskedLoadOp(source, indices, mask, other))
        if repeated:
            value = steps.broadcast(value, kind.get_shape())
        steps.replace(op, rewriter, value)

    @pattern(TransferWriteOp)
    def lower_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
        """Store."""
        if broadcast_dims(op.permutation_map.data) != [] or not _is_simple(
            op, max_rank
        ):
            return
        target, indices, mask = source_of(op), list(op.indices), mask_of(op)
        rewriter.insert_before(
            op,
            StoreOp(op.vector, target, indices)
            if mask is None
            else MaskedStoreOp(target, indices, mask, op.vector),
        )
        rewriter.erase(op)

    return (lower_read, lower_write)
