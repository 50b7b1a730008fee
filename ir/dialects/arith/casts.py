"""arith's casts, on scalars, vectors and tensors, with upstream's flags."""

from __future__ import annotations

import abc
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
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
    is_float,
    is_integer,
    is_integer_or_index,
    with_element,
)
from tilewright.ir.types import element_type, is_buffer

ROUNDING_MODES = (
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
)
"""Upstream's rounding modes, in the order of their numbers."""


@irdl_custom_directive
class RoundingMode(CustomDirective):
    """A rounding mode's keyword, or nothing."""

    mode: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """One of the keywords, if there is one."""
        for number, keyword in enumerate(ROUNDING_MODES):
            if parser.parse_optional_keyword(keyword) is not None:
                self.mode.set(state, IntegerAttr(number, i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """The keyword, where the mode is given."""
        assert isinstance(op, TruncFOp)
        if op.rounding_mode is not None:
            state.print_whitespace(printer)
            printer.print_string(ROUNDING_MODES[op.rounding_mode.value.data])


@dataclass(frozen=True)
class Rule:
    """Which element types a cast goes between."""

    takes: Callable[[Attribute], bool]
    gives: Callable[[Attribute], bool]
    widths: Callable[[int, int], bool] | None = None
    """How the operand's width compares with the result's; None if any width will do."""
    on_buffers: bool = False

    def allows(self, source: Attribute, target: Attribute) -> bool:
        """Whether elements of one type may become elements of the other."""
        if not self.takes(source) or not self.gives(target):
            return False
        return self.widths is None or self.widths(_width(source), _width(target))


def _width(type_: Attribute) -> int:
    assert isinstance(type_, IntegerType | AnyFloat)
    width: int = type_.bitwidth
    return width


def _is_integer_or_float(type_: Attribute) -> bool:
    return is_integer(type_) or is_float(type_)


class CastOperation(IRDLOperation, abc.ABC):
    """One operand, one result of the same shape with other elements."""

    RULE: ClassVar[Rule]

    input = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, operand: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        """One shape, and elements that this cast converts."""
        given, made = self.input.type, self.result.type
        source, target = element_type(given), element_type(made)
        if is_buffer(given) and self.RULE.on_buffers:
            shaped = MemRefType(target, given.shape, given.layout, given.memory_space)
        else:
            shaped = with_element(given, target)
        if made != shaped or not self.RULE.allows(source, target):
            raise VerifyException(f"cannot cast '{given}' to '{made}'")


@irdl_op_definition
class ExtSIOp(CastOperation):
    """Widen an integer, repeating its sign."""

    name = "arith.extsi"
    RULE: ClassVar[Rule] = Rule(is_integer, is_integer, operator.lt)


@irdl_op_definition
class ExtUIOp(CastOperation):
    """Widen an integer with zeros."""

    name = "arith.extui"
    RULE: ClassVar[Rule] = Rule(is_integer, is_integer, operator.lt)


@irdl_op_definition
class TruncIOp(CastOperation):
    """Keep an integer's low bits."""

    name = "arith.trunci"
    RULE: ClassVar[Rule] = Rule(is_integer, is_integer, operator.gt)

    overflow_flags = prop_def(
        IntegerOverflowAttr,
        default_value=IntegerOverflowAttr("none"),
        prop_name="overflowFlags",
    )

    assembly_format = (
        "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` "
        "type($result)"
    )


@irdl_op_definition
class ExtFOp(CastOperation):
    """Widen a float."""

    name = "arith.extf"
    RULE: ClassVar[Rule] = Rule(is_float, is_float, operator.lt)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    assembly_format = (
        "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` "
        "type($result)"
    )


@irdl_op_definition
class TruncFOp(CastOperation):
    """Round a float to a narrower one; to nearest even unless a mode is given."""

    name = "arith.truncf"
    RULE: ClassVar[Rule] = Rule(is_float, is_float, operator.gt)

    rounding_mode = opt_prop_def(IntegerAttr.constr(i32), prop_name="roundingmode")
    fastmath = opt_prop_def(FastMathFlagsAttr)

    assembly_format = (
        "$input custom<RoundingMode>($roundingmode) (`fastmath` `` $fastmath^)? "
        "attr-dict `:` type($input) `to` type($result)"
    )
    custom_directives = (RoundingMode,)


@irdl_op_definition
class SIToFPOp(CastOperation):
    """The float nearest to a signed integer."""

    name = "arith.sitofp"
    RULE: ClassVar[Rule] = Rule(is_integer, is_float)


@irdl_op_definition
class UIToFPOp(CastOperation):
    """The float nearest to an unsigned integer."""

    name = "arith.uitofp"
    RULE: ClassVar[Rule] = Rule(is_integer, is_float)


@irdl_op_definition
class FPToSIOp(CastOperation):
    """A float as a signed integer, towards zero."""

    name = "arith.fptosi"
    RULE: ClassVar[Rule] = Rule(is_float, is_integer)


@irdl_op_definition
class FPToUIOp(CastOperation):
    """A float as an unsigned integer, towards zero."""

    name = "arith.fptoui"
    RULE: ClassVar[Rule] = Rule(is_float, is_integer)


class IndexCastOperation(CastOperation, abc.ABC):
    """A cast from index to integers or from integers to index."""

    RULE: ClassVar[Rule] = Rule(
        is_integer_or_index, is_integer_or_index, on_buffers=True
    )

    def verify_(self) -> None:
        """Exactly one of operand and result is an index."""
        super().verify_()
        sides = [element_type(value.type) for value in (self.input, self.result)]
        if sum(isinstance(side, IndexType) for side in sides) != 1:
            raise VerifyException(
                f"cannot cast '{self.input.type}' to '{self.result.type}': expected "
                "index on exactly one side"
            )


@irdl_op_definition
class IndexCastOp(IndexCastOperation):
    """Between index and signed integers."""

    name = "arith.index_cast"


@irdl_op_definition
class IndexCastUIOp(IndexCastOperation):
    """Between index and unsigned integers."""

    name = "arith.index_castui"


@irdl_op_definition
class BitcastOp(CastOperation):
    """The same bits under another type."""

    name = "arith.bitcast"
    RULE: ClassVar[Rule] = Rule(
        _is_integer_or_float, _is_integer_or_float, operator.eq, on_buffers=True
    )
