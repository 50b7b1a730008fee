"""arith's divisions and right shifts, with the flag `exact` and rules for hoisting.

A division by zero is undefined, so CSE and DCE may act on a division but LICM may not
hoist one, unless its divisor is a constant for which no division is undefined.
"""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntElementsAttr, IntegerAttr, UnitAttr, i1
from xdsl.interfaces import ConditionallySpeculatableInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.dialects.elementwise import INTEGERS_OR_INDEX, with_element


class IntegerBinaryOperation(IRDLOperation, abc.ABC):
    """Two operands and a result of one type."""

    T: ClassVar = VarConstraint("T", INTEGERS_OR_INDEX)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(
        self,
        lhs: Operation | SSAValue,
        rhs: Operation | SSAValue,
        result_type: Attribute | None = None,
    ):
        result_type = result_type or SSAValue.get(lhs).type
        super().__init__(operands=[lhs, rhs], result_types=[result_type])


@irdl_op_definition
class AddUIExtendedOp(IRDLOperation):
    """The sum and whether it wrapped; xDSL's own fails on `index`."""

    name = "arith.addui_extended"

    T: ClassVar = VarConstraint("T", INTEGERS_OR_INDEX)

    lhs = operand_def(T)
    rhs = operand_def(T)
    sum = result_def(T)
    overflow = result_def()

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)"

    def verify_(self) -> None:
        """The carry has the shape of the sum."""
        expected = with_element(self.sum.type, i1)
        if self.overflow.type != expected:
            raise VerifyException(
                f"overflow has type '{self.overflow.type}', where '{expected}' is due"
            )


class ExactOperation(IntegerBinaryOperation, abc.ABC):
    """An op with the flag `exact`: the remainder, or the bits shifted out, are zero."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"


class DivisionOperation(
    IntegerBinaryOperation, ConditionallySpeculatableInterface, abc.ABC
):
    """A division; undefined for divisor 0 and, if signed, for the minimum by -1."""

    FORBIDDEN: ClassVar[frozenset[int]] = frozenset({0, -1})

    traits = traits_def(NoMemoryEffect())

    def is_speculatable(self) -> bool:
        """Whether the divisor is a constant for which no division is undefined."""
        divisors = constant_integers(self.rhs)
        return divisors is not None and not self.FORBIDDEN.intersection(divisors)


def constant_integers(value: SSAValue) -> tuple[int, ...] | None:
    """The integers of a constant, in row-major order; None for any other value."""
    constant = value.owner
    if not isinstance(constant, ConstantOp):
        return None
    attribute = constant.value
    if isa(attribute, IntegerAttr):
        return (attribute.value.data,)
    if isa(attribute, DenseIntElementsAttr):
        return tuple(attribute.get_values())
    return None


@irdl_op_definition
class DivSIOp(DivisionOperation, ExactOperation):
    """Signed division, towards zero."""

    name = "arith.divsi"


@irdl_op_definition
class DivUIOp(DivisionOperation, ExactOperation):
    """Unsigned division, towards zero."""

    name = "arith.divui"
    FORBIDDEN: ClassVar[frozenset[int]] = frozenset({0})


@irdl_op_definition
class CeilDivSIOp(DivisionOperation):
    """Signed division, towards plus infinity."""

    name = "arith.ceildivsi"


@irdl_op_definition
class CeilDivUIOp(DivisionOperation):
    """Unsigned division, towards plus infinity."""

    name = "arith.ceildivui"
    FORBIDDEN: ClassVar[frozenset[int]] = frozenset({0})


@irdl_op_definition
class FloorDivSIOp(DivisionOperation):
    """Signed division, towards minus infinity."""

    name = "arith.floordivsi"


@irdl_op_definition
class RemSIOp(DivisionOperation):
    """The remainder of signed division towards zero; it has the sign of `lhs`."""

    name = "arith.remsi"


@irdl_op_definition
class RemUIOp(DivisionOperation):
    """The remainder of unsigned division."""

    name = "arith.remui"
    FORBIDDEN: ClassVar[frozenset[int]] = frozenset({0})


@irdl_op_definition
class ShRSIOp(ExactOperation):
    """Shift right, repeating the sign."""

    name = "arith.shrsi"
    traits = traits_def(Pure())


@irdl_op_definition
class ShRUIOp(ExactOperation):
    """Shift right, filling with zeros."""

    name = "arith.shrui"
    traits = traits_def(Pure())
