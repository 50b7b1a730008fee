"""The memory that an op of a function at the buffer level reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.reshapes import base_of, without_casts
from tilewright.ir.dialects import func, memref, vector
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp

VIEWS = (memref.SubviewOp, memref.CastOp, memref.ExpandShapeOp, memref.CollapseShapeOp)


@dataclass(frozen=True)
class Effects:
    """The memory that an op of the function touches."""

    op: Operation
    reads: set[SSAValue]
    writes: set[SSAValue]
    kills: set[SSAValue]
    """What it writes as a whole, whether it reads it or not."""


def effects_of(op: Operation) -> Effects:
    """What an op and the ops inside it read and write."""
    made = Effects(op, set(), set(), set())
    for inner in op.walk():
        if isinstance(inner, (*VIEWS, memref.DeallocOp, memref.DimOp)):
            continue
        for value in inner.operands:
            if isinstance(value.type, MemRefType):
                _note(made, inner, value, is_outermost=inner is op)
    return made


def _note(made: Effects, op: Operation, value: SSAValue, *, is_outermost: bool) -> None:
    """Add what one op does to one of its buffers."""
    memory = base_of(value)
    reads, writes = _access(op)
    if value in reads:
        made.reads.add(memory)
    if value in writes:
        made.writes.add(memory)
    is_whole = without_casts(value) is memory
    if is_outermost and is_whole and value in _overwritten(op):
        made.kills.add(memory)


def _access(op: Operation) -> tuple[list[SSAValue], list[SSAValue]]:
    """The buffers that an op reads, and those that it writes."""
    match op:
        case StructuredOp():
            arguments = op.body.block.args[len(op.inputs) :]
            pairs = zip(op.outputs, arguments, strict=True)
            updated = [value for value, argument in pairs if argument.uses]
            return [*op.inputs, *updated], list(op.outputs)
        case SoftmaxOp():
            return [op.input], [op.output]
        case CopyOp():
            return [op.source], [op.target]
        case vector.TransferReadOp() | vector.GatherOp() | func.ReturnOp():
            return list(op.operands), []
        case vector.TransferWriteOp():
            return [], list(op.operands)
        case _:
            return list(op.operands), list(op.operands)


def _overwritten(op: Operation) -> list[SSAValue]:
    """The buffers of which an op writes every element."""
    match op:
        case StructuredOp():
            maps = op.maps[len(op.inputs) :]
            pairs = zip(op.outputs, maps, strict=True)
            return [value for value, map_ in pairs if map_.is_projected_permutation()]
        case SoftmaxOp():
            return [op.output]
        case CopyOp():
            return [op.target]
        case _:
            return []
