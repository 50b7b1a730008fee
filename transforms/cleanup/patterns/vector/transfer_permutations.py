"""Transfer the last dimensions in order; broadcast and transpose separately.

A map is *in order* if its results are the last dimensions of the source, with zeros
instead of some. Other maps become such a map and a transposition, and leading zeros a
broadcast. A write to other than the last dimensions writes vectors of extent 1 along
the dimensions in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, BoolAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects.vector import (
    BroadcastOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.types import tensor_type, vector_type, vector_with
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.core.rewriter import Rewriter


def _order(map_: AffineMap) -> list[int] | None:
    """Where each result of a map goes to bring it in order; None if it cannot be."""
    count = len(map_.results)
    first = map_.num_dims - count
    places: list[int | None] = []
    for expr in map_.results:
        if isinstance(expr, AffineDimExpr):
            if expr.position < max(first, 0):
                return None
            places.append(expr.position - first)
        elif isinstance(expr, AffineConstantExpr) and expr.value == 0:
            places.append(None)
        else:
            return None
    free = iter(sorted(set(range(count)) - {at for at in places if at is not None}))
    return [next(free) if at is None else at for at in places]


def _is_in_order(map_: AffineMap) -> bool:
    order = _order(map_)
    return order is not None and order == sorted(order)


def _new_bounds(op: Transfer, order: Sequence[int]) -> ArrayAttr[BoolAttr]:
    bounds = op.in_bounds.data
    return ArrayAttr([bounds[order.index(at)] for at in range(len(order))])


def _is_left_alone(op: Transfer) -> bool:
    # A mask holds only one op.
    return not vector_of(op).get_shape() or isinstance(op.parent_op(), MaskOp)


def _map(dims: int, results: Sequence[AffineExpr]) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(dims, 0, tuple(results)))


@pattern(TransferReadOp)
def unpermute_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read in the source's order, and transpose afterwards."""
    map_ = op.permutation_map.data
    order = _order(map_)
    if order is None or order == sorted(order) or _is_left_alone(op):
        return
    kind = vector_type(op.result)
    places = [order.index(at) for at in range(len(order))]
    read = TransferReadOp(
        source_of(op),
        list(op.indices),
        op.padding,
        vector_with(kind.element_type, [kind.get_shape()[at] for at in places]),
        _new_bounds(op, order),
        _map(map_.num_dims, [map_.results[at] for at in places]),
        mask_of(op),
    )
    rewriter.replace_with(op, read, TransposeOp(read.result, order))


@pattern(TransferReadOp)
def broadcast_afterwards(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read without the leading dimensions that repeat, and broadcast afterwards."""
    map_ = op.permutation_map.data
    zeros = 0
    for expr in map_.results:
        if not isinstance(expr, AffineConstantExpr):
            break
        zeros += 1
    rest = AffineMap(map_.num_dims, 0, map_.results[zeros:])
    if not zeros or not _is_in_order(rest) or _is_left_alone(op):
        return
    kind = vector_type(op.result)
    read = TransferReadOp(
        source_of(op),
        list(op.indices),
        op.padding,
        vector_with(kind.element_type, kind.get_shape()[zeros:]),
        ArrayAttr(op.in_bounds.data[zeros:]),
        AffineMapAttr(rest),
        mask_of(op),
    )
    rewriter.replace_with(op, read, BroadcastOp(read.result, kind))


@pattern(TransferWriteOp)
def unpermute_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Transpose first; write in the destination's order."""
    map_ = op.permutation_map.data
    order = _order(map_)
    if order is None or order == sorted(order) or _is_left_alone(op):
        return
    places = [order.index(at) for at in range(len(order))]
    transpose = TransposeOp(op.vector, places)
    results = [map_.results[at] for at in places]
    write = _written(op, transpose.result, results, _new_bounds(op, order), mask_of(op))
    rewriter.replace_with(op, transpose, write)


@pattern(TransferWriteOp)
def write_dims_between(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Write vectors of extent 1 along dimensions between the written ones."""
    map_ = op.permutation_map.data
    if _order(map_) is not None or _is_left_alone(op):
        return
    used = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    between = [dim for dim in range(min(used), map_.num_dims) if dim not in used]
    kind, ones = vector_type(op.vector), [1] * len(between)
    wide = vector_with(kind.element_type, [*ones, *kind.get_shape()])
    vector = BroadcastOp(op.vector, wide)
    new_ops, mask = list[Operation]([vector]), mask_of(op)
    if mask is not None:
        lanes = vector_type(mask)
        wide = vector_with(lanes.element_type, [*ones, *lanes.get_shape()])
        spread = BroadcastOp(mask, wide)
        rank = len(wide.get_shape())
        order = [*range(len(ones), rank), *range(len(ones))]
        turned = TransposeOp(spread.vector, order)
        new_ops, mask = [*new_ops, spread, turned], turned.result
    dims: list[AffineExpr] = [AffineDimExpr(dim) for dim in between]
    inside = [BoolAttr.from_bool(True)] * len(between)
    bounds = ArrayAttr([*inside, *op.in_bounds.data])
    results = [*dims, *map_.results]
    write = _written(op, vector.vector, results, bounds, mask)
    rewriter.replace_with(op, *new_ops, write)


def _written(
    op: TransferWriteOp,
    vector: SSAValue,
    results: Sequence[AffineExpr],
    bounds: ArrayAttr[BoolAttr],
    mask: SSAValue | None,
) -> TransferWriteOp:
    """The same write of another vector, by another map."""
    return TransferWriteOp(
        vector,
        source_of(op),
        list(op.indices),
        bounds,
        mask,
        _map(op.permutation_map.data.num_dims, results),
        None if op.result is None else tensor_type(op.result),
    )


PATTERNS = (
    unpermute_read,
    unpermute_write,
    broadcast_afterwards,
    write_dims_between,
)
