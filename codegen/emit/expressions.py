"""The Triton expression of each pure op of a kernel: one table.

A tile is written with the shape it really has, which may have fewer or shorter
dimensions than its type says: Triton broadcasts by itself. Where it does not (a dot, a
reduction, a loop's start), `full` writes the broadcast out.
"""

from __future__ import annotations

import math as python_math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
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
    Unary,
)
from tilewright.ir.dialects import arith, math, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    ExpandDimsOp,
    FullOp,
    NumProgramsOp,
    OffsetOp,
    ProgramIdOp,
    ReduceOp,
    ReshapeOp,
    TransOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import element

TRITON_TYPES = {
    "f64": "tl.float64",
    "f32": "tl.float32",
    "f16": "tl.float16",
    "bf16": "tl.bfloat16",
    "f8E4M3FN": "tl.float8e4nv",
    "f8E5M2": "tl.float8e5",
    "i1": "tl.int1",
    "i8": "tl.int8",
    "i16": "tl.int16",
    "i32": "tl.int32",
    "i64": "tl.int64",
}

NAN = ("propagate_nan", Name("tl.PropagateNan.ALL"))


@dataclass(frozen=True)
class Written:
    """An expression and the shape of what it evaluates to."""

    text: Expression
    shape: tuple[int, ...]
    literal: bool = False
    """A plain Python number, which takes the type of what it meets."""


class Values(Protocol):
    """What an expression is made from."""

    def get(self, value: SSAValue) -> Written:
        """The expression of an operand."""
        ...

    def need(self, helper: str) -> None:
        """Ask for a helper function."""
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
    """A number as an argument of `tl`'s functions, which take floats for f32."""
    if not isinstance(element_of(of), Float64Type) or _is_exact_in_f32(str(text)):
        return text
    return _scalar(text, of)


def _is_exact_in_f32(text: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return True  # float("inf"), float("nan")
    with np.errstate(over="ignore"):
        return float(np.float32(value)) == value


def _scalar(text: Expression, of: Attribute) -> Expression:
    return Call("tl.full", (Group((), "()"), text, triton_type(of)))


def broadcast(text: Expression, of: Attribute) -> Expression:
    """A broadcast written out."""
    return Call("tl.broadcast_to", (text, extents(None, of)))


def cast(text: Expression, of: Attribute) -> Expression:
    """`text.to(tl.float16)`."""
    return Suffix(text, f".to({triton_type(of)})")


def broadcast_shape(*operands: Written) -> tuple[int, ...]:
    """The shape Triton gives an elementwise expression."""
    shape: tuple[int, ...] = ()
    for operand in operands:
        if not shape:
            shape = operand.shape
        elif operand.shape:
            shape = tuple(max(a, b) for a, b in zip(shape, operand.shape, strict=True))
    return shape


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
        # Of two numbers, Python's function in Triton's interpreter gives back a literal
        # as it is: a plain int, which stands for an i32 alone.
        is_index = element(element_of(op.results[0].type)).byte_width == 4
        is_plain = is_index and not broadcast_shape(left, right)
        function = name if is_plain else f"tl.{name}imum"
        text: Expression = Call(function, (left.text, right.text))
        # A literal counts as i32 here.
        if (left.literal or right.literal) and _is_narrow(op.results[0].type):
            text = cast(text, op.results[0].type)
        return Written(text, broadcast_shape(left, right))

    return writer


def function(function: str) -> Any:
    """A writer of a call with one operand: a function of `tl`, or a helper."""

    def writer(values: Values, op: Operation) -> Written:
        operand = values.get(op.operands[0])
        of = element_of(op.results[0].type)
        exact = f"{function}_f64"
        called = exact if of == Float64Type() and exact in HELPERS else function
        if called in HELPERS:
            values.need(called)
        text = operand.text
        # Triton's functions take f32 and f64.
        narrow = isinstance(of, Float16Type | BFloat16Type)
        if narrow and function != "tl.abs":
            text = cast(text, Float32Type())
        text = Call(called, (text,))
        if narrow and function != "tl.abs":
            text = cast(text, of)
        return Written(text, operand.shape)

    return writer


def _constant(values: Values, op: arith.ConstantOp) -> Written:
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr):
        value = next(iter(value.iter_attrs()))
    return Written(number(value), (), True)


def _constexpr(values: Values, op: ConstexprOp) -> Written:
    return Written(Name(op.constant.data), (), True)


def _program_id(values: Values, op: ProgramIdOp) -> Written:
    return Written(Call("tl.program_id", (Literal(str(op.axis.value.data)),)), ())


def _num_programs(values: Values, op: NumProgramsOp) -> Written:
    return Written(Call("tl.num_programs", (Literal(str(op.axis.value.data)),)), ())


def _arange(values: Values, op: ArangeOp) -> Written:
    shape = shape_of(op.result.type)
    length = Name(op.length_name.data) if op.length_name else Literal(str(shape[0]))
    return Written(Call("tl.arange", (Literal("0"), length)), shape)


def _full(values: Values, op: FullOp) -> Written:
    of = op.result.type
    size = extents(op.extents, of)
    dtype = ("dtype", triton_type(of))
    value = op.value
    assert isinstance(value, FloatAttr | IntegerAttr)
    if value.value.data == 0 and not str(value.value.data).startswith("-"):
        return Written(Call("tl.zeros", (size,), (dtype,)), shape_of(of))
    return Written(Call("tl.full", (size, number(value)), (dtype,)), shape_of(of))


