"""affine.if: a branch on a set of integers.

affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] {...} else {...}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import AffineSetAttr, IndexType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.affine.loops import YieldOp, parse_body, print_body
from tilewright.ir.dialects.scf.branches import parse_result_types


@irdl_op_definition
class IfOp(IRDLOperation):
    """Run one of two regions; an `if` without results may omit the second."""

    name = "affine.if"

    args = var_operand_def(IndexType())
    condition = prop_def(AffineSetAttr)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    traits = traits_def(
        SingleBlockImplicitTerminator(YieldOp),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
    )

    def __init__(
        self,
        condition: AffineSetAttr,
        args: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        then_region: Region,
        else_region: Region,
    ):
        super().__init__(
            operands=[args],
            properties={"condition": condition},
            result_types=[result_types],
            regions=[then_region, else_region],
        )

    def verify_(self) -> None:
        """The set has its operands, and results need both regions."""
        data = self.condition.data
        if len(self.args) != data.num_dims + data.num_symbols:
            raise VerifyException("has other operands than its set takes")
        if self.res and not self.else_region.blocks:
            raise VerifyException("expected an else region, since it has results")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`#set(%dims)[%symbols] -> types {...} else {...}`."""
        start = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an affine set", start)
        dims = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
        )
        symbols = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        counts = (len(dims), len(symbols or ()))
        if counts != (condition.data.num_dims, condition.data.num_symbols):
            parser.raise_error("the set has other dimensions or symbols", start)
        results = parse_result_types(parser)
        then_region = parse_body(parser)
        else_region = Region()
        if parser.parse_optional_keyword("else") is not None:
            else_region = parse_body(parser)
        op = cls(
            condition, [*dims, *(symbols or ())], results, then_region, else_region
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`#set(%dims)[%symbols] -> types {...} else {...}`."""
        dims = self.condition.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        with printer.in_parens():
            printer.print_list(self.args[:dims], printer.print_ssa_value)
        if self.condition.data.num_symbols:
            with printer.in_square_brackets():
                printer.print_list(self.args[dims:], printer.print_ssa_value)
        if self.res:
            printer.print_string(" -> (")
            printer.print_list(self.res.types, printer.print_attribute)
            printer.print_string(")")
        print_body(printer, self.then_region, has_values=bool(self.res))
        if self.else_region.blocks:
            printer.print_string(" else")
            print_body(printer, self.else_region, has_values=bool(self.res))
        printer.print_op_attributes(self.attributes)
