"""Attributes and types as text of the schedule language, and back.

A constant of the language may stand for several attributes (`4` is an i64, an i32, an
index); it stands for the one that the op accepts. An attribute without a constant is
written in MLIR's syntax, between backticks: `` `affine_map<(d0) -> (d0)>` ``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import AttrConstraint
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.context import LazyContext
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.parser import PayloadParser
from tilewright.ir.printing import PayloadPrinter
from tilewright.schedules.language.syntax import Argument, Items, Kind, Literal, Raw
from tilewright.transforms.core.base import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    OperationType,
    ParamType,
    TransformOpHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.dialect import schedule_context

# -- attributes ------------------------------------------------------------------


def accepts(constraint: AttrConstraint | None, attribute: Attribute) -> bool:
    """Whether a constraint accepts an attribute."""
    if constraint is None:
        return True
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException:
        return False
    return True


def attribute_for(
    value: Argument, constraint: AttrConstraint | None, user: str
) -> Attribute | None:
    """The attribute that a constant stands for.

    It is None for a `false` where `true` is a unit attribute. `user` begins errors.
    """
    if isinstance(value, Raw):
        found = _parse(value)
        if not accepts(constraint, found):
            raise UserError(
                f"{user}: {value.text} does not fit here",
                value.place,
                "give an attribute of the kind that the op's page names",
            )
        return found
    for candidate in _candidates(value):
        if accepts(constraint, candidate):
            return candidate
    if isinstance(value, Literal) and value.value is False:
        if accepts(constraint, UnitAttr()):
            return None
    raise UserError(
        f"{user}: this value does not fit here",
        value.place,
        "write the attribute in MLIR's syntax, between backticks",
    )


def text_of(attribute: Attribute, constraint: AttrConstraint | None = None) -> str:
    """The text of an attribute, given the constraint on the field it is for."""
    literal = _literal(attribute)
    if literal is not None:
        meant = next((c for c in _candidates(literal) if accepts(constraint, c)), None)
        if meant == attribute:
            return _written(literal)
    return f"`{_text(attribute)}`"


def _candidates(value: Argument) -> Iterator[Attribute]:
    """The attributes that a constant may stand for, the likeliest first."""
    if isinstance(value, Items):
        yield from _lists(value)
    if not isinstance(value, Literal):
        return
    constant = value.value
    if isinstance(constant, bool):
        yield BoolAttr.from_bool(constant)
        if constant:
            yield UnitAttr()
    elif isinstance(constant, int):
        yield IntegerAttr(constant, i64)
        yield IntegerAttr(constant, IndexType())
        yield IntegerAttr(constant, i32)
    elif isinstance(constant, float):
        yield FloatAttr(constant, Float64Type())
        yield FloatAttr(constant, Float32Type())
    else:
        yield StringAttr(constant)
        yield SymbolRefAttr(constant)


def _lists(value: Items) -> Iterator[Attribute]:
    constants = [i.value if isinstance(i, Literal) else None for i in value.items]
    if all(isinstance(c, bool) for c in constants):
        yield DenseArrayBase.from_list(i1, [int(bool(c)) for c in constants])
    if all(isinstance(c, int) and not isinstance(c, bool) for c in constants):
        numbers = [c for c in constants if isinstance(c, int)]
        yield DenseArrayBase.from_list(i64, numbers)
        yield DenseArrayBase.from_list(i32, numbers)
    kinds = [list(_candidates(item)) for item in value.items]
    for position in range(max(map(len, kinds), default=0)):
        if all(len(kind) > position for kind in kinds):
            yield ArrayAttr([kind[position] for kind in kinds])
    if not kinds:
        yield ArrayAttr[Attribute]([])


def _literal(attribute: Attribute) -> Literal | Items | None:
    """A constant that may stand for an attribute."""
    if isinstance(attribute, UnitAttr):
        return Literal(True)
    if isa(attribute, IntegerAttr):
        if attribute.type == IntegerType(1):
            return Literal(bool(attribute.value.data))
        return Literal(attribute.value.data)
    if isinstance(attribute, FloatAttr):
        return Literal(attribute.value.data)
    if isinstance(attribute, StringAttr) and not set('"\n\\') & set(attribute.data):
        return Literal(attribute.data)
    if isinstance(attribute, SymbolRefAttr) and not attribute.nested_references:
        return Literal(attribute.root_reference.data)
    if isa(attribute, DenseArrayBase[IntegerType]):
        is_bool = attribute.elt_type == i1
        return Items(
            tuple(
                Literal(bool(value) if is_bool else value)
                for value in attribute.get_values()
            )
        )
    if isa(attribute, ArrayAttr[Attribute]):
        items = [_literal(item) for item in attribute]
        return Items(tuple(item for item in items if item is not None))
    return None


def _written(value: Argument) -> str:
    if isinstance(value, Items):
        return f"[{', '.join(map(_written, value.items))}]"
    assert isinstance(value, Literal)
    constant = value.value
    if isinstance(constant, bool):
        return "true" if constant else "false"
    return f'"{constant}"' if isinstance(constant, str) else repr(constant)


# -- kinds -----------------------------------------------------------------------

_KINDS: dict[str, Attribute] = {
    "op": AnyOpType(),
    "value": AnyValueType(),
    "param": ParamType(i64),
    "any_param": AnyParamType(),
}


def kind_type(kind: Kind) -> Attribute:
    """The type that a kind stands for."""
    if kind.quoted:
        return OperationType(kind.text)
    if (known := _KINDS.get(kind.text)) is not None:
        return known
    if kind.text[:1] in "if" and kind.text[1:].isdigit() or kind.text == "index":
        of = _parse(Raw(kind.text, place=kind.place))
        assert isinstance(of, TypeAttribute)
        return ParamType(of)
    raise UserError(
        f"unknown kind '{kind.text}'",
        kind.place,
        'write "op.name" or op for a handle, value for values, param for a number',
    )


def kind_text(of: Attribute) -> str | None:
    """The kind that stands for a type, if there is one."""
    if isinstance(of, OperationType):
        return f'"{of.operation.data}"'
    for words, known in _KINDS.items():
        if known == of:
            return words
    return str(of.type) if isinstance(of, ParamType) else None


def described(of: Attribute) -> str:
    """A type as errors name it: `a handle`, `a number`."""
    if isinstance(of, OperationType):
        return f"a handle to '{of.operation.data}'"
    if isinstance(of, TransformOpHandleType):
        return "a handle"
    return "a value handle" if isinstance(of, TransformValueHandleType) else "a number"


def first_accepted(
    constraint: AttrConstraint, types: Sequence[Attribute]
) -> Attribute | None:
    """The first of some types that a constraint allows."""
    return next((of for of in types if accepts(constraint, of)), None)


HANDLE_TYPES: tuple[Attribute, ...] = tuple(_KINDS.values())
"""The types of results of transform ops, the likeliest first."""


# -- MLIR's syntax ---------------------------------------------------------------


@cache
def _context() -> LazyContext:
    return schedule_context()


def _parse(value: Raw) -> Attribute:
    try:
        return PayloadParser(_context(), value.text, value.place.file).parse_attribute()
    except (ParseError, UserError) as error:
        # The parser's error would point into a text that is not a file.
        raise UserError(
            f"`{value.text}` is not an attribute of MLIR",
            value.place,
            "write it in MLIR's syntax, such as `f32` or `[#gpu.block<x>]`",
        ) from error


def _text(attribute: Attribute) -> str:
    stream = io.StringIO()
    PayloadPrinter(stream=stream).print_attribute(attribute)
    return stream.getvalue()
