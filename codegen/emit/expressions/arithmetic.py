"""The Triton expressions of arithmetic: operators, comparisons, extrema, functions."""

from __future__ import annotations

from collections.abc import Callable
from math import frexp, prod
from typing import Any

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float64Type, f32, i1
from xdsl.ir import Operation

from tilewright.codegen.emit.expressions.written import (
    Values,
    Written,
    broadcast_shape,
    cast,
    exact,
    function,
    infix,
    is_narrow,
    scalar,
)
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Literal,
    Name,
    Unary,
)
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import CompareOp, element_of
from tilewright.ir.dtypes import element

LANES = 512
"""The elements of a value that is a tile, and no number of each row."""
_NAN = ("propagate_nan", Name("tl.PropagateNan.ALL"))


def _extremum(function: str, *keywords: tuple[str, Expression]) -> Any:
    def writer(values: Values, op: Operation) -> Written:
        left, right = (values.get(operand) for operand in op.operands)
        of = element_of(op.results[0].type)
        operands = tuple(
            exact(w.text, of) if w.literal else w.text for w in (left, right)
        )
        text: Expression = Call(function, operands, keywords)
        # A literal counts as f32 here, and bf16 is compared in f32.
        if isinstance(of, BFloat16Type) or (
            isinstance(of, Float16Type) and (left.literal or right.literal)
        ):
            text = cast(text, of)
        return Written(text, broadcast_shape(left, right))

    return writer


def _integer_extremum(name: str) -> Any:
    def writer(values: Values, op: Operation) -> Written:
        left, right = (values.get(operand) for operand in op.operands)
        # In Triton's interpreter, Python's `min` and `max` of two numbers may return a
        # literal: a plain int, which is correct only for an i32.
        is_index = element(element_of(op.results[0].type)).byte_width == 4
        is_plain = is_index and not broadcast_shape(left, right)
        function = name if is_plain else f"tl.{name}imum"
        text: Expression = Call(function, (left.text, right.text))
        # A literal counts as i32 here.
        if (left.literal or right.literal) and is_narrow(op.results[0].type):
            text = cast(text, op.results[0].type)
        return Written(text, broadcast_shape(left, right))

    return writer


def _rounded_up(values: Values, op: arith.CeilDivSIOp) -> Written:
    left, right = (values.get(operand).text for operand in op.operands)
    return Written(Call("tl.cdiv", (left, right)), ())


def _compare(values: Values, op: CompareOp) -> Written:
    signs = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
    left, right = values.get(op.lhs), values.get(op.rhs)
    text = Binary(signs[op.predicate.data], left.text, right.text)
    return Written(text, broadcast_shape(left, right))


def _select(values: Values, op: SelectOp) -> Written:
    condition, yes, no = (values.get(operand) for operand in op.operands)
    text = Call("tl.where", (condition.text, yes.text, no.text))
    return Written(text, broadcast_shape(condition, yes, no))


def _fma(values: Values, op: math.FmaOp) -> Written:
    a, b, c = (values.get(operand) for operand in op.operands)
    of = element_of(op.results[0].type)
    texts = tuple(scalar(w.text, of) if w.literal else w.text for w in (a, b, c))
    return Written(Call("tl.fma", texts), broadcast_shape(a, b, c))


def _remainder(values: Values, op: arith.RemFOp) -> Written:
    operands = [values.get(operand) for operand in op.operands]
    of = element_of(op.results[0].type)
    texts = tuple(scalar(w.text, of) if w.literal else w.text for w in operands)
    helper = "_rem_f64" if of == Float64Type() else "_rem"
    values.need(helper)
    return Written(Call(helper, texts), broadcast_shape(*operands))


def _xor(values: Values, op: arith.XOrIOp) -> Written:
    if element_of(op.result.type) != i1:
        return infix("^")(values, op)
    left, right = values.get(op.lhs), values.get(op.rhs)
    if right.literal and str(right.text) == "True":
        return Written(Unary("~", left.text), left.shape)
    return Written(Binary("^", left.text, right.text), broadcast_shape(left, right))


def _quotient(values: Values, op: arith.DivfOp) -> Written:
    """A division; of a whole tile by a power of two, a product, which is as exact.

    A quotient has 8 instructions, and a product one.
    """
    made = infix("/")(values, op)
    by = values.get(op.rhs)
    of, is_number = element_of(op.result.type), isinstance(by.text, Literal)
    if of != f32 or not (by.literal and is_number) or prod(made.shape) < LANES:
        return made
    number = float(str(by.text).strip("()"))
    if abs(frexp(number)[0]) != 0.5 or not 2.0**-60 < abs(number) < 2.0**60:
        return made
    inverse = Literal(repr(1 / number))
    return Written(Binary("*", values.get(op.lhs).text, inverse), made.shape)


def _negate(values: Values, op: arith.NegfOp) -> Written:
    source = values.get(op.operand)
    return Written(Unary("-", source.text), source.shape)


ARITHMETIC_WRITERS: dict[type[Operation], Callable[..., Written]] = {
    CompareOp: _compare,
    SelectOp: _select,
    arith.AddiOp: infix("+"),
    arith.SubiOp: infix("-"),
    arith.MuliOp: infix("*"),
    arith.FloorDivSIOp: infix("//"),
    arith.CeilDivSIOp: _rounded_up,
    arith.RemSIOp: infix("%"),
    arith.AndIOp: infix("&"),
    arith.OrIOp: infix("|"),
    arith.XOrIOp: _xor,
    arith.RemFOp: _remainder,
    arith.AddfOp: infix("+"),
    arith.SubfOp: infix("-"),
    arith.MulfOp: infix("*"),
    arith.DivfOp: _quotient,
    arith.NegfOp: _negate,
    arith.MaximumfOp: _extremum("tl.maximum", _NAN),
    arith.MinimumfOp: _extremum("tl.minimum", _NAN),
    arith.MaxnumfOp: _extremum("tl.maximum"),
    arith.MinnumfOp: _extremum("tl.minimum"),
    arith.MaxSIOp: _integer_extremum("max"),
    arith.MinSIOp: _integer_extremum("min"),
    math.FmaOp: _fma,
    math.ExpOp: function("tl.exp"),
    math.Exp2Op: function("tl.exp2"),
    math.LogOp: function("tl.log"),
    math.Log2Op: function("tl.log2"),
    math.SqrtOp: function("tl.sqrt"),
    math.RsqrtOp: function("tl.rsqrt"),
    math.ErfOp: function("tl.erf"),
    math.AbsFOp: function("tl.abs"),
    math.SinOp: function("tl.sin"),
    math.CosOp: function("tl.cos"),
    math.FloorOp: function("tl.floor"),
    math.CeilOp: function("tl.ceil"),
    math.TanhOp: function("_tanh"),
}
