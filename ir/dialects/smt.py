"""smt: the ops that constraints on schedule parameters use.

xDSL has booleans and bit vectors; the integers are ours, under upstream's names.
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects import smt
from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.dialects.smt import BoolType
from xdsl.ir import (
    Attribute,
    Dialect,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    irdl_to_attr_constraint,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.str_enum import StrEnum


@irdl_attr_definition
class IntType(ParametrizedAttribute, TypeAttribute):
    """A mathematical integer, without bounds."""

    name = "smt.int"


class IntPredicate(StrEnum):
    """Order comparisons of two integers; equality is `smt.eq`."""

    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


_PREDICATES = tuple(IntPredicate)
"""The predicates in the order of upstream's numbers."""


@irdl_op_definition
class IntConstantOp(IRDLOperation):
    """An integer constant."""

    name = "smt.int.constant"

    value = prop_def(IntegerAttr[I64])
    result = result_def(IntType())

    traits = traits_def(Pure())

    def __init__(self, value: int):
        super().__init__(
            properties={"value": IntegerAttr(value, i64)}, result_types=[IntType()]
        )

    @classmethod
    def parse(cls, parser: Parser) -> IntConstantOp:
        """`smt.int.constant 4`."""
        op = cls(parser.parse_integer(allow_boolean=False))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`smt.int.constant 4`."""
        printer.print_string(f" {self.value.value.data}")
        printer.print_op_attributes(self.attributes)


class VariadicIntOp(IRDLOperation):
    """An associative operation on two integers or more."""

    inputs = var_operand_def(IntType())
    result = result_def(IntType())

    traits = traits_def(Pure())

    assembly_format = "$inputs attr-dict"

    def __init__(self, *inputs: SSAValue):
        super().__init__(operands=[inputs], result_types=[IntType()])


@irdl_op_definition
class IntAddOp(VariadicIntOp):
    """The sum."""

    name = "smt.int.add"


@irdl_op_definition
class IntMulOp(VariadicIntOp):
    """The product."""

    name = "smt.int.mul"


class BinaryIntOp(IRDLOperation):
    """An operation on two integers."""

    lhs = operand_def(IntType())
    rhs = operand_def(IntType())
    result = result_def(IntType())

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[IntType()])


@irdl_op_definition
class IntSubOp(BinaryIntOp):
    """The difference."""

    name = "smt.int.sub"


@irdl_op_definition
class IntDivOp(BinaryIntOp):
    """The Euclidean quotient: the remainder is never negative."""

    name = "smt.int.div"


@irdl_op_definition
class IntModOp(BinaryIntOp):
    """The Euclidean remainder: never negative."""

    name = "smt.int.mod"


@irdl_op_definition
class IntAbsOp(IRDLOperation):
    """The absolute value."""

    name = "smt.int.abs"

    input = operand_def(IntType())
    result = result_def(IntType())

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[IntType()])


@irdl_op_definition
class IntCmpOp(IRDLOperation):
    """An order comparison of two integers."""

    name = "smt.int.cmp"

    pred = prop_def(IntegerAttr[I64])
    lhs = operand_def(IntType())
    rhs = operand_def(IntType())
    result = result_def(BoolType())

    traits = traits_def(Pure())

    def __init__(self, pred: IntPredicate, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs],
            properties={"pred": IntegerAttr(_PREDICATES.index(pred), i64)},
            result_types=[BoolType()],
        )

    @property
    def predicate(self) -> IntPredicate:
        """The comparison."""
        return _PREDICATES[self.pred.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> IntCmpOp:
        """`smt.int.cmp le %a, %b`."""
        pred = parser.parse_str_enum(IntPredicate)
        lhs = parser.parse_operand(IntType())
        parser.parse_punctuation(",")
        op = cls(pred, lhs, parser.parse_operand(IntType()))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`smt.int.cmp le %a, %b`."""
        printer.print_string(f" {self.predicate.value} ")
        printer.print_list((self.lhs, self.rhs), printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


_SORT = irdl_to_attr_constraint(BoolType | IntType)


class PredicateOp(IRDLOperation):
    """A comparison of two values or more of one sort."""

    inputs = var_operand_def(_SORT)
    result = result_def(BoolType())

    traits = traits_def(Pure())

    def __init__(self, *inputs: SSAValue):
        super().__init__(operands=[inputs], result_types=[BoolType()])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%a, %b : type`."""
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types: list[Attribute] = [parser.parse_type()] * len(names)
        op = cls(*parser.resolve_operands(names, types, pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%a, %b : type`."""
        printer.print_string(" ")
        printer.print_list(self.inputs, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.inputs[0].type)


@irdl_op_definition
class EqOp(PredicateOp):
    """All are equal."""

    name = "smt.eq"


@irdl_op_definition
class DistinctOp(PredicateOp):
    """No two are equal."""

    name = "smt.distinct"


@irdl_op_definition
class IteOp(IRDLOperation):
    """The second operand where the first holds, else the third."""

    name = "smt.ite"

    T: ClassVar = VarConstraint("T", _SORT)

    cond = operand_def(BoolType)
    then_value = operand_def(T)
    else_value = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$cond `,` $then_value `,` $else_value attr-dict `:` type($result)"
    )

    def __init__(self, cond: SSAValue, then_value: SSAValue, else_value: SSAValue):
        super().__init__(
            operands=[cond, then_value, else_value], result_types=[then_value.type]
        )


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Yield values from a region; xDSL's op may only end a quantifier."""

    name = "smt.yield"

    values = var_operand_def(_SORT)

    traits = traits_def(IsTerminator())

    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


Smt = Dialect(
    "smt",
    [
        smt.ConstantBoolOp,
        smt.NotOp,
        smt.AndOp,
        smt.OrOp,
        smt.XOrOp,
        smt.ImpliesOp,
        smt.AssertOp,
        IntConstantOp,
        IntAddOp,
        IntMulOp,
        IntSubOp,
        IntDivOp,
        IntModOp,
        IntAbsOp,
        IntCmpOp,
        EqOp,
        DistinctOp,
        IteOp,
        YieldOp,
    ],
    [BoolType, IntType],
)
