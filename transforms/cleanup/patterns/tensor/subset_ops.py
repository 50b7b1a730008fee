"""Fold slices into the transfers on them: `tensor.fold_tensor_subset_ops`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.normal_form import plus, replaced
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    is_in_bounds,
    is_masked,
    vector_of,
)
from tilewright.transforms.cleanup.shapes import (
    Slice,
    known,
    numbers_in,
    shape_of,
)
from tilewright.transforms.core.rewriter import Rewriter


def indices_within(
    indices: Sequence[SSAValue], place: Slice, left_out: tuple[int, ...]
) -> tuple[list[SSAValue], list[Operation]]:
    """Indices into a slice as indices into the whole."""
    rest = iter(indices)
    found: list[SSAValue] = []
    new_ops: list[Operation] = []
    for dim, offset in enumerate(place.offsets):
        if dim in left_out:
            at: SSAValue | int = known(offset)
        else:
            expr = plus(AffineDimExpr(0), AffineDimExpr(1))
            at, ops = applied(expr, [known(offset), known(next(rest))])
            new_ops += ops
        if isinstance(at, int):
            number = index_constant(at)
            new_ops.append(number)
            at = number.result
        found.append(at)
    return found, new_ops


def map_within(map_: AffineMap, rank: int, left_out: tuple[int, ...]) -> AffineMapAttr:
    """A permutation map over the dimensions of the whole."""
    kept: list[AffineExpr] = [
        AffineDimExpr(dim) for dim in range(rank) if dim not in left_out
    ]
    results = tuple(replaced(expr, kept, []) for expr in map_.results)
    return AffineMapAttr(AffineMap(rank, 0, results))


def _is_plain(place: Slice) -> bool:
    return all(known(stride) == 1 for stride in place.strides)


@pattern(TransferReadOp)
def read_slice(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read the whole tensor instead of a slice of it."""
    extract = owner_named(op.source, "tensor.extract_slice")
    if extract is None or is_masked(op) or not is_in_bounds(op):
        return
    place = Slice.of(extract)
    left_out = dropped_dims(numbers_in(place.sizes), shape_of(extract.results[0]))
    if left_out is None or not _is_plain(place):
        return
    indices, new_ops = indices_within(op.indices, place, left_out)
    rank = len(place.sizes)
    new = TransferReadOp(
        extract.operands[0],
        indices,
        op.padding,
        op.result.type,
        op.in_bounds,
        map_within(op.permutation_map.data, rank, left_out),
    )
    rewriter.replace_with(op, *new_ops, new)


@pattern_on("tensor.insert_slice")
def insert_written(op: Operation, rewriter: Rewriter) -> None:
    """Write a vector into the whole tensor instead of into a slice that is inserted."""
    write, dest = op.operands[0].owner, op.operands[1]
    if not isinstance(write, TransferWriteOp) or is_masked(write):
        return
    if not is_in_bounds(write) or vector_of(write).get_shape() != shape_of(
        op.operands[0]
    ):
        return
    place = Slice.of(op)
    left_out = dropped_dims(numbers_in(place.sizes), shape_of(op.operands[0]))
    if left_out is None or not _is_plain(place):
        return
    indices, new_ops = indices_within(write.indices, place, left_out)
    new = TransferWriteOp(
        write.vector,
        dest,
        indices,
        write.in_bounds,
        None,
        map_within(write.permutation_map.data, len(place.sizes), left_out),
        tensor_type(dest),
    )
    rewriter.replace_with(op, *new_ops, new)


PATTERNS = (read_slice, insert_written)
