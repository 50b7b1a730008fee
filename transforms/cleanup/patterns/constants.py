"""Constants: one of each, at the top of the function."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, func, ub
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects.vector import BroadcastOp
from tilewright.transforms.cleanup.patterns.driver import Pattern, pattern
from tilewright.transforms.rewriter import Rewriter


def constant_int(value: SSAValue | int) -> int | None:
    """The number a value is known to be, or None."""
    if isinstance(value, int):
        return value
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def is_poison(value: SSAValue) -> bool:
    """Whether any value may be taken for `value`."""
    return isinstance(value.owner, ub.PoisonOp)


def _hoist(op: Operation, rewriter: Rewriter) -> None:
    """Move a constant to the head of its function, or reuse the one that is there."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    if parent is None:
        return
    entry = parent.body.block
    for other in entry.ops:
        if other is op:
            return
        if not isinstance(other, arith.ConstantOp | ub.PoisonOp):
            break
        if (
            type(other) is type(op)
            and other.properties == op.properties
            and other.results[0].type == op.results[0].type
        ):
            rewriter.replace(op, other.results)
            return
    first = entry.first_op
    assert first is not None
    rewriter.move_before(op, first)


@pattern(BroadcastOp)
def fold_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """A broadcast constant is a dense constant; one to the same type is nothing."""
    if op.source.type == op.vector.type:
        rewriter.replace(op, [op.source])
        return
    owner = op.source.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(
        owner.value, IntegerAttr | FloatAttr
    ):
        assert isinstance(op.vector.type, VectorType)
        rewriter.replace_with(op, arith.ConstantOp(splat(owner.value, op.vector.type)))


def splat(
    value: IntegerAttr | FloatAttr, type_: VectorType
) -> DenseIntOrFPElementsAttr:
    """A dense constant with `value` in every lane."""
    dense: Any = DenseIntOrFPElementsAttr
    return dense.from_list(type_, [value.value.data])  # overloads per element type


PATTERNS = (
    Pattern(arith.ConstantOp, _hoist),
    Pattern(ub.PoisonOp, _hoist),
    fold_broadcast,
)
