"""What a structured op's body computes, read off its ops and never off a name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import arith, func
from tilewright.ir.interpreter.elementwise import (
    Function,
    as_is,
    signed,
    unsigned,
    widen,
)
from tilewright.ir.interpreter.loops import Nest


@dataclass(frozen=True)
class Combiner:
    """An associative, commutative op: numpy's ufunc, and how it reads its operands."""

    ufunc: np.ufunc
    read: Function


COMBINERS: dict[type[Operation], Combiner] = {
    arith.AddfOp: Combiner(np.add, widen),
    arith.MulfOp: Combiner(np.multiply, widen),
    arith.MaximumfOp: Combiner(np.maximum, widen),
    arith.MinimumfOp: Combiner(np.minimum, widen),
    arith.MaxnumfOp: Combiner(np.fmax, widen),
    arith.MinnumfOp: Combiner(np.fmin, widen),
    arith.AddiOp: Combiner(np.add, signed),
    arith.MuliOp: Combiner(np.multiply, signed),
    arith.MaxSIOp: Combiner(np.maximum, signed),
    arith.MinSIOp: Combiner(np.minimum, signed),
    arith.MaxUIOp: Combiner(np.maximum, unsigned),
    arith.MinUIOp: Combiner(np.minimum, unsigned),
    arith.AndIOp: Combiner(np.bitwise_and, as_is),
    arith.OrIOp: Combiner(np.bitwise_or, as_is),
    arith.XOrIOp: Combiner(np.bitwise_xor, as_is),
}

_PRODUCTS = {arith.AddfOp: arith.MulfOp, arith.AddiOp: arith.MuliOp}


@dataclass(frozen=True)
class Reduction:
    """An output that is `combiner(output, operand)` in every iteration."""

    combiner: Combiner
    op: Operation
    operand: SSAValue
    factors: tuple[SSAValue, SSAValue] | None
    """Where the combiner adds up a product used nowhere else: its factors."""

    @property
    def skipped(self) -> tuple[Operation, ...]:
        """Ops of the body that the reduction itself stands for."""
        if self.factors is None:
            return (self.op,)
        owner = self.operand.owner
        assert isinstance(owner, Operation)
        return (self.op, owner)


def reductions_of(nest: Nest) -> tuple[Reduction, ...] | None:
    """How each output is reduced, if each one is by a single combiner."""
    terminator = nest.body.last_op
    assert terminator is not None
    found: list[Reduction] = []
    for output, yielded in zip(
        nest.body.args[nest.inputs :], terminator.operands, strict=True
    ):
        reduction = _reduction(output, yielded)
        if reduction is None:
            return None
        found.append(reduction)
    return tuple(found)


def _reduction(output: SSAValue, yielded: SSAValue) -> Reduction | None:
    op = yielded.owner
    if isinstance(op, Block):
        return None
    combiner = COMBINERS.get(type(op))
    if combiner is None or not output.has_one_use() or not yielded.has_one_use():
        return None
    operands = [operand for operand in op.operands if operand is not output]
    if len(operands) != 1:
        return None
    (operand,) = operands
    return Reduction(combiner, op, operand, _factors(op, operand))


def _factors(op: Operation, operand: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    product = operand.owner
    expected = _PRODUCTS.get(type(op))  # pyright: ignore[reportArgumentType]
    if expected is None or not isinstance(product, expected):
        return None
    if product.parent is not op.parent or not operand.has_one_use():
        return None
    return (product.operands[0], product.operands[1])


def runs_on_arrays(body: Block) -> bool:
    """Whether the body may be run on whole operands: no control flow in it."""
    return not any(op.regions or isinstance(op, func.CallOp) for op in body.ops)
