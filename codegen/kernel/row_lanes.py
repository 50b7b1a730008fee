"""The tiles of a kernel along one row: where the row starts, and how it is masked.

A kernel that works on one row has tiles of one dimension: the whole row, or the parts
of it that a loop visits. `row_lanes` finds the start of the row, which its addresses
share, the number of columns, and the masks that compare a lane with that number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    AtomicAddOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    FuncOp,
    LoadOp,
    OffsetOp,
    PointerType,
    StoreOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import byte_width


@dataclass(frozen=True)
class RowLanes:
    """The tiles along the row of a kernel."""

    start: SSAValue
    """The offset of the row's first element."""
    columns: int
    columns_name: str
    group: int
    """The elements of one access of 16 bytes, for the narrowest type."""
    lanes: tuple[ArangeOp, ...]
    masks: dict[CompareOp, SSAValue | None]
    """Masks of the columns, each with the variable of its loop; None for whole rows."""
    loops: frozenset[scf.ForOp]
    """The loops over the parts of the row."""


def is_tile(value: SSAValue) -> bool:
    """Whether a value has lanes."""
    return bool(shape_of(value.type))


def row_lanes(kernel: FuncOp, block: Block) -> RowLanes:
    """The tiles along the row in the block that works on one row, or a refusal."""
    for op in kernel.body.walk():
        if isinstance(op, AtomicAddOp):
            _refuse(op, "a tile is added at computed places")
    lanes = _lanes(kernel)
    start, group = _unaligned_start(kernel, block)
    masks = {
        op: found
        for op in kernel.body.walk()
        if isinstance(op, CompareOp) and (found := _column_mask(op)) is not None
    }
    accesses = list(_accesses(block))
    bounds = {found.columns for found in masks.values()}
    if len(bounds) != 1:
        _refuse(kernel, "its tiles have masks for rows of different lengths")
    (columns,) = bounds
    if columns < 2 * group:
        _refuse(kernel, f"a row of {columns} elements is shorter than two accesses")
    loops = frozenset(
        _row_loop(op, found, columns)
        for op, found in masks.items()
        if found.variable is not None
    )
    for op, found in masks.items():
        if found.variable is None and shape_of(op.lhs.type)[0] < columns:
            _refuse(op, "a tile is shorter than the row, and no loop visits the rest")
    for op in accesses:
        _check_access(op, block, masks, loops)
    _check_regions(block, loops)
    any_mask = next(iter(masks.values()))
    return RowLanes(
        start,
        columns,
        any_mask.name,
        group,
        lanes,
        {op: found.variable for op, found in masks.items()},
        loops,
    )


def _refuse(op: Operation, reason: str) -> NoReturn:
    refuse(
        op,
        f"rows cannot be aligned: {reason}",
        "leave 'triton.aligned_rows' off this grid",
    )


def _lanes(kernel: FuncOp) -> tuple[ArangeOp, ...]:
    """The lane numbers of the tiles; all tiles have one dimension."""
    for op in kernel.body.walk():
        for result in op.results:
            if len(shape_of(result.type)) > 1:
                _refuse(op, "a tile has two dimensions; tile to one row a program")
    found = tuple(op for op in kernel.body.walk() if isinstance(op, ArangeOp))
    if not found:
        _refuse(kernel, "no tile runs along a row")
    return found


def _accesses(block: Block) -> Iterator[LoadOp | StoreOp]:
    """The loads and stores of tiles."""
    for op in block.walk():
        if isinstance(op, LoadOp | StoreOp) and is_tile(op.pointer):
            yield op


def _unaligned_start(kernel: FuncOp, block: Block) -> tuple[SSAValue, int]:
    """The offset of the row that most addresses have, and the elements of a group."""
    starts: Counter[SSAValue] = Counter()
    widths: dict[SSAValue, list[int]] = {}
    for op in _accesses(block):
        start = _start_of(op.pointer)
        if start is not None:
            starts[start] += 1
            element = element_of(op.pointer.type)
            assert isinstance(element, PointerType)
            widths.setdefault(start, []).append(byte_width(element.pointee))
    for start, _ in starts.most_common():
        group = WIDE_LOAD // min(widths[start])
        if group > 1 and _divisor(start) % group:
            return start, group
    if not starts:
        _refuse(kernel, "no tile starts at a row")
    _refuse(kernel, "every row starts at a multiple of 16 bytes already")


def _start_of(pointer: SSAValue) -> SSAValue | None:
    """The scalar offset of a tile `base + start + lanes`, also inside a loop."""
    while isinstance(pointer.owner, OffsetOp) and is_tile(pointer.owner.pointer):
        pointer = pointer.owner.pointer
    match pointer.owner:
        case OffsetOp(pointer=row, offset=lanes) if is_lanes(lanes):
            inner = row.owner
            if isinstance(inner, OffsetOp) and isinstance(inner.pointer, BlockArgument):
                return inner.offset
    return None


def is_lanes(value: SSAValue) -> bool:
    """Whether a tile is the plain lane numbers, of 32 or 64 bits."""
    if isinstance(value.owner, CastOp):
        value = value.owner.source
    return isinstance(value.owner, ArangeOp)


