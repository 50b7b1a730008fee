"""affine.apply, min and max: the index arithmetic that tiling leaves behind.

The dialect's loops and memory accesses are not part of a payload; scf and vector are.
The ops are ours: xDSL's `apply` mixes up dimensions and symbols and takes no
attributes, and its `min` declares no effects.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
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


Affine = Dialect("affine", [ApplyOp, MinOp, MaxOp], [])
