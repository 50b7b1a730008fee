"""`vector.print`: a value, a text or a punctuation mark to standard output."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.enums import Bracketed


class Punctuation(StrEnum):
    """The punctuation after the value."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PunctuationAttr(Bracketed, EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"


NEWLINE = PunctuationAttr(Punctuation.NEWLINE)


@irdl_op_definition
class PrintOp(IRDLOperation):
    """Print a vector or scalar, a text, or a punctuation mark alone."""

    name = "vector.print"

    source = opt_operand_def(AnyAttr())
    punctuation = prop_def(PunctuationAttr, default_value=NEWLINE)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        """A value or a text, not both."""
        if self.source is not None and self.string_literal is not None:
            raise VerifyException("expects a value or a text to print, not both")

    @classmethod
    def parse(cls, parser: Parser) -> PrintOp:
        """`[%v : type | str "text"] [punctuation <mark>]`."""
        source = parser.parse_optional_unresolved_operand()
        operand = None
        text = None
        if source is not None:
            parser.parse_punctuation(":")
            operand = parser.resolve_operand(source, parser.parse_type())
        elif parser.parse_optional_keyword("str"):
            text = StringAttr(parser.parse_str_literal())
        mark = NEWLINE
        if parser.parse_optional_keyword("punctuation"):
            mark = PunctuationAttr(PunctuationAttr.parse_parameter(parser))
        op = cls.build(
            operands=[operand], properties={"punctuation": mark, "stringLiteral": text}
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`[%v : type | str "text"] [punctuation <mark>]`."""
        if self.source is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.source)
            printer.print_string(" : ")
            printer.print_attribute(self.source.type)
        elif self.string_literal is not None:
            printer.print_string(" str ")
            printer.print_attribute(self.string_literal)
        if self.punctuation != NEWLINE:
            printer.print_string(f" punctuation <{self.punctuation.data}>")
        printer.print_op_attributes(self.attributes)
