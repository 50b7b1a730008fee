"""Single lanes and leading slices: extract, insert, from_elements, to_elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import is_vector, lanes, vector_type

POISON = -1
"""The static position of no lane: the result is poison."""


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """A lane or a slice, by its leading indices."""

    name = "vector.extract"

    vector = operand_def(VectorType)
    dynamic_position = var_operand_def(IndexType)
    static_position = prop_def(DenseArrayBase.constr(i64))
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    assembly_format = (
        "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) "
        "attr-dict `:` type($result) `from` type($vector)"
    )
    custom_directives = (DynamicIndexList,)

    def __init__(self, vector: SSAValue, positions: Sequence[SSAValue | int]):
        static, dynamic = split_dynamic_index_list(positions, DYNAMIC_INDEX)
        super().__init__(
            operands=[vector, dynamic],
            result_types=[_below(vector_type(vector), len(positions))],
            properties={"static_position": DenseArrayBase.from_list(i64, static)},
        )

    def verify_(self) -> None:
        """Indices inside the vector, and the type that they leave."""
        source = vector_type(self.vector)
        _verify_position(self.static_position, self.dynamic_position, source)
        expected = _below(source, len(self.static_position))
        if self.result.type != expected:
            raise VerifyException(
                f"expected a result of type '{expected}', found '{self.result.type}'"
            )


@irdl_op_definition
class InsertOp(IRDLOperation):
    """A copy of a vector with a lane or a slice replaced."""

    name = "vector.insert"

    T: ClassVar = VarConstraint("T", base(VectorType[Attribute]))

    source = operand_def(AnyAttr())
    dest = operand_def(T)
    dynamic_position = var_operand_def(IndexType)
    static_position = prop_def(DenseArrayBase.constr(i64))
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `,` $dest custom<DynamicIndexList>($dynamic_position, "
        "$static_position) attr-dict `:` type($source) `into` type($dest)"
    )
    custom_directives = (DynamicIndexList,)

    def __init__(
        self, source: SSAValue, dest: SSAValue, positions: Sequence[SSAValue | int]
    ):
        static, dynamic = split_dynamic_index_list(positions, DYNAMIC_INDEX)
        super().__init__(
            operands=[source, dest, dynamic],
            result_types=[dest.type],
            properties={"static_position": DenseArrayBase.from_list(i64, static)},
        )

    def verify_(self) -> None:
        """Indices inside the vector, and a source that fits there."""
        dest = vector_type(self.dest)
        _verify_position(self.static_position, self.dynamic_position, dest)
        expected = _below(dest, len(self.static_position))
        if self.source.type != expected:
            raise VerifyException(
                f"expected a source of type '{expected}', found '{self.source.type}'"
            )


def _below(of: VectorType[Attribute], indices: int) -> Attribute:
    """The type below some leading indices: a vector, or a scalar at full rank."""
    rest = of.get_shape()[indices:]
    return VectorType(of.element_type, rest) if rest else of.element_type


def _verify_position(
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
    of: VectorType[Attribute],
) -> None:
    positions = [int(value) for value in static.get_values()]
    verify_dynamic_index_list(positions, dynamic, DYNAMIC_INDEX)
    shape = of.get_shape()
    if len(positions) > len(shape):
        raise VerifyException(
            f"expected position attribute of rank no greater than vector rank "
            f"{len(shape)}"
        )
    for dim, (position, size) in enumerate(zip(positions, shape, strict=False)):
        if position in (DYNAMIC_INDEX, POISON):
            continue
        if not 0 <= position < size:
            raise VerifyException(
                f"expected position attribute #{dim + 1} to be a non-negative integer "
                f"smaller than the corresponding vector dimension {size}"
            )


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of given scalars, in row-major order."""

    name = "vector.from_elements"

    elements = var_operand_def(AnyAttr())
    dest = result_def(VectorType)

    traits = traits_def(Pure())

    def __init__(
        self, elements: Sequence[SSAValue], result_type: VectorType[Attribute]
    ):
        super().__init__(operands=[elements], result_types=[result_type])

    def verify_(self) -> None:
        """As many scalars as lanes, of the vector's element type."""
        dest = vector_type(self.dest)
        count = prod(dest.get_shape())
        if len(self.elements) != count:
            raise VerifyException(
                f"expected {count} elements for '{dest}', found {len(self.elements)}"
            )
        if any(element.type != dest.element_type for element in self.elements):
            raise VerifyException(f"expected elements of type '{dest.element_type}'")

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        """`%a, %b : vector<2xf32>`."""
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        dest = parser.parse_type()
        if not is_vector(dest):
            parser.raise_error("expected a vector type", pos)
        operands = [parser.resolve_operand(name, dest.element_type) for name in names]
        op = cls(operands, dest)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%a, %b : vector<2xf32>`."""
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """A vector's scalars, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue):
        of = vector_type(source)
        count = prod(of.get_shape())
        super().__init__(operands=[source], result_types=[[of.element_type] * count])

    def verify_(self) -> None:
        """A scalar for each lane."""
        of = vector_type(self.source)
        count = prod(lanes(of) or ())
        if [value.type for value in self.elements] != [of.element_type] * count:
            raise VerifyException(
                f"expected {count} results of type '{of.element_type}'"
            )

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        """`%v : vector<2xf32>`."""
        name = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        source = parser.parse_type()
        if not is_vector(source):
            parser.raise_error("expected a vector type", pos)
        op = cls(parser.resolve_operand(name, source))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%v : vector<2xf32>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
