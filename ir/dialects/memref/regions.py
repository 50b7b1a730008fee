"""Ops with a region: an atomic update of any kind, and a scope of stack memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.access import verify_indices
from tilewright.ir.types import buffer_type


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """The new element of an atomic update."""

    name = "memref.atomic_yield"

    value = operand_def(AnyAttr())

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Compute an element from its old value in one step; the result is the old one."""

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue], body: Region):
        of = buffer_type(memref).element_type
        super().__init__(operands=[memref, indices], regions=[body], result_types=[of])

    def verify_(self) -> None:
        """The region maps an element to an element."""
        verify_indices(self.memref, self.indices)
        of, block = buffer_type(self.memref).element_type, self.body.block
        if [arg.type for arg in block.args] != [of]:
            raise VerifyException(f"the region must take one element of type '{of}'")
        last = block.last_op
        if not isinstance(last, AtomicYieldOp) or last.value.type != of:
            raise VerifyException(f"the region must yield an element of type '{of}'")
        if self.result.type != of:
            raise VerifyException(f"the result must have the type '{of}'")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%buffer[%i] : type { ... }`."""
        buffer = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        parser.parse_punctuation(":")
        memref = parser.resolve_operand(buffer, parser.parse_type())
        op = cls(memref, indices, parser.parse_region())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`%buffer[%i] : type { ... }`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class AllocaScopeReturnOp(IRDLOperation):
    """The values of a scope."""

    name = "memref.alloca_scope.return"

    values = var_operand_def(AnyAttr())

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class AllocaScopeOp(IRDLOperation):
    """A region at whose end the memory that it has on the stack is gone."""

    name = "memref.alloca_scope"

    output = var_result_def(AnyAttr())
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, types: Sequence[Attribute], body: Region):
        super().__init__(regions=[body], result_types=[types])

    def verify_(self) -> None:
        """The region returns the results."""
        last = self.body.block.last_op
        if not isinstance(last, AllocaScopeReturnOp):
            raise VerifyException("expected memref.alloca_scope.return at the end")
        if tuple(last.values.types) != tuple(self.output.types):
            raise VerifyException("the region must return the types of the results")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`-> (types) { ... }`."""
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->") is not None:
            listed = parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_type
            )
            types = [parser.parse_type()] if listed is None else listed
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        last = body.block.last_op
        if last is None or not last.has_trait(IsTerminator):
            body.block.add_op(AllocaScopeReturnOp())
        op = cls(types, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`-> (types) { ... }`."""
        if self.output:
            printer.print_string(" -> (")
            printer.print_list(self.output.types, printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)
