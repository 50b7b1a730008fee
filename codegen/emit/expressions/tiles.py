"""The Triton expressions of constants, program ids and the ops that make tiles."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Operation

from tilewright.codegen.emit.expressions.conversions import to_integer
from tilewright.codegen.emit.expressions.written import (
    Values,
    Written,
    bits,
    broadcast_shape,
    cast,
    extents,
    full,
    is_narrow,
    number,
    triton_type,
    unsigned_type,
)
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
)
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    ConstexprOp,
    ExpandDimsOp,
    FullOp,
    NumProgramsOp,
    OffsetOp,
    ProgramIdOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    TransOp,
    element_of,
    shape_of,
)


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
    of = op.result.type
    is_integer = isinstance(element_of(of), IntegerType)
    if is_integer and isinstance(element_of(op.source.type), AnyFloat):
        return to_integer(values, op.source, op.result, is_signed=True)
    source = values.get(op.source)
    if not source.shape:
        # A loop variable may be a plain number, which has no `.to`.
        return Written(Call("tl.cast", (source.text, triton_type(of))), ())
    return Written(cast(source.text, of), source.shape)


def _reduce(values: Values, op: ReduceOp) -> Written:
    if op.kind.data in ("maxui", "minui"):
        return _reduce_unsigned(values, op)
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
    # Triton's own reductions widen narrow types, except the sum of f16.
    widens = plain is not None and is_narrow(of)
    if isinstance(of, BFloat16Type) or (
        widens and not (kind == "add" and isinstance(of, Float16Type))
    ):
        text = cast(text, of)
    return Written(text, shape)


def _reduce_unsigned(values: Values, op: ReduceOp) -> Written:
    """An extremum of unsigned numbers, which Triton widens to 32 bits."""
    of, shape = element_of(op.result.type), shape_of(op.result.type)
    source = Written(full(values, op.source), shape_of(op.source.type))
    axis = (("axis", Literal(str(op.axis.value.data))),)
    given = bits(source, unsigned_type(op.source.type))
    found = Call(f"tl.{op.kind.data[:3]}", (given,), axis)
    if is_narrow(of):
        return Written(cast(found, of), shape)
    return Written(bits(Written(found, shape), str(triton_type(of))), shape)


_SCANS = {
    "add": "_sum",
    "mul": "_product",
    "maximumf": "_maximum",
    "minimumf": "_minimum",
    "maxnumf": "_larger",
    "minnumf": "_smaller",
    "maxsi": "_larger",
    "minsi": "_smaller",
}
"""The helpers that combine two totals."""


def _scan(values: Values, op: ScanOp) -> Written:
    source = full(values, op.source)
    axis = Literal(str(op.axis.value.data))
    of = element_of(op.result.type)
    helper = _SCANS[str(op.kind.data)]
    values.need(helper)
    if isinstance(of, BFloat16Type):
        source = cast(source, Float32Type())
    text: Expression = Call("tl.associative_scan", (source, axis, Name(helper)))
    if isinstance(of, BFloat16Type):
        text = cast(text, of)
    return Written(text, shape_of(op.result.type))


TILE_WRITERS: dict[type[Operation], Callable[..., Written]] = {
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
    ReduceOp: _reduce,
    ScanOp: _scan,
}
