"""Accesses that other threads may make at the same time, and hints to the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    i32,
    i64,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.access import verify_indices

KINDS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""The words for what is done to an element, in the order of upstream's numbers."""


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Combine an element with a value in one step; the result is the old element."""

    name = "memref.atomic_rmw"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr.constr(i64))
    result = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @property
    def word(self) -> str:
        """The word for what is done to the element."""
        return KINDS[self.kind.value.data]

    def verify_(self) -> None:
        """A kind that exists, and an index for each dimension."""
        if not 0 <= self.kind.value.data < len(KINDS):
            raise VerifyException(f"there is no kind {self.kind.value.data}")
        verify_indices(self.memref, self.indices)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        """`addf %value, %buffer[%i] : (type, type) -> type`."""
        pos = parser.pos
        word = parser.parse_identifier()
        if word not in KINDS:
            parser.raise_error(f"expected one of {', '.join(KINDS)}", pos)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        buffer, indices = _parse_place(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        with parser.in_parens():
            of = parser.parse_type()
            parser.parse_punctuation(",")
            buffer_type = parser.parse_type()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        op = cls.build(
            operands=[
                parser.resolve_operand(value, of),
                parser.resolve_operand(buffer, buffer_type),
                [parser.resolve_operand(index, IndexType()) for index in indices],
            ],
            result_types=[result],
            properties={"kind": IntegerAttr(KINDS.index(word), i64)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`addf %value, %buffer[%i] : (type, type) -> type`."""
        printer.print_string(f" {self.word} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_place(printer, self)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        printer.print_attribute(self.memref.type)
        printer.print_string(") -> ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Bring an element's line into the cache; a hint."""

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        """An index for each dimension, and a locality from 0 to 3."""
        verify_indices(self.memref, self.indices)
        if not 0 <= self.locality.value.data <= 3:
            raise VerifyException("the locality hint must be between 0 and 3")

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        """`%buffer[%i], read, locality<3>, data : type`."""
        buffer, indices = _parse_place(parser)
        parser.parse_punctuation(",")
        is_write = _either(parser, "read", "write")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer()
        parser.parse_punctuation(",")
        is_data = _either(parser, "instr", "data")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        of = parser.parse_type()
        op = cls.build(
            operands=[
                parser.resolve_operand(buffer, of),
                [parser.resolve_operand(index, IndexType()) for index in indices],
            ],
            properties={
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(is_data),
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%buffer[%i], read, locality<3>, data : type`."""
        printer.print_string(" ")
        _print_place(printer, self)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {access}, locality<{self.locality.value.data}>, ")
        printer.print_string(cache)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


def _either(parser: Parser, no: str, yes: str) -> bool:
    """Whether the second of two words comes next."""
    if parser.parse_optional_keyword(yes):
        return True
    parser.parse_keyword(no)
    return False


def _parse_place(
    parser: Parser,
) -> tuple[UnresolvedOperand, Sequence[UnresolvedOperand]]:
    buffer = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    return buffer, indices


def _print_place(printer: Printer, op: AtomicRMWOp | PrefetchOp) -> None:
    printer.print_ssa_value(op.memref)
    printer.print_string("[")
    printer.print_list(op.indices, printer.print_ssa_value)
    printer.print_string("]")
