"""affine.apply, min and max: the index arithmetic that tiling leaves behind.

`affine.delinearize_index` and `linearize_index` go from one index to several and back.

The ops are ours: xDSL's `apply` mixes up dimensions and symbols and takes no
attributes, and its `min` declares no effects.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils import (
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
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


class AffineMapOperation(IRDLOperation, abc.ABC):
    """A map applied to dimensions and symbols."""

    arguments = var_operand_def(IndexType())
    """The map's dimensions, then its symbols."""
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, arguments: Sequence[SSAValue], map: AffineMapAttr):
        super().__init__(
            operands=[arguments],
            properties={"map": map},
            result_types=[IndexType()],
        )

    def verify_(self) -> None:
        """The map has operands for its dimensions and symbols, and a result."""
        map = self.map.data
        expected = map.num_dims + map.num_symbols
        if len(self.arguments) != expected:
            raise VerifyException(
                f"expected {expected} operands for {map.num_dims} dimensions and "
                f"{map.num_symbols} symbols, got {len(self.arguments)}"
            )
        if not map.results:
            raise VerifyException("expected a map with a result")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`#map(%dims)[%symbols]`."""
        start = parser.pos
        map = parser.parse_attribute()
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("expected an affine map", start)
        start = parser.pos
        dims = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
        )
        symbols = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        counts = (len(dims), len(symbols or ()))
        if counts != (map.data.num_dims, map.data.num_symbols):
            parser.raise_error(
                f"expected {map.data.num_dims} dimensions and {map.data.num_symbols} "
                f"symbols, got {counts[0]} and {counts[1]}",
                start,
            )
        op = cls([*dims, *(symbols or ())], map)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`#map(%dims)[%symbols]`."""
        dims = self.map.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.map)
        with printer.in_parens():
            printer.print_list(self.arguments[:dims], printer.print_ssa_value)
        if self.map.data.num_symbols:
            with printer.in_square_brackets():
                printer.print_list(self.arguments[dims:], printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ApplyOp(AffineMapOperation):
    """The value of a map's one result."""

    name = "affine.apply"

    def verify_(self) -> None:
        """The map has exactly one result."""
        super().verify_()
        if len(self.map.data.results) != 1:
            raise VerifyException("expected a map with one result")


@irdl_op_definition
class MinOp(AffineMapOperation):
    """The least of a map's results."""

    name = "affine.min"


@irdl_op_definition
class MaxOp(AffineMapOperation):
    """The greatest of a map's results."""

    name = "affine.max"


def _parse_basis(parser: Parser) -> tuple[list[SSAValue], list[int]]:
    """`(4, %n)`: values, and numbers with a mark in the place of each value."""
    dynamic: list[SSAValue] = []

    def element() -> int:
        number = parser.parse_optional_integer(allow_boolean=False)
        if number is not None:
            return number
        dynamic.append(parser.parse_operand(IndexType()))
        return DYNAMIC_INDEX

    static = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, element)
    return dynamic, static


def _print_basis(printer: Printer, basis: Sequence[SSAValue | int]) -> None:
    with printer.in_parens():
        printer.print_list(
            basis,
            lambda size: (
                printer.print_string(str(size))
                if isinstance(size, int)
                else printer.print_ssa_value(size)
            ),
        )


class _BasisOp(IRDLOperation, abc.ABC):
    """Indices by the sizes that they run to; the first size may be left out."""

    # The fields of a subclass come first, so these follow its operands.
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))

    traits = traits_def(Pure())

    @property
    def basis(self) -> tuple[SSAValue | int, ...]:
        """The sizes, each a number or a value."""
        values = iter(self.dynamic_basis)
        return tuple(
            next(values) if size == DYNAMIC_INDEX else size
            for size in self.static_basis.get_values()
        )

    def _verify_basis(self, count: int) -> None:
        static = self.static_basis.get_values()
        verify_dynamic_index_list(static, self.dynamic_basis, DYNAMIC_INDEX)
        if len(static) not in (count, count - 1):
            raise VerifyException(
                f"expected {count} or {count - 1} sizes for {count} indices, "
                f"got {len(static)}"
            )
        if any(size < 1 and size != DYNAMIC_INDEX for size in static):
            raise VerifyException("no size of the basis may be less than 1")


@irdl_op_definition
class DelinearizeIndexOp(_BasisOp):
    """The indices that one index stands for, the last one running fastest."""

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    multi_index = var_result_def(IndexType())

    def __init__(
        self, index: SSAValue, basis: Sequence[SSAValue | int], count: int | None = None
    ):
        static, dynamic = split_dynamic_index_list(basis, DYNAMIC_INDEX)
        kinds = [IndexType()] * (len(static) if count is None else count)
        super().__init__(
            operands=[index, dynamic],
            properties={"static_basis": DenseArrayBase.from_list(i64, static)},
            result_types=[kinds],
        )

    def verify_(self) -> None:
        """There are as many sizes as results, or one less."""
        self._verify_basis(len(self.multi_index))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%index into (4, %n) : index, index`."""
        index = parser.parse_operand(IndexType())
        parser.parse_keyword("into")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        kinds = []
        if parser.parse_optional_punctuation(":") is not None:
            kinds = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
        op = cls.build(
            operands=[index, dynamic],
            properties={"static_basis": DenseArrayBase.from_list(i64, static)},
            result_types=[kinds],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%index into (4, %n) : index, index`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        _print_basis(printer, self.basis)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)


@irdl_op_definition
class LinearizeIndexOp(_BasisOp):
    """The one index that several stand for, the last one running fastest."""

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    disjoint = opt_prop_def(UnitAttr)
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        indices: Sequence[SSAValue],
        basis: Sequence[SSAValue | int],
        *,
        disjoint: bool = False,
    ):
        static, dynamic = split_dynamic_index_list(basis, DYNAMIC_INDEX)
        super().__init__(
            operands=[indices, dynamic],
            properties={
                "static_basis": DenseArrayBase.from_list(i64, static),
                "disjoint": UnitAttr() if disjoint else None,
            },
            result_types=[IndexType()],
        )

    def verify_(self) -> None:
        """There are as many sizes as indices, or one less."""
        self._verify_basis(len(self.multi_index))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`disjoint [%i, %j] by (4, %n) : index`."""
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        parser.parse_keyword("by")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        op = cls.build(
            operands=[indices, dynamic],
            properties={
                "static_basis": DenseArrayBase.from_list(i64, static),
                "disjoint": UnitAttr() if disjoint else None,
            },
            result_types=[kind],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`disjoint [%i, %j] by (4, %n) : index`."""
        printer.print_string(" disjoint " if self.disjoint is not None else " ")
        with printer.in_square_brackets():
            printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string(" by ")
        _print_basis(printer, self.basis)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.linear_index.type)
