"""Patterns on vector reductions: single lanes, zero accumulators."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.vector import (
    CombiningKindFlag,
    ContractOp,
    ExtractOp,
    MaskOp,
    MultiReductionOp,
    ReductionOp,
    ShapeCastOp,
)
from tilewright.ir.structured.combiners import combining_op
from tilewright.ir.types import element_type, is_vector, vector_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

KINDS = CombiningKindFlag


def combined(kind: KINDS, lhs: SSAValue, rhs: SSAValue) -> Operation:
    """One step of a reduction."""
    combine = combining_op(kind, element_type(lhs.type))
    assert combine is not None, "the verifier checks the kind"
    return make(combine.name, [lhs, rhs], [lhs.type])


def _elements(vector: SSAValue, kind: Attribute) -> Operation:
    """The only element of a vector, or the vector without unit dimensions."""
    if is_vector(kind):
        return make(ShapeCastOp.name, [vector], [kind])
    rank = vector_type(vector).get_num_dims()
    position = DenseArrayBase.from_list(i64, [0] * rank)
    return make(ExtractOp.name, [vector], [kind], {"static_position": position})


@pattern(MultiReductionOp)
def reduce_one_lane(op: MultiReductionOp, rewriter: Rewriter) -> None:
    """Replace a reduction of unit dimensions by one combination."""
    shape = vector_type(op.source).get_shape()
    if not op.dims or any(shape[dim] != 1 for dim in op.dims):
        return
    parent = op.parent_op()
    if isinstance(parent, MaskOp):
        return
    lone = _elements(op.source, op.acc.type)
    total = combined(op.kind.data, op.acc, lone.results[0])
    rewriter.replace_with(op, lone, total)


@pattern(ReductionOp)
def reduce_single(op: ReductionOp, rewriter: Rewriter) -> None:
    """Replace a reduction of one lane by that lane and the accumulator."""
    kind = vector_type(op.vector)
    if kind.get_shape() not in ((1,), ()) or isinstance(op.parent_op(), MaskOp):
        return
    lone = _elements(op.vector, op.dest.type)
    if op.acc is None:
        rewriter.replace_with(op, lone)
    else:
        total = combined(op.kind.data, lone.results[0], op.acc)
        rewriter.replace_with(op, lone, total)


def _is_zero(value: SSAValue) -> bool:
    """Whether a value is 0 everywhere; -0.0 is not."""
    number = uniform(value)
    return number is not None and number == 0 and math.copysign(1.0, number) > 0


@pattern_on("arith.addf", "arith.addi")
def add_to_contraction(op: Operation, rewriter: Rewriter) -> None:
    """`contract(a, b, 0) + c` is `contract(a, b, c)`."""
    for side, other in (op.operands, tuple(reversed(op.operands))):
        contract = owner_named(side, ContractOp.name)
        if not isinstance(contract, ContractOp) or not _is_zero(contract.acc):
            continue
        if contract.kind.data != KINDS.ADD:
            continue  # upstream does this for every combining kind, which is wrong
        new = ContractOp(
            contract.lhs,
            contract.rhs,
            other,
            contract.indexing_maps,
            contract.iterator_types,
            contract.kind,
        )
        rewriter.replace_with(op, new)
        return


PATTERNS = (reduce_one_lane, reduce_single, add_to_contraction)
