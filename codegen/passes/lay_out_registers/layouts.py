"""The layout of each tile of a partition.

A product has the layout in which wgmma leaves it. Tiles that are computed of others
take over their layout. Tiles that nothing determines so far, such as constants and
loaded rows, take the layout of what they are used with. What has nothing to do with a
product, such as a row of document numbers that bounds of loops are computed of, is a
line of numbers that each warp has whole: nothing is exchanged between warps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ExpandDimsOp,
    FullOp,
    HalvesOp,
    LoadOp,
    OffsetOp,
    ReduceOp,
    StoreOp,
    shape_of,
)
from tilewright.ir.dialects.warps import (
    DotOp,
    DotWaitOp,
    Layout,
    MmaLayout,
    OperandLayout,
    PinOp,
    ReadOp,
    SliceLayout,
    WholeLayout,
    WriteOp,
)

Layouts = dict[SSAValue, Layout]

MAKERS = (ArangeOp, FullOp, ReadOp)
"""Ops that make a tile in any layout."""

_UNTIED = (*MAKERS, WriteOp, arith.ConstantOp, scf.YieldOp)

_KNOWN = (
    *(*MAKERS, DotOp, DotWaitOp, WriteOp, ReduceOp, ExpandDimsOp, vector.BroadcastOp),
    *(scf.ForOp, scf.IfOp, scf.YieldOp, CastOp, CompareOp, OffsetOp, LoadOp, StoreOp),
    *(PinOp, HalvesOp),
)
"""Ops on tiles beside arithmetic; the five before the last two, as arithmetic,
lane by lane."""


def layouts_of(block: Block) -> Layouts:
    """The layouts of all tiles of a partition that have one."""
    found: Layouts = {}
    for op in block.walk():
        if isinstance(op, DotOp):
            found[op.result] = op.layout
            if op.acc is not None:
                found[op.acc] = op.layout
    changed = True
    while changed:
        known = len(found)
        for op in block.walk():
            _forward(op, found)
        if len(found) == known:
            # Backward only where nothing follows from the operands.
            for op in block.walk():
                _backward(op, found)
        if len(found) == known:
            _lay_out_a_line(block, found)
        changed = len(found) > known
    return found


def _lay_out_a_line(block: Block, found: Layouts) -> None:
    """Give the first line of numbers that nothing determines a layout."""
    for op in block.walk():
        if isinstance(op, MAKERS) and len(shape_of(op.results[0].type)) == 1:
            if op.results[0] not in found:
                found[op.results[0]] = WholeLayout()
                return


def wanted(op: Operation, found: Layouts) -> Iterator[tuple[int, Layout]]:
    """The layouts that an op needs its operands in, by their places."""
    match op:
        case DotOp():
            if isinstance(op.lhs.type, VectorType):
                yield 0, OperandLayout(op.layout)
            if op.acc is not None:
                yield 2, op.layout
        case ExpandDimsOp() if op.result in found:
            yield 0, SliceLayout(op.axis.value.data, found[op.result])
        case scf.ForOp():
            for place, argument in enumerate(op.body.block.args[1:]):
                if argument in found:
                    yield 3 + place, found[argument]
        case scf.YieldOp():
            for place, target in enumerate(_yield_targets(op)):
                if target in found:
                    yield place, found[target]
        case ReduceOp() | DotWaitOp() | HalvesOp():
            pass
        case _ if not isinstance(op, _UNTIED):
            tiles = _tiles([*op.results, *op.operands])
            layouts = [found[tile] for tile in tiles if tile in found]
            for place, operand in enumerate(op.operands):
                if layouts and isinstance(operand.type, VectorType):
                    yield place, layouts[0]
        case _:
            pass


def _forward(op: Operation, found: Layouts) -> None:
    """The layouts of results that follow from those of operands."""
    match op:
        case DotWaitOp():
            for value, result in zip(op.values, op.results_, strict=True):
                _take(found, result, found.get(value))
        case ReduceOp() if op.source in found:
            _take(found, op.result, SliceLayout(op.axis.value.data, found[op.source]))
        case HalvesOp():
            if isinstance(of := found.get(op.source), MmaLayout):
                for half in op.results:
                    columns = min(of.columns.value.data, shape_of(half.type)[1])
                    _take(found, half, MmaLayout(columns, of.depth.value.data))
        case ExpandDimsOp():
            of = found.get(op.source)
            if isinstance(of, SliceLayout) and of.axis == op.axis:
                parent = of.parent
                assert isinstance(parent, MmaLayout | SliceLayout)
                _take(found, op.result, parent)
        case scf.YieldOp():
            for value, target in zip(op.arguments, _yield_targets(op), strict=True):
                _take(found, target, found.get(value))
        case scf.ForOp():
            for argument, result in zip(op.body.block.args[1:], op.res, strict=True):
                _take(found, result, found.get(argument))
        case scf.IfOp() | DotOp() | ReduceOp():
            pass
        case _ if not isinstance(op, _UNTIED):
            known = [found[tile] for tile in _tiles(op.operands) if tile in found]
            for result in op.results:
                if known and isinstance(result.type, VectorType):
                    _take(found, result, known[0])
        case _:
            pass


def _backward(op: Operation, found: Layouts) -> None:
    """The layouts of operands that follow from what an op needs."""
    for place, layout in wanted(op, found):
        operand = op.operands[place]
        is_operand = isinstance(layout, OperandLayout)
        if not is_operand and isinstance(operand.type, VectorType):
            _take(found, operand, layout)


def _take(found: Layouts, value: SSAValue, layout: Layout | None) -> None:
    if layout is not None and isinstance(value.type, VectorType):
        found.setdefault(value, layout)


def _tiles(values: Sequence[SSAValue]) -> list[SSAValue]:
    return [value for value in values if isinstance(value.type, VectorType)]


def _yield_targets(op: scf.YieldOp) -> list[SSAValue]:
    """What takes over each value that a block yields."""
    around = op.parent_op()
    if isinstance(around, scf.ForOp):
        return list(around.body.block.args[1:])
    assert isinstance(around, scf.IfOp)
    return list(around.results)


def is_known(op: Operation) -> bool:
    """Whether the layouts of an op's tiles are known to follow the rules here."""
    is_arithmetic = op.name.startswith(("arith.", "math."))
    return (
        isinstance(op, _KNOWN)
        or is_arithmetic
        or not _tiles([*op.operands, *op.results])
    )


def is_broadcast_number(op: Operation) -> bool:
    """Whether a tile is one number in every lane, which has no layout of its own."""
    return isinstance(op, vector.BroadcastOp) and not isinstance(
        op.source.type, VectorType
    )
