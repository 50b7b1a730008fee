"""Merge slices of slices, and drop rank that is added and removed again.

`tensor.merge_consecutive_insert_extract_slice` and
`tensor.drop_redundant_insert_slice_rank_expansion`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.indexing.normal_form import constant, plus, times
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    known,
    numbers_in,
    shape_of,
    slice_op,
)
from tilewright.transforms.core.rewriter import Rewriter

EXTRACT, INSERT = "tensor.extract_slice", "tensor.insert_slice"
PARALLEL = "tensor.parallel_insert_slice"


def within(
    inner: Slice,
    outer: Slice,
    left_out: tuple[int, ...],
    shape: Sequence[int],
    *,
    outer_first: bool = False,
) -> tuple[Slice, list[Operation]] | None:
    """A slice of a slice as a slice of the whole; `outer` drops some dimensions.

    None if a stride is a value, since the sum would not be affine, or if an empty part
    would begin past the end of the whole's `shape`. Upstream adds the offsets of slices
    and of subviews in different orders.
    """
    if not all(isinstance(known(by), int) for by in (*outer.strides, *inner.strides)):
        return None
    offsets, sizes, strides = list[Size](), list[Size](), list[Size]()
    new_ops: list[Operation] = []
    rest = iter(zip(inner.offsets, inner.sizes, inner.strides, strict=True))
    for dim, (offset, stride) in enumerate(
        zip(outer.offsets, outer.strides, strict=True)
    ):
        if dim in left_out:
            offsets.append(offset)
            sizes.append(1)
            strides.append(stride)
            continue
        more, size, step = next(rest)
        by, steps = known(stride), known(step)
        assert isinstance(by, int) and isinstance(steps, int)
        if outer_first:
            expr = plus(AffineDimExpr(0), times(AffineDimExpr(1), constant(by)))
            at, ops = applied(expr, [known(offset), known(more)])
        else:
            expr = plus(times(AffineDimExpr(0), constant(by)), AffineDimExpr(1))
            at, ops = applied(expr, [known(more), known(offset)])
        new_ops += ops
        offsets.append(at)
        sizes.append(size)
        strides.append(by * steps)
    merged = Slice(tuple(offsets), tuple(sizes), tuple(strides))
    if merged.fits(shape):
        return merged, new_ops
    for op in new_ops:
        op.erase()
    return None


@pattern_on(EXTRACT)
def extract_extracted(op: Operation, rewriter: Rewriter) -> None:
    """Merge a slice of a slice."""
    outer = owner_named(op.operands[0], EXTRACT)
    if outer is None:
        return
    place = Slice.of(outer)
    left_out = dropped_dims(numbers_in(place.sizes), shape_of(outer.results[0]))
    if left_out is None:
        return
    source = outer.operands[0]
    merged = within(Slice.of(op), place, left_out, shape_of(source))
    if merged is not None:
        new = slice_op(EXTRACT, [source], merged[0], op.result_types)
        rewriter.replace_with(op, *merged[1], new)


@pattern_on(INSERT, PARALLEL)
def insert_inserted(op: Operation, rewriter: Rewriter) -> None:
    """Insert the tensor before a step that only raised its rank."""
    first = owner_named(op.operands[0], INSERT)
    if first is None or not _only_adds_rank(first):
        return
    rewriter.set_operand(op, 0, first.operands[0])


def _only_adds_rank(op: Operation) -> bool:
    """Whether an insertion covers its destination, which only has more dimensions."""
    shape = shape_of(op.operands[1])
    place = Slice.of(op)
    if len(shape_of(op.operands[0])) == len(shape) or -1 in shape:
        return False
    return place.is_all_of(shape)


@pattern_on(EXTRACT)
def extract_from_added_rank(op: Operation, rewriter: Rewriter) -> None:
    """Extract the tensor before its rank was raised."""
    insert = owner_named(op.operands[0], INSERT)
    if insert is None or not _only_adds_rank(insert):
        return
    place = Slice.of(op)
    added = dropped_dims(shape_of(insert.operands[1]), shape_of(insert.operands[0]))
    dropped = dropped_dims(numbers_in(place.sizes), shape_of(op.results[0]))
    if added is None or dropped is None or not added <= dropped:
        return
    kept = [dim for dim in range(len(place.sizes)) if dim not in added]
    inner = Slice(
        tuple(place.offsets[dim] for dim in kept),
        tuple(place.sizes[dim] for dim in kept),
        tuple(place.strides[dim] for dim in kept),
    )
    source = insert.operands[0]
    rewriter.replace_with(op, slice_op(EXTRACT, [source], inner, op.result_types))


MERGE = (extract_extracted, insert_inserted)
RANK = (extract_from_added_rank,)