def _divisor(value: SSAValue) -> int:
    """A number that divides a scalar, as far as its op shows."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as constant):
            return constant.value.data
        case ConstexprOp() as op:
            return op.value.value.data
        case arith.MuliOp(lhs=lhs, rhs=rhs):
            return _divisor(lhs) * _divisor(rhs)
        case arith.AddiOp(lhs=lhs, rhs=rhs) | arith.SubiOp(lhs=lhs, rhs=rhs):
            return math.gcd(_divisor(lhs), _divisor(rhs))
        case CastOp(source=source):
            return _divisor(source)
        case _:
            return 1


@dataclass(frozen=True)
class _Mask:
    """`lane < columns`, or `lane < columns - variable` in a loop."""

    columns: int
    name: str
    variable: SSAValue | None


def _column_mask(op: CompareOp) -> _Mask | None:
    if op.predicate.data != "lt" or not is_tile(op.lhs) or not is_lanes(op.lhs):
        return None
    if not isinstance(op.rhs.owner, vector.BroadcastOp):
        return None
    bound, variable = op.rhs.owner.source, None
    if isinstance(bound.owner, arith.SubiOp) and _is_loop_variable(bound.owner.rhs):
        bound, variable = bound.owner.lhs, bound.owner.rhs
    if isinstance(bound.owner, ConstexprOp):
        size = bound.owner
        return _Mask(size.value.value.data, size.constant.data, variable)
    return None


def _is_loop_variable(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and isinstance(
        value.block.parent_op(), scf.ForOp
    )


def _row_loop(op: CompareOp, mask: _Mask, columns: int) -> scf.ForOp:
    """The loop of a mask; it visits the row from its first column to its last."""
    variable = mask.variable
    assert isinstance(variable, BlockArgument)
    loop = variable.block.parent_op()
    assert isinstance(loop, scf.ForOp)
    if variable is not loop.body.block.args[0]:
        _refuse(op, "a mask depends on a value that a loop carries")
    bounds = tuple(_constant(value) for value in (loop.lb, loop.ub, loop.step))
    (length,) = shape_of(op.lhs.type)
    if bounds != (0, columns, length):
        _refuse(loop, "a loop does not visit the row tile by tile from its start")
    return loop


def _constant(value: SSAValue) -> int | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as constant):
            return constant.value.data
        case ConstexprOp() as op:
            return op.value.value.data
        case _:
            return None


def _check_access(
    op: LoadOp | StoreOp,
    block: Block,
    masks: dict[CompareOp, _Mask],
    loops: frozenset[scf.ForOp],
) -> None:
    """An access is masked to the columns of the traversal that it belongs to."""
    around = op.parent_op()
    loop = around if isinstance(around, scf.ForOp) and around in loops else None
    if loop is None and op.parent is not block:
        _refuse(op, "a row is accessed in a branch, or in a loop that is not over it")
    if not any(
        compare in masks and masks[compare].variable is _variable(loop)
        for compare in _conjuncts(op.mask)
    ):
        _refuse(op, "an access has no mask for the columns of the row")


def _variable(loop: scf.ForOp | None) -> SSAValue | None:
    return None if loop is None else loop.body.block.args[0]


def _conjuncts(mask: SSAValue | None) -> Iterator[CompareOp]:
    """The comparisons that a mask is the conjunction of."""
    if mask is None:
        return
    match mask.owner:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            yield from _conjuncts(lhs)
            yield from _conjuncts(rhs)
        case CompareOp() as op:
            yield op
        case _:
            return


def _check_regions(block: Block, loops: frozenset[scf.ForOp]) -> None:
    """Tiles occur in the loops over the row, and in no other region."""
    for op in block.ops:
        if not op.regions:
            continue
        if op in loops:
            _check_loop(op)
        elif any(is_tile(value) for inner in op.walk() for value in inner.operands):
            _refuse(op, "tiles occur in a branch, or in a loop that is not over a row")


def _check_loop(loop: Operation) -> None:
    """A loop over the row may run over its parts in any order.

    Carried tiles and carried scalars do not mix, no region is inside, and no tile of
    data comes from outside: its lanes would be other columns.
    """
    assert isinstance(loop, scf.ForOp)
    body = loop.body.block
    for op in body.ops:
        if op.regions:
            _refuse(op, "a loop over the row has a region inside")
        if isinstance(op, StoreOp) and not is_tile(op.pointer):
            _refuse(op, "a loop over the row stores a scalar")
        for value in op.operands:
            if is_tile(value) and _is_data(value, body):
                _refuse(op, "a loop over the row reads a tile from outside")
    last = body.last_op
    assert last is not None
    for value in last.operands:
        for argument in _carried(value, body):
            if is_tile(argument) != is_tile(value):
                _refuse(loop, "a carried tile depends on a carried scalar")


def _is_data(value: SSAValue, body: Block) -> bool:
    """Whether a tile from outside a loop depends on what was loaded."""
    if isinstance(value, BlockArgument) or value.owner.parent is body:
        return False
    op = value.owner
    assert isinstance(op, Operation)
    if isinstance(op, LoadOp | scf.ForOp):
        return True
    return any(is_tile(operand) and _is_data(operand, body) for operand in op.operands)


def _carried(value: SSAValue, body: Block) -> Iterator[SSAValue]:
    """The carried values of a loop that a value depends on."""
    seen: set[SSAValue] = set()
    work = [value]
    while work:
        current = work.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, BlockArgument):
            if current.block is body and current.index > 0:
                yield current
        elif isinstance(op := current.owner, Operation) and op.parent is body:
            work.extend(op.operands)
