"""arith: integers wrap, floats round once to nearest even, `maximumf` keeps a NaN.

Upstream leaves some results undefined (a shift by the width, a float that does not fit
the integer); numpy's result stands for those. Dividing a scalar integer by zero is an
error.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ShapedType,
)
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.elementwise import (
    Function,
    cast,
    elementwise,
    lift,
    on_signed,
    on_unsigned,
    signed,
    unsigned,
)
from tilewright.ir.interpreter.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
    fail,
    is_array,
)


def constant(interpreter: Interpreter, op: arith.ConstantOp) -> Results:
    """A scalar, or an array whose splats are lazy broadcasts."""
    value = interpreter.memo.get(op)
    if value is None:
        value = constant_value(op, op.value)
        interpreter.memo[op] = value
    return (value,)


def constant_value(op: Operation, attribute: Attribute) -> Value:
    """The value of an attribute that an op materialises."""
    if isinstance(attribute, IntegerAttr):
        of: Attribute = attribute.get_type()
        return cast(attribute.value.data, of)
    if isinstance(attribute, FloatAttr):
        return cast(attribute.value.data, attribute.get_type())
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return dense_value(attribute)  # pyright: ignore[reportUnknownArgumentType]
    fail(op, f"constants of the form {type(attribute).__name__} are not supported")


def dense_value(attribute: DenseIntOrFPElementsAttr[Any]) -> Array:
    """The array of a `dense<...>`."""
    shape = attribute.get_shape()
    dtype = numpy_dtype(attribute.get_element_type())
    # An i1 is stored as a byte, 0 or 0xFF.
    stored = np.dtype(np.uint8) if dtype == np.bool_ else dtype
    flat: Array = np.frombuffer(attribute.data.data, stored)
    flat = flat != 0 if dtype == np.bool_ else flat
    if flat.size > 0 and bool(np.all(flat.view(np.uint8) == _repeated_bytes(flat))):
        return np.broadcast_to(flat[0], shape)
    return flat.reshape(shape)


def _repeated_bytes(flat: Array) -> Array:
    return np.tile(flat[:1].view(np.uint8), flat.size)


def dividing(function: Function) -> Semantics:
    """An integer division, refused where a scalar divisor is zero."""

    def semantics(
        interpreter: Interpreter, op: Operation, lhs: Value, rhs: Value
    ) -> Results:
        if not is_array(rhs) and rhs == 0:
            fail(op, "division by zero")
        return (lift(function, op.results[0].type, lhs, rhs),)

    return semantics


def divide_truncating(lhs: Any, rhs: Any) -> Any:
    """Integer division towards zero; numpy's goes towards minus infinity."""
    quotient = lhs // rhs
    inexact = quotient * rhs != lhs
    return quotient + (inexact & ((lhs < 0) != (rhs < 0)))


def divide_ceiling(lhs: Any, rhs: Any) -> Any:
    """Integer division towards plus infinity."""
    quotient = lhs // rhs
    return quotient + (quotient * rhs != lhs)


_CMPI: Sequence[Function] = (
    np.equal,
    np.not_equal,
    on_signed(np.less),
    on_signed(np.less_equal),
    on_signed(np.greater),
    on_signed(np.greater_equal),
    on_unsigned(np.less),
    on_unsigned(np.less_equal),
    on_unsigned(np.greater),
    on_unsigned(np.greater_equal),
)


def _unordered(lhs: Any, rhs: Any) -> Any:
    return np.isnan(lhs) | np.isnan(rhs)


def _ordered(lhs: Any, rhs: Any) -> Any:
    return ~_unordered(lhs, rhs)


def _ordered_not_equal(lhs: Any, rhs: Any) -> Any:
    return (lhs != rhs) & _ordered(lhs, rhs)


def _always(lhs: Any, rhs: Any) -> Any:
    return _ordered(lhs, rhs) | _unordered(lhs, rhs)


def _never(lhs: Any, rhs: Any) -> Any:
    return _ordered(lhs, rhs) & _unordered(lhs, rhs)


def _or_unordered(compare: Function) -> Function:
    def either(lhs: Any, rhs: Any) -> Any:
        return compare(lhs, rhs) | _unordered(lhs, rhs)

    return either


_CMPF: Sequence[Function] = (
    _never,
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    _ordered_not_equal,
    _ordered,
    _or_unordered(np.equal),
    _or_unordered(np.greater),
    _or_unordered(np.greater_equal),
    _or_unordered(np.less),
    _or_unordered(np.less_equal),
    np.not_equal,
    _unordered,
    _always,
)


def cmpi(interpreter: Interpreter, op: arith.CmpiOp, lhs: Value, rhs: Value) -> Results:
    """Integer comparison by the predicate's number."""
    function = _CMPI[op.predicate.value.data]
    return (lift(function, op.result.type, lhs, rhs),)


def cmpf(interpreter: Interpreter, op: arith.CmpfOp, lhs: Value, rhs: Value) -> Results:
    """Float comparison by the predicate's number."""
    function = _CMPF[op.predicate.value.data]
    return (lift(function, op.result.type, lhs, rhs),)


def select(
    interpreter: Interpreter, op: SelectOp, condition: Value, yes: Value, no: Value
) -> Results:
    """Choose lane by lane; a scalar condition may choose anything, buffers too."""
    if not is_array(condition):
        return (yes if condition else no,)
    return (lift(np.where, op.result.type, condition, yes, no),)


def truncf(interpreter: Interpreter, op: arith.TruncFOp, value: Value) -> Results:
    """Round once to nearest even."""
    kind = op.result.type
    return (lift(partial(round_odd, to=kind), kind, value),)


