"""`#transform.param_operand<index = 0>`: a parameter among a pass's options."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class ParamOperandAttr(ParametrizedAttribute):
    """Stands, in the options, for the value of a parameter operand."""

    name = "transform.param_operand"

    index: IntegerAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<index = 0 : i64>`."""
        with parser.in_angle_brackets():
            parser.parse_keyword("index")
            parser.parse_punctuation("=")
            return [parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        """`<index = 0 : i64>`."""
        with printer.in_angle_brackets():
            printer.print_string("index = ")
            printer.print_attribute(self.index)
