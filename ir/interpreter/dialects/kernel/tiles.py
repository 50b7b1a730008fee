"""Tiles of a kernel: constants, shapes and arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute

from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    DotOp,
    ExpandDimsOp,
    FullOp,
    HalvesOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    TransOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.combiners import COMBINERS
from tilewright.ir.interpreter.core.contraction import contract
from tilewright.ir.interpreter.core.elementwise import (
    as_is,
    lift,
    typed,
    unsigned,
    widen,
)
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value


def constexpr(interpreter: Interpreter, op: ConstexprOp) -> Results:
    """The named size as a number."""
    return (numpy_dtype(op.result.type).type(op.value.value.data),)


def arange(interpreter: Interpreter, op: ArangeOp) -> Results:
    """0, 1, 2 and so on."""
    return (np.arange(shape_of(op.result.type)[0], dtype=np.int32),)


def full(interpreter: Interpreter, op: FullOp) -> Results:
    """One number in every lane; a view."""
    return (filled(op.value, op.result.type),)


def filled(value: Any, of: Any) -> Value:
    """A number of an attribute in every lane of a type; a view."""
    assert isinstance(value, FloatAttr | IntegerAttr)
    number = numpy_dtype(element_of(of)).type(value.value.data)  # pyright: ignore[reportUnknownMemberType]
    return np.broadcast_to(number, shape_of(of)) if shape_of(of) else number


def expand_dims(interpreter: Interpreter, op: ExpandDimsOp, source: Array) -> Results:
    """Insert a dimension of size one; a view."""
    return (np.expand_dims(source, op.axis.value.data),)


def reshape(interpreter: Interpreter, op: ReshapeOp, source: Value) -> Results:
    """The same elements in another shape."""
    return (
        typed(np.asarray(source).reshape(shape_of(op.result.type)), op.result.type),
    )


def trans(interpreter: Interpreter, op: TransOp, source: Array) -> Results:
    """Permuted dimensions; a view."""
    return (source.transpose([int(p) for p in op.order.get_values()]),)


def halves(interpreter: Interpreter, op: HalvesOp, source: Array) -> Results:
    """Columns from the left, columns from the right."""
    middle = source.shape[1] // 2
    return source[:, :middle], source[:, middle:]


def dot(
    interpreter: Interpreter, op: DotOp, lhs: Array, rhs: Array, *start: Array
) -> Results:
    """Matrix product, multiplied and added in the accumulator's type."""
    return (multiply(lhs, rhs, start[0] if start else None, op.result.type),)


def multiply(lhs: Array, rhs: Array, start: Array | None, of: Attribute) -> Array:
    """The matrix product of two tiles, added to `start`; batches in front."""
    shape = shape_of(of)
    acc = np.zeros(shape, numpy_dtype(element_of(of))) if start is None else start
    left, right = (value.astype(acc.dtype, copy=False) for value in (lhs, rhs))
    loops = (*shape, lhs.shape[-1])
    last = len(shape)
    product = contract(
        left[..., :, None, :], right.swapaxes(-1, -2)[..., None, :, :], loops, (last,)
    )
    return acc + product[..., 0]


def reduce(interpreter: Interpreter, op: ReduceOp, source: Array) -> Results:
    """Combine along one axis; narrow floats in f32."""
    combiner = COMBINERS[op.kind.data]
    given = unsigned(source) if combiner.read is unsigned else widen(source)
    total = combiner.ufunc.reduce(given, axis=op.axis.value.data)
    return (typed(np.asarray(total), op.result.type),)


def scan(interpreter: Interpreter, op: ScanOp, source: Array) -> Results:
    """Totals along one axis, each rounded to the tile's type."""
    ufunc = COMBINERS[op.kind.data].ufunc
    totals = ufunc.accumulate(source, axis=op.axis.value.data, dtype=source.dtype)
    return (typed(totals, op.result.type),)


def convert(interpreter: Interpreter, op: CastOp, source: Value) -> Results:
    """To another element type; floats round to nearest even or saturate."""
    return (lift(as_is, op.result.type, source),)


_COMPARE: dict[str, Any] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}


def compare(interpreter: Interpreter, op: CompareOp, lhs: Value, rhs: Value) -> Results:
    """Signed integers, or floats with NaN unequal to everything."""
    return (lift(_COMPARE[op.predicate.data], op.result.type, lhs, rhs),)
