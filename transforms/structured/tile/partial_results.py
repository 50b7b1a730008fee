"""What splitting a reduction shares: its combiner, and what partial results start from.

A reduction can be computed in parts where each output of the body is
`combine(output, something)` by one associative op with a neutral element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, ReduceOp, StructuredOp, YieldOp
from tilewright.ir.structured.combiners import NAMES, neutral_of
from tilewright.ir.structured.reductions import reduction_of
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.structured.new_ops import empty


@dataclass(frozen=True)
class Combiner:
    """How one output is combined, and from what a partial result may start."""

    op: Operation
    neutral: Attribute

    def body(self) -> Region:
        """A block that combines an element and an accumulator."""
        of = self.op.results[0].type
        block = Block(arg_types=[of, of])
        combined = self.op.clone()
        combined.operands[0], combined.operands[1] = block.args
        block.add_ops([combined, YieldOp(combined.results[0])])
        return Region(block)


def combiners(user: TransformOp, op: StructuredOp) -> list[Combiner]:
    """How each output is combined; refuses what has no neutral element."""
    found: list[Combiner] = []
    for index in range(len(op.outputs)):
        reduction = reduction_of(op, index)
        if reduction is None:
            raise user.refuse(
                f"output {index} is not combined by one op with a neutral element",
                op,
                f"use one of {NAMES}",
            )
        combiner = reduction.op
        neutral = neutral_of(combiner)
        if neutral is None:
            raise user.refuse(
                f"'{combiner.name}' has no neutral element on "
                f"{combiner.results[0].type}",
                op,
                remedy="reductions by add, mul, max, min, and, or, xor can be split",
            )
        found.append(Combiner(combiner, neutral))
    return found


def filled(
    shape: Sequence[Extent], value: Attribute, of: Attribute, new_ops: OpList
) -> FillOp:
    """A new tensor full of one value; the fill, which is added too."""
    destination = empty(shape, of, new_ops)
    assert isa(value, FloatAttr | IntegerAttr)
    scalar = new_ops.add(arith.ConstantOp(value))
    fill = FillOp([scalar], [destination])
    new_ops.add(fill)
    return fill


def merge(
    partial: SSAValue, into: SSAValue, combiner: Combiner, new_ops: OpList
) -> ReduceOp:
    """Combine partial results, which lie along the last dimensions, into an output."""
    kept = len(tensor_type(into).get_shape())
    rank = len(tensor_type(partial).get_shape())
    op = ReduceOp([partial], [into], range(kept, rank), combiner.body())
    new_ops.add(op)
    return op


def partial_type(output: SSAValue) -> Attribute:
    """The element type of an output's partial results."""
    return element_type(output.type)