def _expand_dims(values: Values, op: ExpandDimsOp) -> Written:
    source = values.get(op.source)
    axis = op.axis.value.data
    if not source.shape:
        return source
    shape = list(source.shape)
    shape.insert(axis, 1)
    text = source.text
    entries = [":"] * len(source.shape)
    if isinstance(text, Suffix) and text.text.startswith("["):
        # x[:, None] and then another dimension: one subscript.
        entries = text.text[1:-1].split(", ")
        text = text.value
    entries.insert(axis, "None")
    return Written(Suffix(text, f"[{', '.join(entries)}]"), tuple(shape))


def _broadcast(values: Values, op: vector.BroadcastOp) -> Written:
    return values.get(op.source)


def _reshape(values: Values, op: ReshapeOp) -> Written:
    size = extents(op.extents, op.result.type)
    text = Call("tl.reshape", (full(values, op.source), size))
    return Written(text, shape_of(op.result.type))


def _trans(values: Values, op: TransOp) -> Written:
    order = tuple(int(p) for p in op.order.get_values())
    source = full(values, op.source)
    shape = shape_of(op.result.type)
    if order == (1, 0):
        return Written(Call("tl.trans", (source,)), shape)
    group = Group(tuple(Literal(str(p)) for p in order), "()")
    return Written(Call("tl.permute", (source, group)), shape)


def _offset(values: Values, op: OffsetOp) -> Written:
    pointer, offset = values.get(op.pointer), values.get(op.offset)
    text = Binary("+", pointer.text, offset.text, associative=True)
    return Written(text, broadcast_shape(pointer, offset))


def _cast(values: Values, op: CastOp) -> Written:
    source = values.get(op.source)
    of = op.result.type
    if not source.shape:
        # A loop variable may be a plain number, which has no `.to`.
        return Written(Call("tl.cast", (source.text, triton_type(of))), ())
    return Written(cast(source.text, of), source.shape)


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
    texts = tuple(_scalar(w.text, of) if w.literal else w.text for w in (a, b, c))
    return Written(Call("tl.fma", texts), broadcast_shape(a, b, c))


def _reduce(values: Values, op: ReduceOp) -> Written:
    source = full(values, op.source)
    axis = Literal(str(op.axis.value.data))
    kind = op.kind.data
    shape = shape_of(op.result.type)
    of = element_of(op.result.type)
    plain = {
        "add": "tl.sum",
        "maxnumf": "tl.max",
        "minnumf": "tl.min",
        "maxsi": "tl.max",
        "minsi": "tl.min",
    }.get(kind)
    if plain is not None:
        text: Expression = Call(plain, (source,), (("axis", axis),))
    else:
        helper = {"maximumf": "_maximum", "minimumf": "_minimum", "mul": "_product"}[
            kind
        ]
        values.need(helper)
        if isinstance(of, BFloat16Type) and kind != "mul":
            # `tl.maximum` of bf16 is f32, and a reduction must keep its type.
            source = cast(source, Float32Type())
        text = Call("tl.reduce", (source, axis, Name(helper)))
    # Triton's own reductions widen what is narrow; only the sum of f16 stays f16.
    widens = plain is not None and _is_narrow(of)
    if isinstance(of, BFloat16Type) or (
        widens and not (kind == "add" and isinstance(of, Float16Type))
    ):
        text = cast(text, of)
    return Written(text, shape)


def _is_narrow(of: Attribute) -> bool:
    """Whether elements have fewer than 32 bits."""
    return element(element_of(of)).byte_width < 4


def _xor(values: Values, op: arith.XOrIOp) -> Written:
    if element_of(op.result.type) != i1:
        return infix("^")(values, op)
    left, right = values.get(op.lhs), values.get(op.rhs)
    if right.literal and str(right.text) == "True":
        return Written(Unary("~", left.text), left.shape)
    return Written(Binary("^", left.text, right.text), broadcast_shape(left, right))


def _negate(values: Values, op: arith.NegfOp) -> Written:
    source = values.get(op.operand)
    return Written(Unary("-", source.text), source.shape)


EXPRESSION_WRITERS: dict[type[Operation], Callable[..., Written]] = {
    arith.ConstantOp: _constant,
    ConstexprOp: _constexpr,
    ProgramIdOp: _program_id,
    NumProgramsOp: _num_programs,
    ArangeOp: _arange,
    FullOp: _full,
    ExpandDimsOp: _expand_dims,
    vector.BroadcastOp: _broadcast,
    ReshapeOp: _reshape,
    TransOp: _trans,
    OffsetOp: _offset,
    CastOp: _cast,
    CompareOp: _compare,
    SelectOp: _select,
    ReduceOp: _reduce,
    arith.AddiOp: infix("+"),
    arith.SubiOp: infix("-"),
    arith.MuliOp: infix("*"),
    arith.FloorDivSIOp: infix("//"),
    arith.CeilDivSIOp: _rounded_up,
    arith.RemSIOp: infix("%"),
    arith.AndIOp: infix("&"),
    arith.OrIOp: infix("|"),
    arith.XOrIOp: _xor,
    arith.RemFOp: infix("%"),
    arith.AddfOp: infix("+"),
    arith.SubfOp: infix("-"),
    arith.MulfOp: infix("*"),
    arith.DivfOp: infix("/"),
    arith.NegfOp: _negate,
    arith.MaximumfOp: _extremum("tl.maximum", NAN),
    arith.MinimumfOp: _extremum("tl.minimum", NAN),
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
