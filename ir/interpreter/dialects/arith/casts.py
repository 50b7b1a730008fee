"""arith's casts: integers wrap, floats round once, what does not fit saturates.

`ir/saturation.py` defines the result for a float that does not fit the integer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation

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
from tilewright.ir.saturation import nearest_integers


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
        nearest = partial(nearest_integers, width=width_of(type_), is_signed=is_signed)
        return (lift(nearest, type_, value),)

    return semantics


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
