"""The building blocks of expressions: types, numbers, broadcasts, infix and calls.

The shape of an expression may have fewer or shorter dimensions than the type of its
value, since Triton broadcasts implicitly. Where Triton does not (a dot, a reduction,
the initial value of a loop), `full` writes the broadcast out.
"""

from __future__ import annotations

import math as python_math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
)
from tilewright.ir.dialects.kernel import element_of, shape_of
from tilewright.ir.dtypes import element
from tilewright.ir.element_types import TENSOR_TYPES

TRITON_TYPES = {row.name: f"tl.{row.triton}" for row in TENSOR_TYPES}


@dataclass(frozen=True)
class Written:
    """An expression and the shape of its value."""

    text: Expression
    shape: tuple[int, ...]
    literal: bool = False
    """Whether it is a plain Python number: its type is that of the other operand."""


class Values(Protocol):
    """The operands and helpers of an expression."""

    def get(self, value: SSAValue) -> Written:
        """The expression of an operand."""
        ...

    def need(self, helper: str) -> None:
        """Ask for a helper function, and for those that it calls."""
        ...


def triton_type(of: Attribute) -> Name:
    """`tl.float16` and so on."""
    return Name(TRITON_TYPES[element(element_of(of)).name])


def number(attribute: Attribute) -> Expression:
    """A constant as Python writes it: the shortest text that gives the same value."""
    if isinstance(attribute, IntegerAttr):
        value = attribute.value.data
        return Literal(str(bool(value) if attribute.type == i1 else value))
    assert isinstance(attribute, FloatAttr)
    value = attribute.value.data
    if python_math.isnan(value) or python_math.isinf(value):
        return Literal(f'float("{value}")')
    if isinstance(attribute.type, Float64Type):
        return Literal(repr(value))
    if isinstance(attribute.type, Float16Type):
        return Literal(repr(float(str(np.float16(value)))))
    return Literal(repr(float(str(np.float32(value)))))


def extents(names: Any, of: Attribute) -> Group:
    """A shape, by name where an extent has one."""
    sizes = shape_of(of)
    texts = [name.data for name in names] if names is not None else [""] * len(sizes)
    return Group(
        tuple(
            Name(text) if text else Literal(str(size))
            for text, size in zip(texts, sizes, strict=True)
        ),
        "()",
    )


def full(values: Values, value: SSAValue) -> Expression:
    """The expression of a tile, broadcast to the shape of its type."""
    written = values.get(value)
    shape = shape_of(value.type)
    if written.shape == shape and not written.literal:
        return written.text
    if written.literal:
        size = extents(None, value.type)
        return Call("tl.full", (size, written.text, triton_type(value.type)))
    return broadcast(written.text, value.type)


def exact(text: Expression, of: Attribute) -> Expression:
    """A number as an argument of `tl`'s functions, which treat Python floats as f32."""
    if not isinstance(element_of(of), Float64Type) or _is_exact_in_f32(str(text)):
        return text
    return scalar(text, of)


def _is_exact_in_f32(text: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return True  # float("inf"), float("nan")
    with np.errstate(over="ignore"):
        return float(np.float32(value)) == value


def scalar(text: Expression, of: Attribute) -> Expression:
    """A number of a type, as a tile without dimensions."""
    return Call("tl.full", (Group((), "()"), text, triton_type(of)))


def broadcast(text: Expression, of: Attribute) -> Expression:
    """A broadcast written out."""
    return Call("tl.broadcast_to", (text, extents(None, of)))


def cast(text: Expression, of: Attribute) -> Expression:
    """`text.to(tl.float16)`."""
    return Suffix(text, f".to({triton_type(of)})")


def bits(written: Written, of: str) -> Expression:
    """The same bits as a value of another type."""
    if not written.shape:
        return Call("tl.cast", (written.text, Name(of)), (("bitcast", Name("True")),))
    return Suffix(written.text, f".to({of}, bitcast=True)")


def unsigned_type(of: Attribute) -> str:
    """`tl.uint8` and so on."""
    width = element_of(of)
    assert isinstance(width, IntegerType)
    return f"tl.uint{width.width.data}"


def broadcast_shape(*operands: Written) -> tuple[int, ...]:
    """The shape Triton gives an elementwise expression."""
    shape: tuple[int, ...] = ()
    for operand in operands:
        if not shape:
            shape = operand.shape
        elif operand.shape:
            shape = tuple(max(a, b) for a, b in zip(shape, operand.shape, strict=True))
    return shape


def is_narrow(of: Attribute) -> bool:
    """Whether elements have fewer than 32 bits."""
    return element(element_of(of)).byte_width < 4


def infix(operator: str) -> Callable[[Values, Operation], Written]:
    """A writer of `a + b`, for some operator."""

    def writer(values: Values, op: Operation) -> Written:
        left, right = (values.get(operand) for operand in op.operands)
        of = element_of(op.results[0].type)
        is_integer = not isinstance(
            of, Float16Type | BFloat16Type | Float32Type | Float64Type
        )
        text: Expression = Binary(operator, left.text, right.text, is_integer)
        if operator == "/" and isinstance(of, Float16Type | BFloat16Type):
            # Triton divides halves in f32.
            text = cast(text, of)
        return Written(
            text, broadcast_shape(left, right), left.literal and right.literal
        )

    return writer


def function(function: str) -> Any:
    """A writer of a call with one or two operands: a function of `tl`, or a helper."""

    def writer(values: Values, op: Operation) -> Written:
        operands = [values.get(operand) for operand in op.operands]
        of = element_of(op.results[0].type)
        exact = f"{function}_f64"
        called = exact if of == Float64Type() and exact in HELPERS else function
        if called in HELPERS:
            values.need(called)
        texts = [operand.text for operand in operands]
        # Triton's functions take f32 and f64.
        widens = isinstance(of, Float16Type | BFloat16Type) and function != "tl.abs"
        if widens:
            texts = [cast(text, Float32Type()) for text in texts]
        text: Expression = Call(called, tuple(texts))
        if widens:
            text = cast(text, of)
        return Written(text, broadcast_shape(*operands))

    return writer