def round_odd(value: Any, to: Attribute) -> Any:
    """f64 brought to f32 so that the next rounding, to an ml_dtypes format, is exact.

    ml_dtypes goes from f64 through f32 and would round twice. Rounding to odd keeps
    what the second rounding needs to know.
    """
    kind = numpy_dtype(to)
    if value.dtype != np.float64 or kind in (np.dtype(np.float16), np.dtype("f4")):
        return value
    near = np.asarray(value).astype(np.float32)
    back = near.astype(np.float64)
    bits = near.view(np.uint32)
    inexact = np.isfinite(back) & (back != value)
    # Towards zero first, then the last bit says "there was more".
    too_far = inexact & (np.abs(back) > np.abs(value))
    bits = np.where(too_far, bits - 1, bits)
    bits = np.where(inexact, bits | 1, bits).astype(np.uint32)
    return bits.view(np.float32)


def bitcast(interpreter: Interpreter, op: arith.BitcastOp, value: Value) -> Results:
    """The same bits under another type."""
    dtype = numpy_dtype(op.result.type)
    plain = np.ascontiguousarray(value).reshape(np.shape(value))
    result = plain.astype(dtype) if dtype == np.bool_ else plain.view(dtype)
    return (result if isinstance(op.result.type, ShapedType) else result[()],)


def float_to_integer(value: Any) -> Any:
    """Towards zero; what does not fit is undefined upstream, and numpy's here."""
    return np.trunc(value.astype(np.float64)).astype(np.int64)


def float_to_unsigned(value: Any) -> Any:
    """As `float_to_integer`, for values up to 2^64."""
    return np.trunc(value.astype(np.float64)).astype(np.uint64)


def extended_product(read: Function) -> Semantics:
    """Low and high half of a product of twice the width."""

    def semantics(
        interpreter: Interpreter, op: Operation, lhs: Value, rhs: Value
    ) -> Results:
        low_type, high_type = (result.type for result in op.results)
        bits = numpy_dtype(low_type).itemsize * 8

        def part(a: Any, b: Any, shift: int) -> Any:
            wide: Any = read(a).astype(object) * read(b).astype(object)
            half: Any = (np.asarray(wide, object) >> shift) & ((1 << bits) - 1)
            return np.asarray(half).astype(np.uint64)

        return (
            lift(partial(part, shift=0), low_type, lhs, rhs),
            lift(partial(part, shift=bits), high_type, lhs, rhs),
        )

    return semantics


def addui_extended(
    interpreter: Interpreter, op: arith.AddUIExtendedOp, lhs: Value, rhs: Value
) -> Results:
    """The sum and whether it wrapped."""
    total = lift(on_unsigned(np.add), op.sum.type, lhs, rhs)
    carry = lift(on_unsigned(np.less), op.overflow.type, total, lhs)
    return (total, carry)


TABLE: Table = {
    arith.ConstantOp: constant,
    arith.AddiOp: elementwise(on_signed(np.add)),
    arith.SubiOp: elementwise(on_signed(np.subtract)),
    arith.MuliOp: elementwise(on_signed(np.multiply)),
    arith.AddUIExtendedOp: addui_extended,
    arith.MulSIExtendedOp: extended_product(signed),
    arith.MulUIExtendedOp: extended_product(unsigned),
    arith.DivSIOp: dividing(on_signed(divide_truncating)),
    arith.DivUIOp: dividing(on_unsigned(np.floor_divide)),
    arith.FloorDivSIOp: dividing(on_signed(np.floor_divide)),
    arith.CeilDivSIOp: dividing(on_signed(divide_ceiling)),
    arith.CeilDivUIOp: dividing(on_unsigned(divide_ceiling)),
    arith.RemSIOp: dividing(on_signed(np.fmod)),
    arith.RemUIOp: dividing(on_unsigned(np.fmod)),
    arith.MinSIOp: elementwise(on_signed(np.minimum)),
    arith.MaxSIOp: elementwise(on_signed(np.maximum)),
    arith.MinUIOp: elementwise(on_unsigned(np.minimum)),
    arith.MaxUIOp: elementwise(on_unsigned(np.maximum)),
    arith.AndIOp: elementwise(np.bitwise_and),
    arith.OrIOp: elementwise(np.bitwise_or),
    arith.XOrIOp: elementwise(np.bitwise_xor),
    arith.ShLIOp: elementwise(on_signed(np.left_shift)),
    arith.ShRSIOp: elementwise(on_signed(np.right_shift)),
    arith.ShRUIOp: elementwise(on_unsigned(np.right_shift)),
    arith.CmpiOp: cmpi,
    arith.CmpfOp: cmpf,
    SelectOp: select,
    arith.AddfOp: elementwise(np.add),
    arith.SubfOp: elementwise(np.subtract),
    arith.MulfOp: elementwise(np.multiply),
    arith.DivfOp: elementwise(np.divide),
    arith.NegfOp: elementwise(np.negative),
    arith.MaximumfOp: elementwise(np.maximum),
    arith.MinimumfOp: elementwise(np.minimum),
    arith.MaxnumfOp: elementwise(np.fmax),
    arith.MinnumfOp: elementwise(np.fmin),
    arith.ExtFOp: elementwise(np.asanyarray),
    arith.TruncFOp: truncf,
    arith.TruncIOp: elementwise(on_signed(np.positive)),
    arith.ExtSIOp: elementwise(on_signed(np.positive)),
    arith.ExtUIOp: elementwise(on_unsigned(np.positive)),
    arith.IndexCastOp: elementwise(on_signed(np.positive)),
    arith.SIToFPOp: elementwise(on_signed(np.positive)),
    arith.UIToFPOp: elementwise(on_unsigned(np.positive)),
    arith.FPToSIOp: elementwise(float_to_integer),
    arith.FPToUIOp: elementwise(float_to_unsigned),
    arith.BitcastOp: bitcast,
}
