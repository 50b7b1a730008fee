"""Whether neighbouring dimensions of a tensor follow each other in memory.

A result that is inserted into a larger tensor is computed there, and a slice is read
where it is. Loops over two dimensions with a gap in between cannot run as one: the
tensor would be copied.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, SSAValue

from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
    InsertSliceOp,
    dropped_dims,
    slice_of,
)
from tilewright.ir.types import tensor_type


def may_merge(value: SSAValue, dim: int) -> bool:
    """Whether dimension `dim` continues the one before it, where a tensor lies."""
    if isinstance(value, BlockArgument):
        return True
    span = dim, dim + 1
    return _is_read_so(value, *span) and _is_placed_so(value, *span)


def has_aligned_rows(value: SSAValue, alignment: int) -> bool:
    """Whether rows of a result begin at multiples of so many elements in its places."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, ExpandShapeOp | CollapseShapeOp):
            if not has_aligned_rows(user.result, alignment):
                return False
        elif isinstance(user, InsertSliceOp) and user.source is value:
            row = tensor_type(user.result).get_shape()[-1]
            start = slice_of(user)[0][-1]
            if row % alignment or not isinstance(start, int) or start % alignment:
                return False
    return True


def _is_read_so(value: SSAValue, start: int, end: int) -> bool:
    """Whether dimensions `start` to `end` continue the one before where it is read."""
    while isinstance(value.owner, ExtractSliceOp | ExpandShapeOp | CollapseShapeOp):
        source = value.owner.operands[0]
        if isinstance(value.owner, ExtractSliceOp):
            mine = value.owner.static_sizes.get_values()
            dropped = dropped_dims(mine, tensor_type(value).get_shape()) or ()
            kept = [dim for dim in range(len(mine)) if dim not in dropped]
            start, end = kept[start], kept[end - 1] + 1
            if not _follows(mine, source, start, end):
                return False
        else:
            moved = _reshaped(value.owner, start, end, backwards=True)
            if moved is None:
                return True
            start, end = moved
        value = source
    return True


def _is_placed_so(value: SSAValue, start: int, end: int) -> bool:
    """Whether dimensions `start` to `end` continue the one before in each place."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, InsertSliceOp) and user.source is value:
            whole, first, last = user.result, start, end
            same = len(tensor_type(whole).get_shape()) == _rank(value)
            if not same or not _follows(
                tensor_type(value).get_shape(), whole, start, end
            ):
                return not same
        elif isinstance(user, ExpandShapeOp | CollapseShapeOp):
            moved = _reshaped(user, start, end)
            if moved is None:
                continue
            whole, (first, last) = user.result, moved
        else:
            continue
        if not _is_placed_so(whole, first, last):
            return False
    return True


def _follows(mine: Sequence[int], whole: SSAValue, start: int, end: int) -> bool:
    """Whether a part of this shape has no gap before dimensions `start` to `end`."""
    its = tensor_type(whole).get_shape()
    outer = start - 1
    while outer >= 0 and mine[outer] == 1:
        outer -= 1
    if outer < 0 or all(size == 1 for size in mine[start:end]):
        return True
    return tuple(mine[outer + 1 : end]) == tuple(its[outer + 1 : end])


def _reshaped(
    op: ExpandShapeOp | CollapseShapeOp,
    start: int,
    end: int,
    backwards: bool = False,
) -> tuple[int, int] | None:
    """The same dimensions after a reshape; None if they are one with the one before.

    `backwards`: those of its operand, of dimensions of its result.
    """
    groups = [[int(dim.value.data) for dim in group] for group in op.reassociation]
    if isinstance(op, ExpandShapeOp) is not backwards:
        return groups[start][0], groups[end - 1][-1] + 1
    group_of = {dim: at for at, group in enumerate(groups) for dim in group}
    if start not in group_of or group_of[start] == group_of.get(start - 1):
        return None
    return group_of[start], group_of[end - 1] + 1


def _rank(value: SSAValue) -> int:
    return len(tensor_type(value).get_shape())
