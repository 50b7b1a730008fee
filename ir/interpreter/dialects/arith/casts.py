"""arith's casts: integers wrap, floats round once, what does not fit saturates.

A float that does not fit the integer is poison upstream. Here it gives the nearest
integer of the type, and a NaN gives 0, as on a GPU.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import arith
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter.core.elementwise import (
    elementwise,
    lift,
    on_signed,
    on_unsigned,
    width_of,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
)
from tilewright.ir.interpreter.core.rounding import ROUNDINGS


def truncf(interpreter: Interpreter, op: arith.TruncFOp, value: Value) -> Results:
    """Round once, to nearest even or as the op says."""
    type_ = op.result.type
    mode: int = 0 if op.rounding_mode is None else op.rounding_mode.value.data

    def rounded(number: Any) -> Any:
        return ROUNDINGS[mode](number, numpy_dtype(type_))

    return (lift(rounded, type_, value),)


def bitcast(interpreter: Interpreter, op: Operation, value: Value) -> Results:
    """The same bits under another type; `tensor.bitcast` too."""
    type_ = op.results[0].type
    dtype = numpy_dtype(type_)
    plain = np.ascontiguousarray(value).reshape(np.shape(value))
    result = plain.astype(dtype) if dtype == np.bool_ else plain.view(dtype)
    return (result if isinstance(type_, ShapedType) else result[()],)


def to_integer(*, is_signed: bool) -> Semantics:
    """A float as an integer, towards zero."""

    def semantics(interpreter: Interpreter, op: Operation, value: Value) -> Results:
        type_ = op.results[0].type
        return (lift(partial(saturated, to=type_, is_signed=is_signed), type_, value),)

    return semantics


def saturated(value: Any, to: Attribute, is_signed: bool) -> Any:
    """The nearest integer of a type to a float's whole part."""
    width = width_of(to)
    low = -(1 << (width - 1)) if is_signed else 0
    high = (1 << (width - 1 if is_signed else width)) - 1
    whole = np.trunc(value.astype(np.float64))
    kind = np.int64 if is_signed else np.uint64
    # The bounds as floats: the upper one is the first number that does not fit.
    inside = (whole >= low) & (whole < float(high + 1))
    result = np.where(inside, whole, 0.0).astype(kind)
    result = np.where(whole >= float(high + 1), kind(high), result)
    return np.where(whole < low, kind(low), result)


TABLE: Table = {
    arith.ExtFOp: elementwise(np.asanyarray),
    arith.TruncFOp: truncf,
    arith.TruncIOp: elementwise(on_signed(np.positive)),
    arith.ExtSIOp: elementwise(on_signed(np.positive)),
    arith.ExtUIOp: elementwise(on_unsigned(np.positive)),
    arith.IndexCastOp: elementwise(on_signed(np.positive)),
    arith.IndexCastUIOp: elementwise(on_unsigned(np.positive)),
    arith.SIToFPOp: elementwise(on_signed(np.positive)),
    arith.UIToFPOp: elementwise(on_unsigned(np.positive)),
    arith.FPToSIOp: to_integer(is_signed=True),
    arith.FPToUIOp: to_integer(is_signed=False),
    arith.BitcastOp: bitcast,
}
