"""Element-wise ops after a matmul that scale it, add to it and round it.

    %p = linalg.matmul ins(%a, %b) outs(%zero) -> tensor<MxNxf32>
    %r = linalg.generic ins(%p, %bias) outs(%empty) {
      %0 = arith.extf %bias : bf16 to f32
      %1 = arith.addf %p, %0 : f32
      %2 = arith.truncf %1 : f32 to bf16
    }

The body is read as a sum of terms. A term is a number times elements of operands. A
library that multiplies matrices computes many such tails together with the matmul.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import ExtFOp, TruncFOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.constants import constant_float
from tilewright.ir.structured.activations import GELU, activation_behind
from tilewright.ir.structured.bodies import is_elementwise, yielded
from tilewright.ir.structured.contractions import product_of

_MOST_TERMS = 8
"""A body with more terms is no tail that a library has."""


@dataclass(frozen=True)
class Term:
    """A number times elements of operands; the same operand may occur twice."""

    number: float
    operands: tuple[int, ...] = ()


@dataclass(frozen=True)
class MatmulTail:
    """`activation(number * matmul * scales + added)`, rounded once."""

    matmul: int
    """The operand that is the matmul."""
    number: float
    scales: tuple[int, ...]
    """The operands that the matmul is multiplied by."""
    added: tuple[Term, ...]
    activation: str | None = None
    """"relu", "gelu_tanh", or None."""


def absorbed_matmul(
    tail: StructuredOp, producer: Callable[[SSAValue], object]
) -> MatmulTail | None:
    """The tail that an op is of the first matmul it reads; None if it is none.

    `producer` gives the op that computes an input.
    """
    for position, value in enumerate(tail.inputs):
        made = producer(value)
        if not isinstance(made, StructuredOp) or product_of(made) is None:
            continue
        found = product_tail(tail, position)
        if found is not None:
            return found
    return None


def product_tail(op: StructuredOp, matmul: int) -> MatmulTail | None:
    """An op as the tail of the matmul that its operand `matmul` is."""
    if len(op.outputs) != 1 or not is_elementwise(op):
        return None
    value = yielded(op)[0]
    narrow: Attribute = value.type
    is_rounded = isinstance(value.owner, TruncFOp)
    if isinstance(value.owner, TruncFOp):
        value = value.owner.operands[0]
    activation = activation_behind(value)
    if activation is not None:
        inner = _unrounded(activation[1], narrow)
        if activation[0] == GELU and not (is_rounded and inner is not activation[1]):
            # A library's f32 gelu is less exact than the payload's.
            return None
        value = inner
    terms = _terms(op, value)
    if terms is None:
        return None
    own = [term for term in terms if matmul in term.operands]
    if len(own) != 1 or own[0].operands.count(matmul) != 1:
        return None
    return MatmulTail(
        matmul,
        own[0].number,
        tuple(position for position in own[0].operands if position != matmul),
        tuple(term for term in terms if term is not own[0]),
        None if activation is None else activation[0],
    )


def _unrounded(value: SSAValue, narrow: Attribute | None) -> SSAValue:
    """A value before it is rounded to the type of the result, if it is.

    The maximum of a rounded number is the rounded maximum. A smooth activation of it
    differs by less than the result's own rounding.
    """
    rounded = value.owner.operands[0] if isinstance(value.owner, ExtFOp) else value
    owner = rounded.owner
    if isinstance(owner, TruncFOp) and rounded.type == narrow:
        return owner.operands[0]
    return value


def _terms(op: StructuredOp, value: SSAValue) -> list[Term] | None:
    """The sum that a value of the body is; None where it is no sum of such terms."""
    if isinstance(value, BlockArgument):
        inside = value.block is op.body.block and value.index < len(op.inputs)
        return [Term(1.0, (value.index,))] if inside else None
    number = constant_float(value)
    if number is not None:
        return [Term(number)]
    owner = value.owner
    assert isinstance(owner, Operation)
    parts = [_terms(op, operand) for operand in owner.operands]
    if any(part is None for part in parts):
        return None
    made = _combined(owner, [part for part in parts if part is not None])
    return made if made is not None and len(made) <= _MOST_TERMS else None


def _combined(op: Operation, parts: list[list[Term]]) -> list[Term] | None:
    """The terms of a scalar op's result, for those of its operands."""
    match op, parts:
        case arith.ExtFOp(), [terms]:
            return terms
        case arith.NegfOp(), [terms]:
            return _scaled(terms, -1.0)
        case arith.AddfOp(), [left, right]:
            return [*left, *right]
        case arith.SubfOp(), [left, right]:
            return [*left, *_scaled(right, -1.0)]
        case arith.MulfOp(), [left, right]:
            return [
                Term(a.number * b.number, (*a.operands, *b.operands))
                for a in left
                for b in right
            ]
        case arith.DivfOp(), [terms, [Term(number, ())]] if number != 0:
            return _scaled(terms, 1.0 / number)
        case _:
            return None


def _scaled(terms: list[Term], by: float) -> list[Term]:
    return [replace(term, number=term.number * by) for term in terms]
