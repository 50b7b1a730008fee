"""Unroll ops on vectors of several dimensions into ops on rows."""

from __future__ import annotations

from math import prod

from tilewright.ir.dialects.vector import (
    BitcastOp,
    DeinterleaveOp,
    FromElementsOp,
    GatherOp,
    InterleaveOp,
    ShuffleOp,
    ToElementsOp,
)
from tilewright.ir.types import vector_type, vector_with
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import (
    Steps,
    positions,
)
from tilewright.transforms.core.rewriter import Rewriter


def _rows(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions of the rows; none for a single row."""
    if len(shape) < 2:
        return []
    return list(positions(shape[:-1]))


@pattern(BitcastOp)
def unroll_bitcast(op: BitcastOp, rewriter: Rewriter) -> None:
    """Cast row by row."""
    kind, steps = vector_type(op.result), Steps()
    if not (rows := _rows(kind.get_shape())):
        return
    row_kind = vector_with(kind.element_type, kind.get_shape()[-1:])
    result = steps.constant(0, kind)
    for row in rows:
        part = steps.add(BitcastOp(steps.extract(op.source, *row), row_kind))
        result = steps.insert(part, result, *row)
    steps.replace(op, rewriter, result)


@pattern(InterleaveOp)
def unroll_interleave(op: InterleaveOp, rewriter: Rewriter) -> None:
    """Interleave row by row."""
    kind, steps = vector_type(op.result), Steps()
    if not (rows := _rows(kind.get_shape())):
        return
    row_kind = vector_with(kind.element_type, kind.get_shape()[-1:])
    result = steps.constant(0, kind)
    for row in rows:
        parts = [steps.extract(operand, *row) for operand in op.operands]
        whole = InterleaveOp.create(operands=parts, result_types=[row_kind])
        result = steps.insert(steps.add(whole), result, *row)
    steps.replace(op, rewriter, result)


@pattern(DeinterleaveOp)
def unroll_deinterleave(op: DeinterleaveOp, rewriter: Rewriter) -> None:
    """Deinterleave row by row."""
    kind, steps = vector_type(op.results[0]), Steps()
    if not (rows := _rows(kind.get_shape())):
        return
    row_kind = vector_with(kind.element_type, kind.get_shape()[-1:])
    even = odd = steps.constant(0, kind)
    for row in rows:
        source = steps.extract(op.operands[0], *row)
        halves = DeinterleaveOp.create(
            operands=[source], result_types=[row_kind, row_kind]
        )
        steps.add(halves)
        even = steps.insert(halves.results[0], even, *row)
        odd = steps.insert(halves.results[1], odd, *row)
    steps.replace(op, rewriter, even, odd)


@pattern(InterleaveOp)
def shuffle_interleave(op: InterleaveOp, rewriter: Rewriter) -> None:
    """Interleave two rows by a shuffle."""
    shape = vector_type(op.operands[0]).get_shape()
    if len(shape) > 1:
        return
    count = prod(shape)
    picks = [lane // 2 + (count if lane % 2 else 0) for lane in range(2 * count)]
    rewriter.replace_with(op, ShuffleOp(op.operands[0], op.operands[1], picks))


@pattern(GatherOp)
def unroll_gather(op: GatherOp, rewriter: Rewriter) -> None:
    """Gather along the last dimension only."""
    kind, steps = vector_type(op.results[0]), Steps()
    shape = kind.get_shape()
    if len(shape) < 2:
        return
    result = steps.poison(kind)
    fixed = len(op.operands) - 3
    for at in range(shape[0]):
        parts = [steps.extract(operand, at) for operand in op.operands[fixed:]]
        gather = GatherOp.create(
            operands=[*op.operands[:fixed], *parts],
            result_types=[vector_with(kind.element_type, shape[1:])],
            properties=op.properties.copy(),
        )
        result = steps.insert(steps.add(gather), result, at)
    steps.replace(op, rewriter, result)


@pattern(FromElementsOp)
def unroll_from_elements(op: FromElementsOp, rewriter: Rewriter) -> None:
    """Make the parts along the first dimension, and insert them."""
    kind, steps = vector_type(op.dest), Steps()
    shape = kind.get_shape()
    if len(shape) < 2:
        return
    result = steps.poison(kind)
    part_kind = vector_with(kind.element_type, shape[1:])
    size = prod(shape[1:])
    for at in range(shape[0]):
        elements = op.elements[at * size : (at + 1) * size]
        part = steps.add(FromElementsOp(elements, part_kind))
        result = steps.insert(part, result, at)
    steps.replace(op, rewriter, result)


@pattern(ToElementsOp)
def unroll_to_elements(op: ToElementsOp, rewriter: Rewriter) -> None:
    """Take the elements of the parts along the first dimension."""
    steps = Steps()
    shape = vector_type(op.source).get_shape()
    if len(shape) < 2:
        return
    parts = [ToElementsOp(steps.extract(op.source, at)) for at in range(shape[0])]
    for part in parts:
        steps.ops.append(part)
    values = [value for part in parts for value in part.results]
    steps.replace(op, rewriter, *values)


BITCASTS = (unroll_bitcast,)
INTERLEAVES = (unroll_interleave, unroll_deinterleave)
SHUFFLED_INTERLEAVES = (shuffle_interleave,)
GATHERS = (unroll_gather,)
FROM_ELEMENTS = (unroll_from_elements,)
TO_ELEMENTS = (unroll_to_elements,)
