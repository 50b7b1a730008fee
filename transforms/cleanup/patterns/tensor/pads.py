"""Patterns on tensor.pad and concat: static shapes, pads of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Operation, Region, SSAValue

from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Size,
    cast_to,
    casted,
    is_more_static,
    joined,
    known,
    mixed,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter


def padding_of(op: Operation) -> tuple[list[Size], list[Size]]:
    """The padding before and after, in each dimension."""
    low = mixed(op, "static_low", op.operands[1:])
    dynamic = sum(not isinstance(size, int) for size in low)
    return low, mixed(op, "static_high", op.operands[1 + dynamic :])


def pad_op(
    like: Operation,
    source: SSAValue,
    low: Sequence[Size],
    high: Sequence[Size],
    kind: TensorType[Any],
    body: Region,
) -> Operation:
    """A new pad with the flags of `like`."""
    static_low, dynamic_low = split_dynamic_index_list(low, DYNAMIC_INDEX)
    static_high, dynamic_high = split_dynamic_index_list(high, DYNAMIC_INDEX)
    counts = [1, len(dynamic_low), len(dynamic_high)]
    properties = {
        **like.properties,
        "static_low": DenseArrayBase.from_list(i64, static_low),
        "static_high": DenseArrayBase.from_list(i64, static_high),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, counts),
    }
    return type(like).create(
        operands=[source, *dynamic_low, *dynamic_high],
        result_types=[kind],
        properties=properties,
        regions=[body],
    )


def padded_shape(
    shape: Sequence[int], low: Sequence[Size], high: Sequence[Size]
) -> tuple[int, ...]:
    """The shape of a padded tensor, as far as it is known."""
    return tuple(
        DYNAMIC_INDEX
        if extent == DYNAMIC_INDEX
        or not isinstance(before, int)
        or not isinstance(after, int)
        else before + extent + after
        for extent, before, after in zip(shape, low, high, strict=True)
    )


def constant_padding(op: Operation) -> SSAValue | None:
    """The padding value, if it is defined outside of the body."""
    block = op.regions[0].block
    last = block.last_op
    if last is None or not last.operands:
        return None
    value = last.operands[0]
    return None if value.owner is block or last is not block.first_op else value


@fold_on("tensor.pad")
def pad_by_nothing(op: Operation, rewriter: Rewriter) -> None:
    """Drop a pad that adds nothing to a static tensor."""
    source = op.operands[0]
    if source.type != op.results[0].type or "nofold" in op.properties:
        return
    if tensor_type(source).has_static_shape():
        rewriter.replace(op, [source])


@pattern_on("tensor.pad")
def pad_by_zeros(op: Operation, rewriter: Rewriter) -> None:
    """Drop a pad of size 0 on every side."""
    if "nofold" in op.properties:
        return
    low, high = padding_of(op)
    if all(known(size) == 0 for size in (*low, *high)):
        rewriter.replace_with(op, cast_to(op.operands[0], op.results[0].type))


@pattern_on("tensor.pad")
def pad_what_was_cast(op: Operation, rewriter: Rewriter) -> None:
    """Pad the tensor before a cast that only makes extents dynamic."""
    cast = owner_named(op.operands[0], "tensor.cast")
    if cast is None:
        return
    source, result = cast.operands[0], op.results[0]
    if not is_more_static(shape_of(source), shape_of(op.operands[0])):
        return
    low, high = padding_of(op)
    shape = joined(padded_shape(shape_of(source), low, high), shape_of(result))
    if shape is None:
        return
    kind = with_shape(tensor_type(result), shape)
    new = pad_op(op, source, low, high, kind, op.detach_region(0))
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.cast")
def cast_of_padded(op: Operation, rewriter: Rewriter) -> None:
    """Pad to the type of a cast that knows more extents."""
    source = op.operands[0]
    pad = owner_named(source, "tensor.pad")
    if pad is None or source.uses.get_length() != 1:
        return
    if shape_of(source) == shape_of(op.results[0]):
        return
    if not is_more_static(shape_of(op.results[0]), shape_of(source)):
        return
    low, high = padding_of(pad)
    kind = tensor_type(op.results[0])
    new = pad_op(pad, pad.operands[0], low, high, kind, pad.regions[0].clone())
    rewriter.replace_with(op, new)


@pattern_on("tensor.pad")
def pad_by_constants(op: Operation, rewriter: Rewriter) -> None:
    """Use constant paddings to make the result's extents static."""
    source, result = op.operands[0], op.results[0]
    sides = padding_of(op)
    low, high = ([known(size) for size in side] for side in sides)
    shape = joined(shape_of(result), padded_shape(shape_of(source), low, high))
    if shape is None or shape == shape_of(result):
        return
    kind = with_shape(tensor_type(result), shape)
    new = pad_op(op, source, low, high, kind, op.detach_region(0))
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.pad")
def pad_of_padded(op: Operation, rewriter: Rewriter) -> None:
    """Merge two pads with the same value."""
    inner = owner_named(op.operands[0], "tensor.pad")
    if inner is None or "nofold" in op.properties or "nofold" in inner.properties:
        return
    value = constant_padding(op)
    if value is None or constant_padding(inner) is not value:
        return
    sums: list[list[Size]] = []
    for outer_side, inner_side in zip(padding_of(op), padding_of(inner), strict=True):
        side = [
            (known(a), known(b)) for a, b in zip(outer_side, inner_side, strict=True)
        ]
        total = [a + b for a, b in side if isinstance(a, int) and isinstance(b, int)]
        if len(total) != len(side):
            return
        sums.append([*total])
    kind = tensor_type(op.results[0])
    new = pad_op(op, inner.operands[0], sums[0], sums[1], kind, op.detach_region(0))
    rewriter.replace_with(op, new)


