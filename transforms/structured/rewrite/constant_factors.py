"""Constant factors of scalar expressions in the body of a structured op.

Two questions about a value of a body, both answered from the ops that compute it:

- `times`: the value times a constant, with as few multiplications as possible.
  Constants take the factor, and so do products with a constant. Sums, selections,
  maxima and minima pass it on to their operands where that costs nothing.
- `common_factor`: the positive constant c with value = c * rest, and `without_factor`
  the rest. Sums, selections, maxima and minima have the factor that all their operands
  share. Zero and the infinities have any factor.

A maximum and a minimum commute with positive factors only.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import GenericOp, IndexOp
from tilewright.ir.indexing.constants import constant_float
from tilewright.ir.structured.maps import named_loops
from tilewright.transforms.core.rewriter import Rewriter

LARGEST_MINIMUM = (
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxnumfOp,
    arith.MinnumfOp,
)


SMALLEST = 1e-30
"""A smaller constant is no factor: its inverse could overflow."""


class FactorRewriter:
    """Writes expressions with a factor more, or a factor less, into one body."""

    def __init__(self, op: GenericOp, rewriter: Rewriter):
        self.op = op
        self.rewriter = rewriter
        self._constants: dict[FloatAttr, SSAValue] = {}

    def times(self, value: SSAValue, by: float, at: Operation) -> SSAValue:
        """`value * by`, written before `at`."""
        number = constant_float(value)
        if number is not None:
            return self._constant(number * by, value)
        owner = value.owner
        match owner:
            case arith.MulfOp() | arith.DivfOp() if (
                split := _scaled(owner)
            ) is not None:
                factor, rest = split
                return self.times(rest, factor * by, at)
            case arith.NegfOp():
                return self.times(owner.operands[0], -by, at)
            case arith.AddfOp() | arith.SubfOp() if self._is_any_free(owner):
                return self._passed_on(owner, (0, 1), by, at)
            case arith.SelectOp() if any(map(self._is_free, owner.operands[1:])):
                return self._passed_on(owner, (1, 2), by, at)
            case _ if (
                isinstance(owner, LARGEST_MINIMUM)
                and by > 0
                and self._is_any_free(owner)
            ):
                return self._passed_on(owner, (0, 1), by, at)
            case _:
                return self.multiplied(value, by, at)

    def multiplied(self, value: SSAValue, by: float, at: Operation) -> SSAValue:
        """`value * by` as an op of its own, before `at`."""
        if by == 1.0:
            return value
        product = arith.MulfOp(value, self._constant(by, value))
        self.rewriter.insert_before(at, product)
        return product.result

    def without(self, value: SSAValue, factor: float, at: Operation) -> SSAValue:
        """The rest of a value that has the factor `factor`, written before `at`."""
        number = constant_float(value)
        if number is not None:
            return self._constant(number / factor, value)
        owner = value.owner
        assert isinstance(owner, Operation)
        if (split := _scaled(owner)) is not None:
            return split[1]
        new = owner.clone()
        for position in _passing(owner):
            rest = self.without(owner.operands[position], factor, at)
            new.operands[position] = rest
        self.rewriter.insert_before(at, new)
        return new.results[0]

    def _passed_on(
        self, op: Operation, positions: tuple[int, ...], by: float, at: Operation
    ) -> SSAValue:
        new_operands = {p: self.times(op.operands[p], by, at) for p in positions}
        new = op.clone()
        for position, operand in new_operands.items():
            new.operands[position] = operand
        self.rewriter.insert_before(at, new)
        return new.results[0]

    def _is_any_free(self, op: Operation) -> bool:
        """Whether a factor is free, or cheaper, in one of the operands."""
        loops = self._loops(op.results[0])
        return any(
            self._is_free(operand) or self._loops(operand) < loops
            for operand in op.operands
        )

    def _is_free(self, value: SSAValue) -> bool:
        """Whether an expression takes a factor without a multiplication more."""
        if constant_float(value) is not None:
            return True
        owner = value.owner
        if isinstance(owner, arith.NegfOp):
            return self._is_free(owner.operands[0])
        if isinstance(owner, Operation) and _scaled(owner) is not None:
            return True
        if isinstance(owner, arith.SelectOp):
            return all(map(self._is_free, owner.operands[1:]))
        return False

    def _loops(self, value: SSAValue) -> frozenset[int]:
        """The loops that a value of the body depends on."""
        if isinstance(value, BlockArgument):
            if value.block is not self.op.body.block:
                return frozenset()
            return frozenset(named_loops(self.op.maps[value.index]))
        owner = value.owner
        assert isinstance(owner, Operation)
        if isinstance(owner, IndexOp):
            return frozenset((owner.dim.value.data,))
        if not self.op.is_ancestor(owner):
            return frozenset()
        return frozenset[int]().union(*map(self._loops, owner.operands))

    def _constant(self, number: float, like: SSAValue) -> SSAValue:
        """A constant in front of the op: one for each number."""
        if constant_float(like) == number:
            return like
        assert isinstance(like.type, AnyFloat)
        attribute = FloatAttr(number, like.type)
        if attribute not in self._constants:
            constant = arith.ConstantOp(attribute)
            constant.result.name_hint = "factor"
            self.rewriter.insert_before(self.op, constant)
            self._constants[attribute] = constant.result
        return self._constants[attribute]


def common_factor(value: SSAValue) -> float:
    """The positive factor that `without` takes out of an expression; 1 without one."""
    return _factor(value) or 1.0


def _factor(value: SSAValue) -> float | None:
    """The positive factor of an expression; None if it has any."""
    number = constant_float(value)
    if number is not None:
        return None if number == 0 or math.isinf(number) else 1.0
    owner = value.owner
    if not isinstance(owner, Operation):
        return 1.0
    if (split := _scaled(owner)) is not None and split[0] > 0:
        return split[0]
    if not (positions := _passing(owner)):
        return 1.0
    factors = {_factor(owner.operands[position]) for position in positions} - {None}
    if len(factors) > 1:
        return 1.0
    return factors.pop() if factors else None


def _passing(op: Operation) -> tuple[int, ...]:
    """The operands whose positive common factor is a factor of the result."""
    if isinstance(op, arith.SelectOp):
        return (1, 2)
    if isinstance(op, (arith.AddfOp, arith.SubfOp, *LARGEST_MINIMUM)):
        return (0, 1)
    return ()


def _scaled(op: Operation) -> tuple[float, SSAValue] | None:
    """The constant and the other operand of a product or a quotient with a constant."""
    match op:
        case arith.MulfOp():
            pairs = [(op.lhs, op.rhs), (op.rhs, op.lhs)]
        case arith.DivfOp():
            pairs = [(op.lhs, op.rhs)]
        case _:
            return None
    for rest, constant in pairs:
        number = constant_float(constant)
        if number is None or not math.isfinite(number) or abs(number) < SMALLEST:
            continue
        return (1 / number if isinstance(op, arith.DivfOp) else number), rest
    return None
