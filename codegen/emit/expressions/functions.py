"""The Triton expressions of `math` ops that need a helper, or that test a number."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from tilewright.codegen.emit.expressions.written import Values, Written, function
from tilewright.codegen.source.python_text import Binary, Call, Expression, Literal
from tilewright.ir.dialects import math

_INFINITY = Literal('float("inf")')


def _test(
    sign: str, other: Expression | None
) -> Callable[[Values, Operation], Written]:
    """Compare the magnitude with a number, or a value with itself."""

    def writer(values: Values, op: Operation) -> Written:
        source = values.get(op.operands[0])
        if other is None:
            return Written(Binary(sign, source.text, source.text), source.shape)
        magnitude = Call("tl.abs", (source.text,))
        return Written(Binary(sign, magnitude, other), source.shape)

    return writer


FUNCTION_WRITERS: dict[type[Operation], Callable[..., Written]] = {
    math.AbsIOp: function("tl.abs"),
    math.TruncOp: function("_trunc"),
    math.RoundOp: function("_round"),
    math.RoundEvenOp: function("_roundeven"),
    math.Log10Op: function("_log10"),
    math.Log1pOp: function("_log1p"),
    math.ExpM1Op: function("_expm1"),
    math.SinhOp: function("_sinh"),
    math.CoshOp: function("_cosh"),
    math.TanOp: function("_tan"),
    math.AtanOp: function("_atan"),
    math.AsinOp: function("_asin"),
    math.AcosOp: function("_acos"),
    math.AsinhOp: function("_asinh"),
    math.AcoshOp: function("_acosh"),
    math.AtanhOp: function("_atanh"),
    math.ErfcOp: function("_erfc"),
    math.CbrtOp: function("_cbrt"),
    math.Atan2Op: function("_atan2"),
    math.PowFOp: function("_power"),
    math.CopySignOp: function("_copysign"),
    math.IsNaNOp: _test("!=", None),
    math.IsInfOp: _test("==", _INFINITY),
    math.IsFiniteOp: _test("<", _INFINITY),
}
