"""Where a row is split: an aligned middle, and the lanes of its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, VectorType, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from tilewright.codegen.kernel.named_sizes import add_size
from tilewright.codegen.kernel.row_lanes import RowLanes, is_lanes, is_tile
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    FuncOp,
)


@dataclass(frozen=True)
class Split:
    """Where the row is split; all are values of the block that works on the row."""

    aligned: SSAValue
    """The offset of the first element of the middle."""
    head: SSAValue
    """The number of elements before the middle."""
    groups: SSAValue
    """The number of groups in the middle."""
    group: SSAValue
    edge_columns: SSAValue
    """The columns of the lanes of the edges."""
    edge_mask: SSAValue
    edge_name: str
    """The name of the number of those lanes."""


class Inserter:
    """Inserts ops one after another."""

    def __init__(self, after: Operation):
        self.last = after

    def add(self, op: Operation, hint: str | None = None) -> SSAValue:
        """Insert an op after the last one; return its result."""
        Rewriter.insert_op(op, InsertPoint.after(self.last))
        op.location = self.last.location
        self.last = op
        op.results[0].name_hint = hint
        return op.results[0]


def split_rows(kernel: FuncOp, block: Block, rows: RowLanes) -> Split:
    """Compute where the row is split, at the start of the block that works on it."""
    insert = Inserter(_to_front(block, rows))
    start, size = rows.start, rows.group
    of: Any = start.type
    name = add_size(kernel, "GROUP", size)
    group = insert.add(ConstexprOp(name, size, of))
    one = insert.add(arith.ConstantOp(IntegerAttr(1, of)))
    reach = insert.add(arith.AddiOp(start, group))
    reach = insert.add(arith.SubiOp(reach, one))
    number = insert.add(arith.FloorDivSIOp(reach, group))
    aligned = insert.add(arith.MuliOp(number, group), "aligned")
    head = insert.add(arith.SubiOp(aligned, start), "head")
    if of != i32:
        head = insert.add(CastOp(head, i32), "head")
        group = insert.add(ConstexprOp(name, size, i32))
    columns = insert.add(ConstexprOp(rows.columns_name, rows.columns, i32))
    left = insert.add(arith.SubiOp(columns, head))
    groups = insert.add(arith.FloorDivSIOp(left, group))
    # The limit is known to the compiler, which drops the lanes that are never used.
    most = insert.add(arith.FloorDivSIOp(columns, group))
    groups = insert.add(arith.MinSIOp(groups, most), "groups")

    count = 2 * size
    edge_name = add_size(kernel, "EDGES", count)
    tile = VectorType(i32, [count])
    lanes = insert.add(ArangeOp(count, edge_name), "edges")
    wide = insert.add(vector.BroadcastOp(group, tile))
    in_head = insert.add(CompareOp("lt", lanes, wide), "in_head")
    skipped = insert.add(arith.MuliOp(groups, group))
    skipped = insert.add(arith.AddiOp(head, skipped))
    skipped = insert.add(arith.SubiOp(skipped, group))
    shift = insert.add(vector.BroadcastOp(skipped, tile))
    tail = insert.add(arith.AddiOp(lanes, shift))
    edge_columns = insert.add(arith.SelectOp(in_head, lanes, tail), "edge_columns")
    end = insert.add(vector.BroadcastOp(head, tile))
    limit = insert.add(vector.BroadcastOp(columns, tile))
    end = insert.add(arith.SelectOp(in_head, end, limit))
    mask = insert.add(CompareOp("lt", edge_columns, end), "edge_mask")
    for op in rows.lanes:
        op.detach()
        insert.add(op, op.result.name_hint)
    _into_block(kernel, block, insert)
    return Split(aligned, head, groups, group, edge_columns, mask, edge_name)


def _to_front(block: Block, rows: RowLanes) -> Operation:
    """Move the computation of the row's start to the front; return its last op."""
    needed: list[Operation] = []
    work = [rows.start]
    while work:
        op = work.pop().owner
        if isinstance(op, Operation) and op.parent is block and op not in needed:
            if not is_side_effect_free(op):
                refuse(op, "rows cannot be aligned: their start is loaded")
            needed.append(op)
            work.extend(op.operands)
    ordered = [op for op in block.ops if op in needed]
    place = block.first_op
    for op in ordered:
        if op is place:
            place = op.next_op
            continue
        op.detach()
        assert place is not None
        Rewriter.insert_op(op, InsertPoint.before(place))
    return ordered[-1]


def _into_block(kernel: FuncOp, block: Block, insert: Inserter) -> None:
    """Move the tiles of lane numbers that are outside the block into it."""
    entry = kernel.body.block
    moved: list[Operation] = []
    for op in list(entry.ops) if entry is not block else ():
        if any(is_lanes(v) or v.owner in moved for v in op.operands if is_tile(v)):
            moved.append(op)
            op.detach()
            insert.add(op, op.results[0].name_hint)
