"""Access the buffer instead of a subview: `memref.fold_memref_alias_ops`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.dialects.vector import MaskOp, TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.normal_form import constant, plus, times
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.memref.buffers import SUBVIEW
from tilewright.transforms.cleanup.patterns.tensor.slice_merging import within
from tilewright.transforms.cleanup.patterns.tensor.subset_ops import map_within
from tilewright.transforms.cleanup.patterns.vector.transfers import is_in_bounds
from tilewright.transforms.cleanup.shapes import (
    Slice,
    known,
    numbers_in,
    slice_op,
)
from tilewright.transforms.core.rewriter import Rewriter


def _window(value: SSAValue) -> tuple[Operation, Slice, tuple[int, ...]] | None:
    """The subview that makes a buffer, its place, and the dimensions it drops."""
    window = owner_named(value, SUBVIEW)
    if window is None:
        return None
    place = Slice.of(window)
    shape = buffer_type(window.results[0]).get_shape()
    left_out = dropped_dims(numbers_in(place.sizes), shape)
    return None if left_out is None else (window, place, left_out)


def _indices(
    indices: Sequence[SSAValue], place: Slice, left_out: tuple[int, ...]
) -> tuple[list[SSAValue], list[Operation]] | None:
    """Indices into a subview as indices into its buffer."""
    rest = iter(indices)
    found: list[SSAValue] = []
    new_ops: list[Operation] = []
    for dim, (offset, stride) in enumerate(
        zip(place.offsets, place.strides, strict=True)
    ):
        at: SSAValue | int = known(offset)
        if dim not in left_out:
            by = known(stride)
            if not isinstance(by, int):
                return None
            expr = plus(AffineDimExpr(0), times(AffineDimExpr(1), constant(by)))
            at, ops = applied(expr, [at, known(next(rest))])
            new_ops += ops
        if isinstance(at, int):
            number = index_constant(at)
            new_ops.append(number)
            at = number.result
        found.append(at)
    return found, new_ops


@pattern_on("memref.load", "memref.store")
def access_window(op: Operation, rewriter: Rewriter) -> None:
    """Access one element of the buffer instead of the subview."""
    first = 0 if op.name == "memref.load" else 1
    found = _window(op.operands[first])
    if found is None:
        return
    window, place, left_out = found
    moved = _indices(op.operands[first + 1 :], place, left_out)
    if moved is None:
        return
    indices, new_ops = moved
    new = type(op).create(
        operands=[*op.operands[:first], window.operands[0], *indices],
        result_types=op.result_types,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )
    rewriter.replace_with(op, *new_ops, new)


@pattern(TransferReadOp, TransferWriteOp)
def transfer_window(op: TransferReadOp | TransferWriteOp, rewriter: Rewriter) -> None:
    """Transfer to or from the buffer instead of the subview, if in bounds."""
    found = _window(op.source) if is_buffer(op.source.type) else None
    if found is None or not is_in_bounds(op) or isinstance(op.parent_op(), MaskOp):
        return
    window, place, left_out = found
    if any(known(stride) != 1 for stride in place.strides):
        return
    moved = _indices(op.indices, place, left_out)
    if moved is None:
        return
    indices, new_ops = moved
    map_ = map_within(op.permutation_map.data, len(place.sizes), left_out)
    source = window.operands[0]
    if isinstance(op, TransferReadOp):
        new: Operation = TransferReadOp(
            source, indices, op.padding, op.result.type, op.in_bounds, map_, op.mask
        )
    else:
        new = TransferWriteOp(op.vector, source, indices, op.in_bounds, op.mask, map_)
    rewriter.replace_with(op, *new_ops, new)


@pattern_on(SUBVIEW)
def window_of_window(op: Operation, rewriter: Rewriter) -> None:
    """Take a subview of the buffer instead of a subview of a subview."""
    found = _window(op.operands[0])
    if found is None:
        return
    outer, place, left_out = found
    if left_out:
        return
    source = outer.operands[0]
    shape = buffer_type(source).get_shape()
    merged = within(Slice.of(op), place, left_out, shape, outer_first=True)
    if merged is not None:
        new = slice_op(SUBVIEW, [source], merged[0], op.result_types)
        rewriter.replace_with(op, *merged[1], new)


PATTERNS = (access_window, transfer_window, window_of_window)
