"""The table of scalar ops as elementwise torch expressions.

Floats are computed in float64, whatever their type in the payload, so that the
reference does not round; only a cast to a narrower type in the payload rounds. Integers
keep their type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, Operation

from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Literal,
    Suffix,
    Unary,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dtypes import element

ROUNDED = "rounded"
"""The helper in the file that rounds a float64 value to a narrower type."""

NEAREST_INTEGER = "nearest_integer"
"""The helper in the file that makes integers of floats, as `ir/saturation.py` does."""

LARGEST_NUMBER = "largest_number"
"""The helper in the file that reduces to the maximum and drops NaN."""

Write = Callable[[Operation, Sequence[Expression]], Expression]


def write_op(op: Operation, operands: Sequence[Expression]) -> Expression | None:
    """The torch expression of a scalar op; None where the table has none."""
    write = _TABLE.get(type(op))
    return None if write is None else write(op, operands)


def _operator(sign: str) -> Write:
    return lambda op, operands: Binary(sign, operands[0], operands[1])


def _function(name: str) -> Write:
    def write(op: Operation, operands: Sequence[Expression]) -> Expression:
        return Call(name, tuple(_tensor(op, operand) for operand in operands))

    return write


def _bound(name: str, side: str) -> Write:
    """The larger or smaller of two values; with a constant it is a clamp."""

    def write(op: Operation, operands: Sequence[Expression]) -> Expression:
        numbers = [value for value in operands if isinstance(value, Literal)]
        others = [value for value in operands if not isinstance(value, Literal)]
        if len(numbers) == 1:
            return Call("torch.clamp", (others[0],), ((side, numbers[0]),))
        return Call(name, tuple(_tensor(op, operand) for operand in operands))

    return write


def _tensor(op: Operation, value: Expression) -> Expression:
    """A constant as a tensor, which torch's functions require."""
    if not isinstance(value, Literal):
        return value
    # A tensor without dimensions can be combined with tensors on any device.
    return Call("torch.tensor", (value,), (("dtype", wide_type(op.results[0].type)),))


def wide_type(of: Attribute) -> Literal:
    """The torch type of values of an element type in the reference."""
    kind = element(of)
    return Literal("torch.float64" if kind.is_float else TORCH_TYPES[kind.name])


def literal(value: float) -> Literal:
    """A number in Python's syntax."""
    if value != value:
        return Literal('float("nan")')
    if abs(value) == float("inf"):
        return Literal('float("inf")' if value > 0 else '-float("inf")')
    return Literal(repr(value))


def _convert(op: Operation, operands: Sequence[Expression]) -> Expression:
    if isinstance(operands[0], Literal):
        return operands[0]
    to = element(op.results[0].type)
    if not to.is_float:
        return Suffix(operands[0], f".to({TORCH_TYPES[to.name]})")
    if not element(op.operands[0].type).is_float:
        return Suffix(operands[0], ".double()")
    return Call(ROUNDED, (operands[0], Literal(TORCH_TYPES[to.name])))


def _to_integer(op: Operation, operands: Sequence[Expression]) -> Expression:
    (value,) = operands
    if isinstance(value, Literal):
        value = Call("torch.tensor", (value,), (("dtype", Literal("torch.float64")),))
    to = Literal(TORCH_TYPES[element(op.results[0].type).name])
    return Call(NEAREST_INTEGER, (value, to))


def _as_is(op: Operation, operands: Sequence[Expression]) -> Expression:
    return operands[0]


def _negated(op: Operation, operands: Sequence[Expression]) -> Expression:
    return Unary("-", operands[0])


def _multiply_add(op: Operation, operands: Sequence[Expression]) -> Expression:
    return Binary("+", Binary("*", operands[0], operands[1]), operands[2])


def _select(op: Operation, operands: Sequence[Expression]) -> Expression:
    condition, *values = operands
    if all(isinstance(value, Literal) for value in values):
        values[0] = _tensor(op, values[0])
    return Call("torch.where", (condition, *values))


def _compare(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.CmpfOp | arith.CmpiOp)
    number = op.predicate.value.data
    sign = (_ORDERED if isinstance(op, arith.CmpfOp) else _SIGNED).get(number)
    if sign is None:
        raise NotImplementedError(f"its predicate {number}")
    return Binary(sign, operands[0], operands[1])


_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
_SIGNED = {0: "==", 1: "!=", 2: "<", 3: "<=", 4: ">", 5: ">="}

_TABLE: dict[type[Operation], Write] = {
    arith.AddfOp: _operator("+"),
    arith.SubfOp: _operator("-"),
    arith.MulfOp: _operator("*"),
    arith.DivfOp: _operator("/"),
    arith.NegfOp: _negated,
    arith.AddiOp: _operator("+"),
    arith.SubiOp: _operator("-"),
    arith.MuliOp: _operator("*"),
    arith.AndIOp: _operator("&"),
    arith.OrIOp: _operator("|"),
    arith.XOrIOp: _operator("^"),
    arith.MaximumfOp: _bound("torch.maximum", "min"),
    arith.MinimumfOp: _bound("torch.minimum", "max"),
    arith.MaxnumfOp: _function("torch.fmax"),
    arith.MinnumfOp: _function("torch.fmin"),
    arith.MaxSIOp: _bound("torch.maximum", "min"),
    arith.MinSIOp: _bound("torch.minimum", "max"),
    arith.CmpfOp: _compare,
    arith.CmpiOp: _compare,
    SelectOp: _select,
    arith.ExtFOp: _as_is,
    arith.TruncFOp: _convert,
    arith.SIToFPOp: _convert,
    arith.FPToSIOp: _to_integer,
    arith.ExtSIOp: _convert,
    arith.TruncIOp: _convert,
    arith.IndexCastOp: _convert,
    math.FmaOp: _multiply_add,
    math.AbsFOp: _function("torch.abs"),
    math.CeilOp: _function("torch.ceil"),
    math.CosOp: _function("torch.cos"),
    math.ErfOp: _function("torch.erf"),
    math.ExpOp: _function("torch.exp"),
    math.Exp2Op: _function("torch.exp2"),
    math.ExpM1Op: _function("torch.expm1"),
    math.FloorOp: _function("torch.floor"),
    math.LogOp: _function("torch.log"),
    math.Log1pOp: _function("torch.log1p"),
    math.Log2Op: _function("torch.log2"),
    math.PowFOp: _function("torch.pow"),
    math.RsqrtOp: _function("torch.rsqrt"),
    math.SinOp: _function("torch.sin"),
    math.SqrtOp: _function("torch.sqrt"),
    math.TanhOp: _function("torch.tanh"),
}
