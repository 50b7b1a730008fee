"""scf.while, and calls of functions that are values."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, FunctionType, i1
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import verify_yields


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """The end of the first region of a while: whether to go on, and with what."""

    name = "scf.condition"

    condition = operand_def(i1)
    args = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"


@irdl_op_definition
class WhileOp(IRDLOperation):
    """A loop that runs as long as its first region says so."""

    name = "scf.while"

    inits = var_operand_def()
    res = var_result_def()
    before_region = region_def("single_block")
    after_region = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        """What one region hands on, the other takes."""
        if tuple(self.before_region.block.arg_types) != tuple(self.inits.types):
            raise VerifyException("the first region takes other types than the inits")
        last = self.before_region.block.last_op
        if not isinstance(last, ConditionOp):
            raise VerifyException("expected scf.condition at the end of its region")
        after = self.after_region.block.arg_types
        if not tuple(last.args.types) == tuple(self.res.types) == tuple(after):
            raise VerifyException("scf.condition passes on other types than expected")
        verify_yields(self.after_region, self.inits.types, "the second region")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`(%x = %a) : (type) -> type {...} do {...}`."""
        start = parser.pos
        pairs = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parse_assignment(parser)
        )
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        if not isinstance(kind, FunctionType):
            parser.raise_error("expected a function type", start)
        inputs: list[Attribute] = list(kind.inputs)
        if len(inputs) != len(pairs or ()):
            parser.raise_error(f"expected {len(pairs or ())} types of values", start)
        inits = parser.resolve_operands(
            [value for _, value in pairs or ()], inputs, start
        )
        arguments = [
            argument.resolve(type_)
            for (argument, _), type_ in zip(pairs or (), inputs, strict=True)
        ]
        before = parser.parse_region(arguments)
        parser.parse_keyword("do")
        after = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls(
            operands=[inits],
            result_types=[list(kind.outputs)],
            regions=[before, after],
            attributes=dict(attributes.data) if attributes is not None else {},
        )

    def print(self, printer: Printer) -> None:
        """`(%x = %a) : (type) -> type {...} do {...}`."""
        if self.inits:
            printer.print_string(" (")
            printer.print_list(
                zip(self.before_region.block.args, self.inits, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(")")
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists(self.inits.types, self.res.types)
        )
        printer.print_string(" ")
        printer.print_region(self.before_region, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.after_region)
        if self.attributes:
            printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class FunctionConstantOp(IRDLOperation):
    """A function as a value."""

    name = "func.constant"

    value = prop_def(FlatSymbolRefAttrConstr)
    result = result_def(FunctionType)

    traits = traits_def(ConstantLike(), Pure())

    assembly_format = "attr-dict $value `:` type($result)"


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """A call of a function that is a value."""

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    res = var_result_def()

    traits = traits_def()

    def verify_(self) -> None:
        """The function takes and returns these types."""
        kind = self.callee.type
        assert isinstance(kind, FunctionType)
        given = FunctionType.from_lists(self.callee_operands.types, self.res.types)
        if kind != given:
            raise VerifyException(f"expected a function of type {given}, got {kind}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%callee(%a) : (type) -> type`."""
        callee = parser.parse_unresolved_operand()
        start = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        if not isinstance(kind, FunctionType):
            parser.raise_error("expected a function type", start)
        return cls(
            operands=[
                parser.resolve_operand(callee, kind),
                parser.resolve_operands(names, list(kind.inputs), start),
            ],
            result_types=[list(kind.outputs)],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """`%callee(%a) : (type) -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        with printer.in_parens():
            printer.print_list(self.callee_operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)


OPS = [ConditionOp, WhileOp, FunctionConstantOp, CallIndirectOp]
