"""Split a row at multiples of 16 bytes: an aligned middle, and its edges.

A row whose length is odd starts at any address, and Triton then accesses it element by
element. The middle of the row, from the first multiple of 16 bytes to the last, is
accessed 16 bytes at a time. What is left are fewer than 16 bytes at each end: the
edges, one small tile.

**Before**, in a kernel with `aligned_rows`

    %x = kernel.load (%x_ptr + %start + lanes) mask (lanes < N) ...
    %sum = kernel.reduce %x <add> ...

**After**

    %aligned = (%start + GROUP - 1) / GROUP * GROUP
    %head = %aligned - %start
    %groups = (N - %head) / GROUP
    %x = kernel.load (%x_ptr + %aligned + lanes) mask (lanes / GROUP < %groups) ...
    %x_edge = kernel.load (%x_ptr + %start + %edges) mask ...
    %sum = (kernel.reduce %x <add> ...) + (kernel.reduce %x_edge <add> ...)

The mask of the middle is the same for all elements of a group, so the accesses stay
whole. A loop over the row visits the middle; what its body does to the edges is done
once, before the loop.

**Requires** what `codegen/kernel/row_lanes.py` checks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from tilewright.codegen.kernel.combiners import combine
from tilewright.codegen.kernel.modules import kernels_of, tile_block
from tilewright.codegen.kernel.named_sizes import add_size
from tilewright.codegen.kernel.row_lanes import RowLanes, is_lanes, is_tile, row_lanes
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    FullOp,
    FuncOp,
    LoadOp,
    OffsetOp,
    ReduceOp,
    ScanOp,
    StoreOp,
    element_of,
)


def align_rows(module: ModuleOp) -> ModuleOp:
    """Align the rows of the kernels that ask for it."""
    for kernel in kernels_of(module).values():
        if kernel.aligned_rows is not None:
            block = tile_block(kernel)
            rows = row_lanes(kernel, block)
            split = _split(kernel, block, rows)
            _Edges(kernel, rows, split).of_block(block)
            _to_middle(rows, split)
            del kernel.properties["aligned_rows"]
    return module


@dataclass(frozen=True)
class _Split:
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


class _Inserter:
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


def _split(kernel: FuncOp, block: Block, rows: RowLanes) -> _Split:
    """Compute where the row is split, at the start of the block that works on it."""
    insert = _Inserter(_to_front(block, rows))
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
    return _Split(aligned, head, groups, group, edge_columns, mask, edge_name)


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


def _into_block(kernel: FuncOp, block: Block, insert: _Inserter) -> None:
    """Move the tiles of lane numbers that are outside the block into it."""
    entry = kernel.body.block
    moved: list[Operation] = []
    for op in list(entry.ops) if entry is not block else ():
        if any(is_lanes(v) or v.owner in moved for v in op.operands if is_tile(v)):
            moved.append(op)
            op.detach()
            insert.add(op, op.results[0].name_hint)


@dataclass
class _Edges:
    """Repeats the work on the row for the lanes of its edges."""

    kernel: FuncOp
    rows: RowLanes
    split: _Split
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


def _to_middle(rows: RowLanes, split: _Split) -> None:
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


def _group_numbers(lanes: ArangeOp, split: _Split) -> SSAValue:
    """The number of the group of each lane."""
    insert = _Inserter(lanes)
    wide = insert.add(vector.BroadcastOp(split.group, lanes.result.type))
    return insert.add(arith.FloorDivSIOp(lanes.result, wide), "lane_groups")


def _use_groups(
    op: CompareOp, numbers: SSAValue, variable: SSAValue | None, split: _Split
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


def _use_columns(lanes: SSAValue, rows: RowLanes, split: _Split) -> None:
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


def _columns(lanes: SSAValue, split: _Split) -> SSAValue:
    """The columns of the lanes in the middle."""
    assert isinstance(lanes.owner, Operation)
    insert = _Inserter(lanes.owner)
    head = split.head
    if element_of(lanes.type) != i32:
        head = insert.add(CastOp(head, element_of(lanes.type)))
    of: Any = lanes.type
    wide = insert.add(vector.BroadcastOp(head, of))
    return insert.add(arith.AddiOp(wide, lanes), "columns")
