"""Transform ops of the form `transform.verb to %target : type`, which share syntax."""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.transforms.core.base import TransformOp, TransformOpHandleType


class OnTargetOp(TransformOp):
    """An op that reads one handle and works inside what it points at."""

    target = operand_def(TransformOpHandleType)

    KEYWORD: ClassVar[str | None] = "to"
    """The word before the handle, if any."""

    def __init__(self, target: SSAValue):
        super().__init__(operands=[target])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`to %target : type`."""
        if cls.KEYWORD is not None:
            parser.parse_keyword(cls.KEYWORD)
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(target, parser.parse_type()))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`to %target : type`."""
        printer.print_string(f" {self.KEYWORD} " if self.KEYWORD else " ")
        printer.print_ssa_value(self.target)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)
