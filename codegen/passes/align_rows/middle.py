"""The tiles of a kernel as the middle of a row."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.row_lanes import RowLanes, is_tile
from tilewright.codegen.passes.align_rows.split import Inserter, Split
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    OffsetOp,
    element_of,
)


def to_middle(rows: RowLanes, split: Split) -> None:
    """Let the tiles of the kernel be the middle of the row."""
    for op in rows.lanes:
        _use_columns(op.result, rows, split)
    numbers: dict[ArangeOp, SSAValue] = {}
    for op, variable in rows.masks.items():
        lanes = op.lhs.owner
        if isinstance(lanes, CastOp):
            lanes = lanes.source.owner
        assert isinstance(lanes, ArangeOp)
        if lanes not in numbers:
            numbers[lanes] = _group_numbers(lanes, split)
        _use_groups(op, numbers[lanes], variable, split)


def _group_numbers(lanes: ArangeOp, split: Split) -> SSAValue:
    """The number of the group of each lane."""
    insert = Inserter(lanes)
    wide = insert.add(vector.BroadcastOp(split.group, lanes.result.type))
    return insert.add(arith.FloorDivSIOp(lanes.result, wide), "lane_groups")


def _use_groups(
    op: CompareOp, numbers: SSAValue, variable: SSAValue | None, split: Split
) -> None:
    """Replace a mask of columns by a mask of groups."""
    made: list[Operation] = []
    limit = split.groups
    if variable is not None:
        if variable.type != i32:
            made.append(CastOp(variable, i32))
            variable = made[-1].results[0]
        before = arith.FloorDivSIOp(variable, split.group)
        rest = arith.SubiOp(limit, before.result)
        made += [before, rest]
        limit = rest.result
    of: Any = numbers.type
    wide = vector.BroadcastOp(limit, of)
    mask = CompareOp("lt", numbers, wide.results[0])
    mask.result.name_hint = op.result.name_hint
    made += [wide, mask]
    Rewriter.insert_op(made, InsertPoint.before(op))
    for each in made:
        each.location = op.location
    op.result.replace_all_uses_with(mask.result)
    op.detach()
    op.erase()


def _use_columns(lanes: SSAValue, rows: RowLanes, split: Split) -> None:
    """Replace lane numbers: addresses get the aligned start, other readers columns."""
    columns: SSAValue | None = None
    for use in list(lanes.uses):
        reader = use.operation
        if isinstance(reader, CompareOp) and reader in rows.masks:
            continue
        if isinstance(reader, CastOp):
            _use_columns(reader.result, rows, split)
        elif isinstance(reader, OffsetOp) and _starts_at(reader.pointer, rows.start):
            inner = reader.pointer.owner
            assert isinstance(inner, OffsetOp)
            moved = OffsetOp(inner.pointer, split.aligned)
            Rewriter.insert_op(moved, InsertPoint.before(reader))
            reader.operands[0] = moved.result
        else:
            if columns is None:
                columns = _columns(lanes, split)
            reader.operands[use.index] = columns


def _starts_at(pointer: SSAValue, start: SSAValue) -> bool:
    op = pointer.owner
    return isinstance(op, OffsetOp) and not is_tile(pointer) and op.offset is start


def _columns(lanes: SSAValue, split: Split) -> SSAValue:
    """The columns of the lanes in the middle."""
    assert isinstance(lanes.owner, Operation)
    insert = Inserter(lanes.owner)
    head = split.head
    if element_of(lanes.type) != i32:
        head = insert.add(CastOp(head, element_of(lanes.type)))
    of: Any = lanes.type
    wide = insert.add(vector.BroadcastOp(head, of))
    return insert.add(arith.AddiOp(wide, lanes), "columns")
