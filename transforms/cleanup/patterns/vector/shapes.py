"""Patterns on broadcast, transpose and shape_cast of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation

from tilewright.ir.dialects.vector import BroadcastOp, ShapeCastOp, TransposeOp
from tilewright.ir.types import is_vector, lanes, vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    filled,
    is_poison,
    splat,
    splat_element,
    uniform,
)
from tilewright.transforms.cleanup.driver import fold, pattern
from tilewright.transforms.core.rewriter import Rewriter


@fold(BroadcastOp)
def fold_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """Make a broadcast constant dense; drop a broadcast to the same type."""
    if op.source.type == op.vector.type:
        rewriter.replace(op, [op.source])
    elif (number := uniform(op.source)) is not None:
        become(op, filled(number, op.vector.type), rewriter)


@pattern(BroadcastOp)
def broadcast_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """Merge two broadcasts."""
    inner = op.source.owner
    if isinstance(inner, BroadcastOp):
        rewriter.replace_with(op, BroadcastOp(inner.source, vector_type(op.vector)))


@fold(TransposeOp, ShapeCastOp)
def move_nothing(op: TransposeOp | ShapeCastOp, rewriter: Rewriter) -> None:
    """Drop an op to the same type; reshape a constant of equal elements."""
    source, result = op.operands[0], op.results[0]
    moves = False
    if isinstance(op, TransposeOp):
        shape = vector_type(source).get_shape()
        large = [dim for dim in op.order if shape[dim] != 1]
        moves = large != sorted(large)
    if source.type == result.type and not moves:
        rewriter.replace(op, [source])
        return
    if is_poison(source):
        rewriter.replace_with(op, _poison_like(op))
        return
    attr = attribute_of(source)
    if isinstance(attr, DenseIntOrFPElementsAttr):
        if (same := splat_element(attr)) is not None:
            become(op, splat(same, vector_type(result)), rewriter)


def _poison_like(op: Operation) -> Operation:
    poison = op.operands[0].owner
    assert isinstance(poison, Operation)
    return make(poison.name, [], op.result_types, poison.properties)


@pattern(TransposeOp)
def transpose_transposed(op: TransposeOp, rewriter: Rewriter) -> None:
    """Merge two transpositions."""
    inner = op.vector.owner
    if isinstance(inner, TransposeOp):
        order = [inner.order[dim] for dim in op.order]
        rewriter.replace_with(op, TransposeOp(inner.vector, order))


@pattern(TransposeOp)
def transpose_repeated(op: TransposeOp, rewriter: Rewriter) -> None:
    """Drop a transposition that only permutes broadcast dimensions."""
    inner = op.vector.owner
    if not isinstance(inner, BroadcastOp):
        return
    shape = lanes(inner.source.type) or ()
    lead = len(op.order) - len(shape)
    fixed = [lead + at for at, extent in enumerate(shape) if extent != 1]
    if _keeps_order(op.order, fixed):
        kind = vector_type(op.result)
        rewriter.replace_with(op, BroadcastOp(inner.source, kind))


def _keeps_order(order: Sequence[int], fixed: Sequence[int]) -> bool:
    """Whether these dimensions keep their places relative to the others."""
    group = [sum(at >= stop for stop in fixed) for at in range(len(order))]
    return all(order[at] == at for at in fixed) and all(
        group[at] == group[dim] for at, dim in enumerate(order)
    )


@fold(ShapeCastOp)
def cast_cast(op: ShapeCastOp, rewriter: Rewriter) -> None:
    """Merge two shape casts."""
    inner = op.source.owner
    if isinstance(inner, ShapeCastOp):
        if inner.source.type == op.result.type:
            rewriter.replace(op, [inner.source])
        else:
            new = make(op.name, [inner.source], op.result_types)
            rewriter.replace_with(op, new)


@pattern(ShapeCastOp)
def cast_repeated(op: ShapeCastOp, rewriter: Rewriter) -> None:
    """Replace the shape cast of a broadcast by a broadcast or a shape cast."""
    inner = op.source.owner
    if not isinstance(inner, BroadcastOp):
        return
    source, kind = inner.source, vector_type(op.result)
    shape = lanes(source.type)
    if shape is None or not shape:
        rewriter.replace_with(op, BroadcastOp(source, kind))
    elif math.prod(shape) == math.prod(kind.get_shape()) and is_vector(source.type):
        if source.type == kind:
            rewriter.replace(op, [source])
        else:
            rewriter.replace_with(op, make(op.name, [source], [kind]))
    elif _broadcasts_to(shape, kind.get_shape()):
        if _ends_alike(shape, vector_type(inner.vector).get_shape(), kind.get_shape()):
            rewriter.replace_with(op, BroadcastOp(source, kind))


def _broadcasts_to(shape: Sequence[int], target: Sequence[int]) -> bool:
    trailing = target[-len(shape) :]
    return len(shape) <= len(target) and all(
        a in (1, b) for a, b in zip(shape, trailing, strict=True)
    )


def _ends_alike(
    shape: Sequence[int], before: Sequence[int], after: Sequence[int]
) -> bool:
    """Whether both shapes end in the dimensions that are not only repeated.

    8x1 broadcast to 8x8x1 and cast to 8x8 repeats rows, 8x1 broadcast to 8x8 columns.
    """
    leading = next((at for at, extent in enumerate(shape) if extent != 1), len(shape))
    rank = len(shape) - leading
    return not rank or before[-rank:] == after[-rank:]


PATTERNS = (
    fold_broadcast,
    broadcast_broadcast,
    move_nothing,
    transpose_transposed,
    transpose_repeated,
    cast_cast,
    cast_repeated,
)
