"""The work on a row, repeated for the lanes of its edges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from tilewright.codegen.kernel.combiners import combine
from tilewright.codegen.kernel.row_lanes import RowLanes, is_tile
from tilewright.codegen.passes.align_rows.split import Split
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CompareOp,
    FullOp,
    FuncOp,
    LoadOp,
    OffsetOp,
    ReduceOp,
    ScanOp,
    StoreOp,
)


@dataclass
class Edges:
    """Repeats the work on the row for the lanes of its edges."""

    kernel: FuncOp
    rows: RowLanes
    split: Split
    known: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The edges of tiles; inside a loop, also the scalars of the edges."""

    def of_block(self, block: Block) -> None:
        """Repeat loads, stores, reductions and loops, in their order."""
        for op in list(block.ops):
            if isinstance(op, scf.ForOp) and op in self.rows.loops:
                self._loop(op)
            elif isinstance(op, ScanOp):
                refuse(op, "rows cannot be aligned: totals run along them")
            elif isinstance(op, ReduceOp):
                self._reduce(op)
            elif isinstance(op, LoadOp | StoreOp) and is_tile(op.pointer):
                self._repeat(op, InsertPoint.after(op))

    def _reduce(self, op: ReduceOp) -> None:
        """Combine the result for the middle with the result for the edges."""
        place = InsertPoint.after(op)
        edge = ReduceOp(self._of(op.source, place), op.kind, op.axis.value.data)
        total = combine(op, op.kind.data, op.result, edge.result)
        self._insert(edge, op, place)
        self._insert(total, op, place)
        op.result.replace_uses_with_if(
            total.results[0], lambda use: use.operation is not total
        )
        total.results[0].name_hint = op.result.name_hint

    def _loop(self, loop: scf.ForOp) -> None:
        """Run the body for the edges, before the loop; the loop goes on from there."""
        place = InsertPoint.before(loop)
        body = loop.body.block
        of: Any = body.args[0].type
        zero = arith.ConstantOp(IntegerAttr(0, of))
        self._insert(zero, loop, place)
        self.known[body.args[0]] = zero.result
        for argument, initial in zip(body.args[1:], loop.iter_args, strict=True):
            initial.name_hint = initial.name_hint or argument.name_hint
            self.known[argument] = self._of(initial, place)
        for op in body.ops:
            if isinstance(op, LoadOp | StoreOp):
                self._repeat(op, place)
        last = body.last_op
        assert last is not None
        first = len(loop.operands) - len(loop.iter_args)
        for number, (value, result) in enumerate(
            zip(last.operands, loop.res, strict=True)
        ):
            edge = self._of(value, place)
            if is_tile(result):
                self.known[result] = edge
            else:
                edge.name_hint = edge.name_hint or body.args[number + 1].name_hint
                loop.operands[first + number] = edge

    def _of(self, value: SSAValue, place: InsertPoint) -> SSAValue:
        """The edges of a tile, or what a scalar of a loop is for the edges."""
        if value in self.known:
            return self.known[value]
        op = value.owner
        if not isinstance(op, Operation) or not (is_tile(value) or _in_loop(op)):
            return value
        if not isinstance(op, LoadOp) and not is_side_effect_free(op):
            refuse(op, "rows cannot be aligned: an op has effects")
        return self._repeat(op, place)

    def _repeat(self, op: Operation, place: InsertPoint) -> SSAValue:
        """Repeat an op for the edges."""
        if op.results and op.results[0] in self.known:
            return self.known[op.results[0]]
        if isinstance(op, ArangeOp):
            return self.split.edge_columns
        if isinstance(op, CompareOp) and op in self.rows.masks:
            return self.split.edge_mask
        operands = [self._of(value, place) for value in op.operands]
        if isinstance(op, OffsetOp) and op.offset in self.rows.masks.values():
            return operands[0]
        if isinstance(op, arith.ConstantOp):
            made = self._constant(op)
        elif isinstance(op, FullOp):
            names = [self.split.edge_name] if is_tile(op.result) else []
            made = FullOp(op.value, self._type(op.result.type), names)
        else:
            made = type(op).create(
                operands=operands,
                result_types=[self._type(result.type) for result in op.results],
                properties=dict(op.properties),
                attributes=dict(op.attributes),
            )
        self._insert(made, op, place)
        if not made.results:
            return None  # pyright: ignore[reportReturnType]
        self.known[op.results[0]] = made.results[0]
        hint = op.results[0].name_hint
        made.results[0].name_hint = None if hint is None else f"{hint}_edge"
        return made.results[0]

    def _constant(self, op: arith.ConstantOp) -> Operation:
        """A constant tile in the length of the edges."""
        dense = op.value
        if not isinstance(dense, DenseIntOrFPElementsAttr):
            return op.clone()
        of: Any = self._type(op.result.type)
        same: Any = next(iter(dense.get_values()))
        return arith.ConstantOp(dense_of(of, [same]))

    def _type(self, of: Attribute) -> Attribute:
        if not isinstance(of, VectorType):
            return of
        return VectorType(of.get_element_type(), [2 * self.rows.group])

    def _insert(self, made: Operation, like: Operation, place: InsertPoint) -> None:
        Rewriter.insert_op(made, place)
        made.location = like.location


def _in_loop(op: Operation) -> bool:
    return isinstance(op.parent_op(), scf.ForOp)
