"""Decide which ops get a line of their own."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue, Use

from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    CastOp,
    CompareOp,
    ConstexprOp,
    DescriptorLoadOp,
    ExpandDimsOp,
    LoadOp,
    ReduceOp,
    element_of,
)

ALWAYS_INLINE = (arith.ConstantOp, ConstexprOp, ExpandDimsOp, vector.BroadcastOp)


def uses_in_lines(value: SSAValue) -> list[Use]:
    """The uses of a value, also through ops that are always inline."""
    found: list[Use] = []
    for use in value.uses:
        if isinstance(use.operation, ALWAYS_INLINE):
            found += uses_in_lines(use.operation.results[0])
        else:
            found.append(use)
    return found


def is_apart(reader: Operation, op: Operation) -> bool:
    """Whether a reader is `op`, or in it, or on the other side of a branch."""
    if op.is_ancestor(reader):
        return True
    region = op.parent_region()
    while region is not None and (parent := region.parent_op()) is not None:
        if isinstance(parent, scf.IfOp) and parent.is_ancestor(reader):
            return not region.is_ancestor(reader)
        region = parent.parent_region()
    return False


def is_part_of_next(op: Operation | None) -> bool:
    """Whether an op is written in the next one's line: `tl.load(...).to(...)`."""
    match op:
        case LoadOp() | DescriptorLoadOp():
            readers = (CastOp,)
        case ReduceOp():
            readers = (arith.AddfOp, arith.MaximumfOp, arith.MinimumfOp)
        case _:
            return False
    uses = list(op.result.uses)
    if len(uses) != 1 or uses[0].operation is not op.next_op:
        return False
    return isinstance(op.next_op, readers)


def is_laid_along(op: Operation) -> bool:
    """Whether a comparison of offsets is a mask along one dimension of a tile."""
    return isinstance(op, CompareOp) and any(
        isinstance(use.operation, ExpandDimsOp) for use in op.result.uses
    )


def is_named_by_payload(result: SSAValue) -> bool:
    """Whether the payload gives a float value a name that is a word."""
    is_word = len(result.name_hint or "") > len("xy")
    return is_word and isinstance(element_of(result.type), AnyFloat)
