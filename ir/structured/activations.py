"""Activation functions that a library computes together with a product: relu, gelu.

The tanh form of gelu is recognized by its numbers: however the body spells it, an
expression of sums, products and `tanh` that agrees with it at many points is the same
function.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from xdsl.ir import BlockArgument, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects import math as math_dialect
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.constants import constant_float
from tilewright.ir.structured.bodies import is_elementwise, yielded

RELU, GELU = "relu", "gelu_tanh"

_POINTS = [number / 4 for number in range(-32, 33)]
_CLOSE = 1e-6
"""The constants of a body are f32."""


def activation_behind(value: SSAValue) -> tuple[str, SSAValue] | None:
    """The activation that computes a value, and what it is applied to."""
    before = _behind_relu(value)
    if before is not None:
        return RELU, before
    leaves = set(_leaves(value))
    if len(leaves) != 1:
        return None
    (leaf,) = leaves
    if leaf is value or not all(_is_gelu(value, leaf, at) for at in _POINTS):
        return None
    return GELU, leaf


def activation_of(op: StructuredOp) -> str | None:
    """The activation that an op is, of one tensor of its result's type."""
    if len(op.inputs) != 1 or len(op.outputs) != 1 or not is_elementwise(op):
        return None
    if op.inputs[0].type != op.results[0].type or op.maps[0] != op.maps[1]:
        return None
    value = yielded(op)[0]
    is_rounded = isinstance(value.owner, arith.TruncFOp)
    found = activation_behind(value.owner.operands[0] if is_rounded else value)  # pyright: ignore
    if found is None or (found[0] == GELU and not is_rounded):
        return None
    name, inner = found
    if is_rounded and isinstance(inner.owner, arith.ExtFOp):
        inner = inner.owner.operands[0]
    return name if inner is op.body.block.args[0] else None


def _behind_relu(value: SSAValue) -> SSAValue | None:
    """The value of which a value is the maximum with 0; None if it is no such.

    A library's relu keeps NaN, and so does `maximumf`; `maxnumf` makes it 0.
    """
    owner = value.owner
    if not isinstance(owner, arith.MaximumfOp):
        return None
    left, right = owner.operands
    if constant_float(left) == 0:
        left, right = right, left
    return left if constant_float(right) == 0 else None


def _leaves(value: SSAValue) -> Iterator[SSAValue]:
    """What an expression of sums, products and `tanh` is computed from."""
    match value.owner:
        case (
            arith.AddfOp()
            | arith.SubfOp()
            | arith.MulfOp()
            | arith.DivfOp()
            | arith.NegfOp()
            | math_dialect.TanhOp()
        ) if not isinstance(value, BlockArgument):
            for operand in value.owner.operands:
                yield from _leaves(operand)
        case _:
            if constant_float(value) is None:
                yield value


def _is_gelu(value: SSAValue, leaf: SSAValue, at: float) -> bool:
    """Whether an expression is the tanh form of gelu at one point."""
    inner = math.sqrt(2 / math.pi) * (at + 0.044715 * at**3)
    wanted = 0.5 * at * (1 + math.tanh(inner))
    made = _number(value, leaf, at)
    return made is not None and math.isclose(
        made, wanted, rel_tol=_CLOSE, abs_tol=_CLOSE
    )


def _number(value: SSAValue, leaf: SSAValue, at: float) -> float | None:
    """The value of an expression, where the leaf is `at`."""
    if value is leaf:
        return at
    if (number := constant_float(value)) is not None:
        return number
    owner = value.owner
    given = [_number(operand, leaf, at) for operand in owner.operands]  # pyright: ignore
    match owner, given:
        case arith.AddfOp(), [float(left), float(right)]:
            return left + right
        case arith.SubfOp(), [float(left), float(right)]:
            return left - right
        case arith.MulfOp(), [float(left), float(right)]:
            return left * right
        case arith.DivfOp(), [float(left), float(right)] if right:
            return left / right
        case arith.NegfOp(), [float(one)]:
            return -one
        case math_dialect.TanhOp(), [float(one)]:
            return math.tanh(one)
        case _:
            return None
