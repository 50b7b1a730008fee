"""Outputs that a body combines with something new in every iteration."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.combiners import kind_of
from tilewright.ir.structured.loops import nest_of, runs_along_reductions

_PRODUCTS: dict[type[Operation], type[Operation]] = {
    arith.AddfOp: arith.MulfOp,
    arith.AddiOp: arith.MuliOp,
}


@dataclass(frozen=True)
class Reduction:
    """An output that is `combine(output, operand)` after every iteration."""

    kind: CombiningKindFlag
    op: Operation
    """The op that combines."""
    operand: SSAValue
    factors: tuple[SSAValue, SSAValue] | None
    """The factors, if the op adds a product that nothing else uses."""

    @property
    def skipped(self) -> tuple[Operation, ...]:
        """The ops of the body that are part of the reduction itself."""
        if self.factors is None:
            return (self.op,)
        owner = self.operand.owner
        assert isinstance(owner, Operation)
        return (self.op, owner)


def accumulation(op: StructuredOp, output: int) -> Operation | None:
    """The op that combines an output with one other value; None if there is none.

    The body reads the output once, there, and yields the result.
    """
    if not 0 <= output < len(op.outputs):
        return None
    accumulator = op.body.block.args[len(op.inputs) + output]
    combiner = yielded(op)[output].owner
    if (
        isinstance(combiner, Operation)
        and len(combiner.operands) == 2
        and list(combiner.operands).count(accumulator) == 1
        and accumulator.has_one_use()
    ):
        return combiner
    return None


def reduction_of(op: StructuredOp, output: int) -> Reduction | None:
    """How an output is reduced, if an op of the table of combiners does it."""
    combiner = accumulation(op, output)
    kind = None if combiner is None else kind_of(combiner)
    if combiner is None or kind is None:
        return None
    accumulator = op.body.block.args[len(op.inputs) + output]
    (operand,) = (value for value in combiner.operands if value is not accumulator)
    return Reduction(kind, combiner, operand, _factors(combiner, operand))


def reductions_of(op: StructuredOp) -> tuple[Reduction, ...] | None:
    """How each output is reduced; None if one is not, or the body reads a total."""
    if runs_along_reductions(nest_of(op)):
        return None
    found: list[Reduction] = []
    for output, value in enumerate(yielded(op)):
        reduction = reduction_of(op, output)
        if reduction is None or not value.has_one_use():
            return None
        found.append(reduction)
    return tuple(found)


def _factors(op: Operation, operand: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    product = operand.owner
    expected = _PRODUCTS.get(type(op))
    if expected is None or not isinstance(product, expected):
        return None
    if product.parent is not op.parent or not operand.has_one_use():
        return None
    return (product.operands[0], product.operands[1])


def filled_with(op: StructuredOp) -> FloatAttr | IntegerAttr | None:
    """The constant that a reduction starts from, if it is one."""
    fill = op.outputs[0].owner
    if not isinstance(fill, FillOp):
        return None
    constant = fill.inputs[0].owner
    value = constant.value if isinstance(constant, arith.ConstantOp) else None
    return value if isa(value, FloatAttr | IntegerAttr) else None
