"""Guards against infinities, which a loop without masks does not need.

A running maximum is -inf while every element so far is masked, and exponents read
`select(m == -inf, 0, m)`. In a loop whose tiles are not masked, the maximum of a tile
of products is a number; products of the payload's numbers are taken to be finite.
"""

from __future__ import annotations

import math

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.bodies import captured_values, is_elementwise
from tilewright.ir.structured.combiners import IDEMPOTENT_KINDS
from tilewright.ir.structured.reductions import reduction_of
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.core.rewriter import Rewriter


def drop_guards(loop: scf.ForOp, rewriter: Rewriter) -> None:
    """Replace guarded values of a loop by the values, where these are numbers."""
    for op in list(loop.walk()):
        if not isinstance(op, arith.SelectOp) or not _is_guard(op):
            continue
        around = op.parent_op()
        if isinstance(around, StructuredOp) and _is_number(op.false_value, around):
            rewriter.replace(op, [op.false_value])
    erase_dead(loop, rewriter)


def _is_guard(op: arith.SelectOp) -> bool:
    """Whether an op is select(x == inf, 0, x)."""
    test = op.condition.owner
    if not isinstance(test, arith.CmpfOp) or test.lhs is not op.false_value:
        return False
    bound = uniform(test.rhs)
    is_infinite = bound is not None and math.isinf(bound)
    is_equality = test.predicate.value.data == 1
    return is_equality and is_infinite and uniform(op.true_value) == 0.0


def _is_number(value: SSAValue, op: StructuredOp) -> bool:
    """Whether a scalar of a body is finite: a product of finite numbers."""
    if isinstance(value, BlockArgument) and value.block is op.body.block:
        return _is_running_extreme(op.operands[value.index])
    owner = value.owner
    if isinstance(owner, arith.MulfOp):
        return all(_is_number(operand, op) for operand in owner.operands)
    number = uniform(value)
    return number is not None and math.isfinite(number)


def _is_running_extreme(value: SSAValue) -> bool:
    """Whether a tensor is the maximum, or minimum, so far of finite elements."""
    op = value.owner
    if not isinstance(op, StructuredOp) or len(op.inputs) != 1:
        return False
    reduction = reduction_of(op, 0)
    return (
        reduction is not None
        and reduction.kind in IDEMPOTENT_KINDS
        and reduction.operand is op.body.block.args[0]
        and _is_finite(op.inputs[0])
    )


def _is_finite(value: SSAValue) -> bool:
    """Whether elements are products, or computed from such without an infinity."""
    op = value.owner
    if not isinstance(op, StructuredOp):
        return False
    if not is_elementwise(op):
        reduction = reduction_of(op, 0)
        return reduction is not None and reduction.factors is not None
    numbers = [uniform(number) for number in _constants(op)]
    read = [
        x for x, arg in zip(op.inputs, op.body.block.args, strict=False) if arg.uses
    ]
    return (
        bool(read)
        and all(number is None or math.isfinite(number) for number in numbers)
        and all(map(_is_finite, read))
    )


def _constants(op: StructuredOp) -> list[SSAValue]:
    inside = [
        result
        for nested in op.body.block.ops
        if isinstance(nested, arith.ConstantOp)
        for result in nested.results
    ]
    return [
        *inside,
        *(v for v in captured_values(op) if isinstance(v.owner, Operation)),
    ]
