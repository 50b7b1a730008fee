"""arith's comparisons and `select`, on scalars, vectors and tensors."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    FastMathFlagsAttr,
)
from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.elementwise import (
    FLOATS,
    INTEGERS_OR_INDEX,
    BoolsLike,
    with_element,
)
from tilewright.ir.types import is_tensor, is_vector

INTEGER_PREDICATES: Sequence[str] = CMPI_COMPARISON_OPERATIONS
FLOAT_PREDICATES: Sequence[str] = CMPF_COMPARISON_OPERATIONS


class Predicate(CustomDirective, abc.ABC):
    """A predicate's number, written by its name."""

    NAMES: ClassVar[Sequence[str]]
    predicate: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """The name of a predicate."""
        start = parser.pos
        name = parser.parse_identifier()
        if name not in self.NAMES:
            parser.raise_error(f"expected one of {', '.join(self.NAMES)}", start)
        self.predicate.set(state, IntegerAttr(self.NAMES.index(name), i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """The name of the predicate."""
        assert isinstance(op, CmpiOp | CmpfOp)
        state.print_whitespace(printer)
        printer.print_string(self.NAMES[op.predicate.value.data])


@irdl_custom_directive
class IntegerPredicate(Predicate):
    """`slt` and the like."""

    NAMES: ClassVar[Sequence[str]] = INTEGER_PREDICATES
    predicate: AttributeVariable


@irdl_custom_directive
class FloatPredicate(Predicate):
    """`olt` and the like."""

    NAMES: ClassVar[Sequence[str]] = FLOAT_PREDICATES
    predicate: AttributeVariable


def _number(predicate: int | str, names: Sequence[str]) -> IntegerAttr:
    number = names.index(predicate) if isinstance(predicate, str) else predicate
    return IntegerAttr(number, i64)


def _verify_predicate(predicate: IntegerAttr, names: Sequence[str]) -> None:
    number: int = predicate.value.data
    if not 0 <= number < len(names):
        raise VerifyException(f"there is no predicate {number}")


@irdl_op_definition
class CmpiOp(IRDLOperation):
    """Compare integers; an i1 for each pair."""

    name = "arith.cmpi"

    T: ClassVar = VarConstraint("T", INTEGERS_OR_INDEX)
    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(IntegerAttr.constr(i64))
    result = result_def(BoolsLike("T"))

    traits = traits_def(Pure())

    assembly_format = (
        "custom<IntegerPredicate>($predicate) `,` $lhs `,` $rhs attr-dict `:` "
        "type($lhs)"
    )
    custom_directives = (IntegerPredicate,)

    def __init__(
        self,
        lhs: Operation | SSAValue,
        rhs: Operation | SSAValue,
        predicate: int | str,
    ):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[with_element(SSAValue.get(lhs).type, i1)],
            properties={"predicate": _number(predicate, INTEGER_PREDICATES)},
        )

    def verify_(self) -> None:
        """The predicate exists."""
        _verify_predicate(self.predicate, INTEGER_PREDICATES)


@irdl_op_definition
class CmpfOp(IRDLOperation):
    """Compare floats, ordered or unordered; an i1 for each pair."""

    name = "arith.cmpf"

    T: ClassVar = VarConstraint("T", FLOATS)
    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(IntegerAttr.constr(i64))
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))
    result = result_def(BoolsLike("T"))

    traits = traits_def(Pure())

    assembly_format = (
        "custom<FloatPredicate>($predicate) `,` $lhs `,` $rhs "
        "(`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"
    )
    custom_directives = (FloatPredicate,)

    def __init__(
        self,
        lhs: Operation | SSAValue,
        rhs: Operation | SSAValue,
        predicate: int | str,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[with_element(SSAValue.get(lhs).type, i1)],
            properties={
                "predicate": _number(predicate, FLOAT_PREDICATES),
                "fastmath": fastmath or FastMathFlagsAttr("none"),
            },
        )

    def verify_(self) -> None:
        """The predicate exists."""
        _verify_predicate(self.predicate, FLOAT_PREDICATES)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """Choose between two values by an i1, or between elements by an i1 for each."""

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
        """The condition is an i1, or has an i1 for each element of the values."""
        given, value = self.condition.type, self.result.type
        if given == i1:
            return
        if not is_vector(value) and not is_tensor(value):
            raise VerifyException(f"expected the condition to be 'i1', got '{given}'")
        expected = with_element(value, i1)
        if given != expected:
            raise VerifyException(
                f"expected the condition to be 'i1' or '{expected}', got '{given}'"
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
