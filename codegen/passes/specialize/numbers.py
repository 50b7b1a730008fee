"""Numbers that a kernel computes from data: every partition computes them itself.

**Before**, with two consumers that share the rows of `%ids`

    %ids   = kernel.load ... : vector<128xi32>
    %first = kernel.reduce %ids <minsi> axis 0 : vector<128xi32> to i32
    scf.for %n = %first to ...                 // the loop loads its tiles
      ... kernel.compare "ge" %n, %ids ...

**After**, `%first` no longer depends on a tile whose rows are shared

    %ids   = kernel.load ... : vector<128xi32>
    %own   = kernel.load ... : vector<128xi32>
    %first = kernel.reduce %own <minsi> axis 0 : vector<128xi32> to i32
    ...

The loader needs the bounds of its loops too. Each partition loads the data and reduces
it alone, which costs less than a message: the data is a row of numbers.
"""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    DotOp,
    FuncOp,
    LoadOp,
    ReduceOp,
)


def own_numbers(kernel: FuncOp) -> frozenset[Operation]:
    """Give the numbers of a kernel tiles of their own; all ops on these tiles."""
    own: set[Operation] = set()
    copies: dict[SSAValue, SSAValue] = {}
    for op in list(kernel.body.walk()):
        if isinstance(op, ReduceOp) and not isinstance(op.result.type, VectorType):
            tiles = _tiles_of(op)
            if tiles is not None:
                own |= {op, *_copied(tiles, copies)}
                op.operands[0] = copies.get(op.source, op.source)
    for op in list(own):
        own |= set(op.walk())
    return frozenset(own)


def _tiles_of(op: ReduceOp) -> list[Operation] | None:
    """The ops that compute what is reduced; None if it is not read from memory alone.

    In the order of the kernel, each in the block of the reduction or around it.
    """
    found: list[Operation] = []
    waiting = [op.source]
    while waiting:
        value = waiting.pop()
        if not isinstance(value.type, VectorType):
            continue
        if not isinstance(value, OpResult) or not _is_read(value.op):
            return None
        if value.op not in found:
            found.append(value.op)
            inside = set(value.op.walk())
            waiting += [
                operand
                for inner in inside
                for operand in inner.operands
                if not _is_made_by(operand, inside)
            ]
    return sorted(found, key=_place)


def _is_read(op: Operation) -> bool:
    """Whether an op, and those in it, compute from memory and numbers."""
    inside = list(op.walk())
    if any(isinstance(one, DotOp | DescriptorLoadOp) for one in inside):
        return False
    return all(
        isinstance(one, LoadOp | scf.ForOp | scf.YieldOp) or is_side_effect_free(one)
        for one in inside
    )


def _is_made_by(value: SSAValue, ops: set[Operation]) -> bool:
    owner = (
        value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    )
    return owner in ops


def _place(op: Operation) -> list[int]:
    """Where an op is: its index in each block around it, the outermost first."""
    place: list[int] = []
    at: Operation | None = op
    while at is not None and (block := at.parent) is not None:
        place.append(block.get_operation_index(at))
        at = at.parent_op()
    return place[::-1]


def _copied(
    tiles: list[Operation], copies: dict[SSAValue, SSAValue]
) -> list[Operation]:
    """Copies of ops, each in front of its original; tiles copied before are reused."""
    made: list[Operation] = []
    for op in tiles:
        if op.results[0] in copies:
            continue
        copy = op.clone(dict(copies))
        Rewriter.insert_op(copy, InsertPoint.before(op))
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            copies[old] = new
        made.append(copy)
    return made