@pattern_on("tensor.concat")
def concat_of_one(op: Operation, rewriter: Rewriter) -> None:
    """Replace a concatenation of one tensor by that tensor."""
    if len(op.operands) != 1:
        return
    (source,) = op.operands
    if source.type == op.results[0].type:
        rewriter.replace(op, [source])
    else:
        rewriter.replace_with(op, cast_to(source, op.results[0].type))


def _concat_dim(op: Operation) -> int:
    attr = op.properties["dim"]
    assert isinstance(attr, IntegerAttr)
    return attr.value.data


def _concat_shape(op: Operation) -> list[int] | None:
    """The result's shape, as far as the operands determine it."""
    dim = _concat_dim(op)
    shapes = [list(shape_of(operand)) for operand in op.operands]
    lengths = [shape[dim] for shape in shapes]
    for shape in shapes:
        shape[dim] = DYNAMIC_INDEX
    together = joined(*shapes)
    if together is None:
        return None
    length = DYNAMIC_INDEX if DYNAMIC_INDEX in lengths else sum(lengths)
    return [*together[:dim], length, *together[dim + 1 :]]


@pattern_on("tensor.concat")
def concat_of_known(op: Operation, rewriter: Rewriter) -> None:
    """Give the result the extents that the operands know."""
    result = op.results[0]
    inferred = _concat_shape(op)
    shape = None if inferred is None else joined(inferred, shape_of(result))
    if shape is None or shape == shape_of(result):
        return
    kind = with_shape(tensor_type(result), shape)
    new = make("tensor.concat", op.operands, [kind], op.properties)
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.concat")
def concat_of_casts(op: Operation, rewriter: Rewriter) -> None:
    """Give the operands the extents that the result knows, except the joined one."""
    dim = _concat_dim(op)
    shape = list(shape_of(op.results[0]))
    new_operands: list[SSAValue] = []
    for operand in op.operands:
        shape[dim] = shape_of(operand)[dim]
        if len(op.operands) == 1:
            shape[dim] = shape_of(op.results[0])[dim]
        wanted = joined(shape_of(operand), shape)
        if wanted is None:
            return
        if wanted == shape_of(operand):
            new_operands.append(operand)
            continue
        cast = cast_to(operand, with_shape(tensor_type(operand), wanted))
        rewriter.insert_before(op, cast)
        new_operands.append(cast.results[0])
    for position, operand in enumerate(new_operands):
        if operand is not op.operands[position]:
            rewriter.set_operand(op, position, operand)


PATTERNS = (
    pad_by_nothing,
    pad_by_zeros,
    pad_what_was_cast,
    cast_of_padded,
    pad_by_constants,
    pad_of_padded,
    concat_of_one,
    concat_of_known,
    concat_of_casts,
)
