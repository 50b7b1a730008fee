"""Make the right tensor at once, not a part or a reshape of an empty one.

The group `tensor.fold_tensor_empty`: contents that are not there need no slice.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from tilewright.ir.dialects import tensor
from tilewright.ir.indexing.normal_form import constant, times
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    COLLAPSE,
    EXPAND,
    groups_of,
    output_sizes,
)
from tilewright.transforms.cleanup.shapes import Size, Slice, numbers_in, shape_of
from tilewright.transforms.core.rewriter import Rewriter

EMPTY = "tensor.empty"


def sizes_of_empty(empty: Operation) -> list[Size]:
    """The sizes of a `tensor.empty`."""
    values = iter(empty.operands)
    return [
        next(values) if size == DYNAMIC_INDEX else size
        for size in shape_of(empty.results[0])
    ]


def _make(
    op: Operation,
    sizes: Sequence[Size],
    before: Sequence[Operation],
    rewriter: Rewriter,
) -> None:
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    rewriter.replace_with(op, *before, tensor.EmptyOp(dynamic, op.results[0].type))


@pattern_on("tensor.extract_slice")
def slice_of_empty(op: Operation, rewriter: Rewriter) -> None:
    """An empty tensor of the slice's size."""
    if owner_named(op.operands[0], EMPTY) is None:
        return
    place, shape = Slice.of(op), shape_of(op.results[0])
    left_out = tensor.dropped_dims(numbers_in(place.sizes), shape)
    if left_out is not None:
        kept = [size for dim, size in enumerate(place.sizes) if dim not in left_out]
        _make(op, kept, (), rewriter)


@pattern_on(EXPAND)
def expand_empty(op: Operation, rewriter: Rewriter) -> None:
    """An empty tensor of the split sizes."""
    if owner_named(op.operands[0], EMPTY) is not None:
        _make(op, output_sizes(op), (), rewriter)


@pattern_on(COLLAPSE)
def collapse_empty(op: Operation, rewriter: Rewriter) -> None:
    """An empty tensor of the merged sizes."""
    empty = owner_named(op.operands[0], EMPTY)
    if empty is None:
        return
    sizes, shape = sizes_of_empty(empty), shape_of(op.results[0])
    merged: list[Size] = []
    new_ops: list[Operation] = []
    for group, static in zip(groups_of(op), shape, strict=True):
        size: Size = static
        if static == DYNAMIC_INDEX:
            expr = constant(1)
            for at in range(len(group)):
                expr = times(expr, AffineExpr.dimension(at))
            size, ops = applied(expr, [sizes[dim] for dim in group])
            new_ops += ops
        merged.append(size)
    _make(op, merged, new_ops, rewriter)


@pattern_on("tensor.concat")
def concat_of_empties(op: Operation, rewriter: Rewriter) -> None:
    """An empty tensor of all sizes together."""
    empties = [owner_named(value, EMPTY) for value in op.operands]
    parts = [sizes_of_empty(empty) for empty in empties if empty is not None]
    if len(parts) != len(empties) or not isinstance(op, tensor.ConcatOp):
        return
    sizes, dim = list(parts[0]), op.dim.value.data
    total: AffineExpr = AffineExpr.constant(0)
    for at in range(len(parts)):
        total = total + AffineExpr.dimension(at)
    sizes[dim], new_ops = applied(total, [part[dim] for part in parts])
    shape = tensor_type(op.results[0]).get_shape()
    made = [
        size if static == DYNAMIC_INDEX else static
        for size, static in zip(sizes, shape, strict=True)
    ]
    if all(
        static != DYNAMIC_INDEX or isinstance(size, SSAValue)
        for size, static in zip(sizes, shape, strict=True)
    ):
        _make(op, made, new_ops, rewriter)


PATTERNS = (slice_of_empty, expand_empty, collapse_empty, concat_of_empties)
