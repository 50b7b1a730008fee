"""arith: constants, comparisons, choices and floats.

Floats round once to nearest even, `maximumf` keeps a NaN and `maxnumf` drops it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
)
from xdsl.ir import Attribute, Operation

from tilewright.ir.dense_constants import is_splat
from tilewright.ir.dialects import arith
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.elementwise import (
    Function,
    cast,
    choose,
    elementwise,
    in_f32,
    lift,
    on_signed,
    on_unsigned,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
    is_array,
)
from tilewright.ir.interpreter.dialects.arith import casts, integers


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
    if is_splat(attribute):
        return np.broadcast_to(flat[0], shape)
    return flat.reshape(shape)


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
    interpreter: Interpreter,
    op: arith.SelectOp,
    condition: Value,
    yes: Value,
    no: Value,
) -> Results:
    """Choose lane by lane; a scalar condition may choose anything, buffers too."""
    if not is_array(condition):
        return (yes if condition else no,)
    return (lift(np.where, op.result.type, condition, yes, no),)


def maximum(lhs: Any, rhs: Any) -> Any:
    """The greater one; a NaN wins, and +0 is greater than -0."""
    return _with_zeros(np.maximum(lhs, rhs), lhs, rhs, np.add)


def minimum(lhs: Any, rhs: Any) -> Any:
    """The lesser one; a NaN wins, and -0 is less than +0."""
    return _with_zeros(np.minimum(lhs, rhs), lhs, rhs, _negative_sum)


def maximum_number(lhs: Any, rhs: Any) -> Any:
    """The greater one; a NaN loses."""
    return _with_zeros(np.fmax(lhs, rhs), lhs, rhs, np.add)


def minimum_number(lhs: Any, rhs: Any) -> Any:
    """The lesser one; a NaN loses."""
    return _with_zeros(np.fmin(lhs, rhs), lhs, rhs, _negative_sum)


def _with_zeros(result: Any, lhs: Any, rhs: Any, of_zeros: Function) -> Any:
    """numpy may return either zero; upstream's folder tells them apart."""
    zeros = (lhs == 0) & (rhs == 0)
    return choose(zeros, of_zeros(lhs, rhs), result) if np.any(zeros) else result


def _negative_sum(lhs: Any, rhs: Any) -> Any:
    return -(-lhs + -rhs)


TABLE: Table = {
    arith.ConstantOp: constant,
    arith.CmpiOp: cmpi,
    arith.CmpfOp: cmpf,
    arith.SelectOp: select,
    arith.AddfOp: elementwise(np.add),
    arith.SubfOp: elementwise(np.subtract),
    arith.MulfOp: elementwise(np.multiply),
    arith.DivfOp: elementwise(np.divide),
    arith.RemFOp: elementwise(in_f32(np.fmod)),
    arith.NegfOp: elementwise(np.negative),
    arith.MaximumfOp: elementwise(maximum),
    arith.MinimumfOp: elementwise(minimum),
    arith.MaxnumfOp: elementwise(maximum_number),
    arith.MinnumfOp: elementwise(minimum_number),
    **integers.TABLE,
    **casts.TABLE,
}
