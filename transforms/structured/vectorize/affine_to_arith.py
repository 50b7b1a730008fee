"""Lower `affine.apply` to arith ops, which can be vectorized.

Divisions and remainders round as affine has it: towards minus infinity, a remainder is
never negative. The same ops in the same order as upstream's.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.ir.dialects import affine, arith
from tilewright.ir.dialects.arith import SelectOp
from tilewright.transforms.core.extents import INDEX, OpList

_NO_WRAP = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


def written_out(op: affine.ApplyOp) -> tuple[list[Operation], SSAValue]:
    """The arith ops that compute `op`, and their result."""
    map_ = op.map.data
    dims = op.arguments[: map_.num_dims]
    code = _Arith(dims, op.arguments[map_.num_dims :])
    value = code.of(map_.results[0])
    return code.new.ops, value


class _Arith:
    """Collects the arith ops of one expression."""

    def __init__(self, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]):
        self.dims = dims
        self.symbols = symbols
        self.new = OpList()

    def of(self, expr: AffineExpr) -> SSAValue:
        """The value of an expression."""
        match expr:
            case AffineDimExpr():
                return self.dims[expr.position]
            case AffineSymExpr():
                return self.symbols[expr.position]
            case AffineConstantExpr():
                return self.number(expr.value)
            case AffineBinaryOpExpr():
                return self.binary(expr.kind, self.of(expr.lhs), self.of(expr.rhs))
            case _:
                raise AssertionError(f"no such affine expression: {expr}")

    def number(self, value: int) -> SSAValue:
        """A constant."""
        return self.new.add(arith.ConstantOp(IntegerAttr(value, INDEX)))

    def choose(self, where: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
        """A select."""
        return self.new.add(SelectOp(where, one, other))

    def compare(self, how: str, one: SSAValue, other: SSAValue) -> SSAValue:
        """A condition."""
        return self.new.add(arith.CmpiOp(one, other, how))

    def binary(
        self, kind: AffineBinaryOpKind, lhs: SSAValue, rhs: SSAValue
    ) -> SSAValue:
        """A sum, a product, a quotient or a remainder."""
        match kind:
            case AffineBinaryOpKind.Add:
                return self.new.add(arith.AddiOp(lhs, rhs))
            case AffineBinaryOpKind.Mul:
                return self.new.add(arith.MuliOp(lhs, rhs, overflow=_NO_WRAP))
            case AffineBinaryOpKind.Mod:
                rest = self.new.add(arith.RemSIOp(lhs, rhs))
                below = self.compare("slt", rest, self.number(0))
                return self.choose(below, self.new.add(arith.AddiOp(rest, rhs)), rest)
            case AffineBinaryOpKind.FloorDiv:
                return self.floor_div(lhs, rhs)
            case AffineBinaryOpKind.CeilDiv:
                return self.ceil_div(lhs, rhs)

    def floor_div(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`lhs < 0 ? -1 - (-1 - lhs) / rhs : lhs / rhs`."""
        zero, minus = self.number(0), self.number(-1)
        below = self.compare("slt", lhs, zero)
        flipped = self.choose(below, self.new.add(arith.SubiOp(minus, lhs)), lhs)
        quotient = self.new.add(arith.DivSIOp(flipped, rhs))
        back = self.new.add(arith.SubiOp(minus, quotient))
        return self.choose(below, back, quotient)

    def ceil_div(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`lhs <= 0 ? -(-lhs / rhs) : (lhs - 1) / rhs + 1`."""
        zero, one = self.number(0), self.number(1)
        below = self.compare("sle", lhs, zero)
        flipped = self.new.add(arith.SubiOp(zero, lhs))
        before = self.new.add(arith.SubiOp(lhs, one))
        dividend = self.choose(below, flipped, before)
        quotient = self.new.add(arith.DivSIOp(dividend, rhs))
        negative = self.new.add(arith.SubiOp(zero, quotient))
        after = self.new.add(arith.AddiOp(quotient, one))
        return self.choose(below, negative, after)
