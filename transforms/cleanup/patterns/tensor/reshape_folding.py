"""Fold reshapes that only add or drop unit dimensions into slices.

`tensor.reassociative_reshape_folding`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.tensor.reshapes import COLLAPSE, EXPAND
from tilewright.transforms.cleanup.shapes import (
    Slice,
    numbers_in,
    shape_of,
    slice_op,
)
from tilewright.transforms.core.rewriter import Rewriter

EXTRACT = "tensor.extract_slice"
INSERT, PARALLEL = "tensor.insert_slice", "tensor.parallel_insert_slice"


@pattern_on(EXPAND)
def expand_extracted(op: Operation, rewriter: Rewriter) -> None:
    """Keep the dimensions of a slice that drops them and gets them back."""
    extract = owner_named(op.operands[0], EXTRACT)
    if extract is None:
        return
    place = Slice.of(extract)
    if numbers_in(place.sizes) == shape_of(op.results[0]):
        new = slice_op(EXTRACT, [extract.operands[0]], place, op.result_types)
        rewriter.replace_with(op, new)


@pattern_on(COLLAPSE)
def collapse_extracted(op: Operation, rewriter: Rewriter) -> None:
    """Drop unit dimensions in the slice instead of afterwards."""
    extract = owner_named(op.operands[0], EXTRACT)
    if extract is None:
        return
    place, shape = Slice.of(extract), shape_of(op.results[0])
    if dropped_dims(shape_of(op.operands[0]), shape) is None:
        return
    if dropped_dims(numbers_in(place.sizes), shape) is not None:
        new = slice_op(EXTRACT, [extract.operands[0]], place, op.result_types)
        rewriter.replace_with(op, new)


@pattern_on(INSERT, PARALLEL)
def insert_reshaped(op: Operation, rewriter: Rewriter) -> None:
    """Insert a tensor before a reshape that only adds or drops unit dimensions."""
    reshape = owner_named(op.operands[0], EXPAND, COLLAPSE)
    if reshape is None:
        return
    before, after = shape_of(reshape.operands[0]), shape_of(reshape.results[0])
    place = Slice.of(op)
    if reshape.name == COLLAPSE:
        fits = numbers_in(place.sizes) == before
    else:
        only_units = dropped_dims(after, before) is not None
        fits = only_units and dropped_dims(numbers_in(place.sizes), before) is not None
    if fits:
        rewriter.set_operand(op, 0, reshape.operands[0])


PATTERNS = (expand_extracted, collapse_extracted, insert_reshaped)
