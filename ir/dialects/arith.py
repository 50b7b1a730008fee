"""`arith.select` on vectors, which xDSL restricts to scalars."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`arith.select`: the condition is an i1, or a vector of them, lane by lane."""

    name = "arith.select"

    T: ClassVar = VarConstraint("T", AnyAttr())
    condition = operand_def()
    true_value = operand_def(T)
    false_value = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())

    def __init__(
        self, condition: SSAValue, true_value: SSAValue, false_value: SSAValue
    ):
        super().__init__(
            operands=[condition, true_value, false_value],
            result_types=[true_value.type],
        )

    def verify_(self) -> None:
        """An i1, or a vector of i1 with the shape of the values."""
        kind = self.condition.type
        if kind == i1:
            return
        value = self.result.type
        if (
            isinstance(kind, VectorType)
            and kind.element_type == i1
            and isinstance(value, VectorType)
            and kind.get_shape() == value.get_shape()
        ):
            return
        raise VerifyException(
            "expected condition to be an i1 or a vector of i1 with the values' shape"
        )

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        """`%c, %t, %f : [condition type,] type`."""
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        if len(names) != 3:
            parser.raise_error("expected three operands", pos)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        first = parser.parse_type()
        if parser.parse_optional_punctuation(","):
            condition_type, value_type = first, parser.parse_type()
        else:
            condition_type, value_type = i1, first
        op = cls(
            parser.resolve_operand(names[0], condition_type),
            parser.resolve_operand(names[1], value_type),
            parser.resolve_operand(names[2], value_type),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%c, %t, %f : [condition type,] type`."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.condition.type != i1:
            printer.print_attribute(self.condition.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


Arith = Dialect(
    "arith",
    [
        *(op for op in arith.Arith.operations if op.name != "arith.select"),
        SelectOp,
    ],
    [*arith.Arith.attributes],
)
