"""affine.load, store and prefetch, and the accesses to vectors.

%v = affine.load %m[%i + 1, symbol(%n)] : memref<8x8xf32>
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
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
from xdsl.utils.hints import isa

from tilewright.ir.dialects.affine.expressions import parse_access, print_access
from tilewright.ir.types import buffer_type

_LOCALITIES = range(4)


class AffineAccess(IRDLOperation, abc.ABC):
    """An op at one place of a buffer; the place is a map of values."""

    # The fields of a subclass come first, so these follow its operands.
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)

    def verify_(self) -> None:
        """The map has operands for all that it takes, and an index a dimension."""
        map = self.map.data
        if len(self.indices) != map.num_dims + map.num_symbols:
            raise VerifyException(
                f"expected {map.num_dims + map.num_symbols} operands for its map, got "
                f"{len(self.indices)}"
            )
        rank = buffer_type(self.memref).get_num_dims()
        if len(map.results) != rank:
            raise VerifyException(
                f"expected a map with {rank} results, got {len(map.results)}"
            )

    def _print_place(self, printer: Printer) -> None:
        printer.print_ssa_value(self.memref)
        print_access(printer, self.map.data, self.indices)

    def _print_type(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


_Place = tuple[UnresolvedOperand, AffineMapAttr, Sequence[SSAValue]]


def _parse_place(parser: Parser) -> _Place:
    """`%m[%i + 1]`, without its type."""
    memref = parser.parse_unresolved_operand()
    return memref, *parse_access(parser)


def _parse_type(parser: Parser) -> tuple[dict[str, Attribute], MemRefType[Attribute]]:
    """`{attributes} : memref<...>`."""
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    start = parser.pos
    kind = parser.parse_type()
    if not isa(kind, MemRefType[Attribute]):
        parser.raise_error("expected a memref type", start)
    return attributes, kind


class _Load(AffineAccess, abc.ABC):
    result = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        map: AffineMapAttr,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[memref, indices],
            properties={"map": map},
            result_types=[result_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%m[%i + 1] : memref<...>`, and for a vector `, vector<...>`."""
        memref, map, indices = _parse_place(parser)
        attributes, kind = _parse_type(parser)
        result: Attribute = kind.element_type
        if issubclass(cls, VectorLoadOp):
            parser.parse_punctuation(",")
            result = parser.parse_type()
        op = cls(parser.resolve_operand(memref, kind), indices, map, result)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%m[%i + 1] : memref<...>`, and for a vector `, vector<...>`."""
        printer.print_string(" ")
        self._print_place(printer)
        self._print_type(printer)
        if isinstance(self, VectorLoadOp):
            printer.print_string(", ")
            printer.print_attribute(self.result.type)


class _Store(AffineAccess, abc.ABC):
    value = operand_def()

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        map: AffineMapAttr,
    ):
        super().__init__(operands=[value, memref, indices], properties={"map": map})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%v, %m[%i + 1] : memref<...>`, and for a vector `, vector<...>`."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref, map, indices = _parse_place(parser)
        attributes, kind = _parse_type(parser)
        stored: Attribute = kind.element_type
        if issubclass(cls, VectorStoreOp):
            parser.parse_punctuation(",")
            stored = parser.parse_type()
        op = cls(
            parser.resolve_operand(value, stored),
            parser.resolve_operand(memref, kind),
            indices,
            map,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%v, %m[%i + 1] : memref<...>`, and for a vector `, vector<...>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        self._print_place(printer)
        self._print_type(printer)
        if isinstance(self, VectorStoreOp):
            printer.print_string(", ")
            printer.print_attribute(self.value.type)


def _verify_element(memref: SSAValue, value: SSAValue) -> None:
    expected = buffer_type(memref).element_type
    if value.type != expected:
        raise VerifyException(f"expected a value of type {expected}, got {value.type}")


def _verify_vector(memref: SSAValue, value: SSAValue) -> None:
    element = buffer_type(memref).element_type
    of: Attribute = value.type
    if not isa(of, VectorType[Attribute]) or of.element_type != element:
        raise VerifyException(f"expected a vector of {element}, got {of}")


@irdl_op_definition
class LoadOp(_Load):
    """Read one element."""

    name = "affine.load"

    def verify_(self) -> None:
        """The result is an element of the buffer."""
        super().verify_()
        _verify_element(self.memref, self.result)


@irdl_op_definition
class StoreOp(_Store):
    """Write one element."""

    name = "affine.store"

    def verify_(self) -> None:
        """The value is an element of the buffer."""
        super().verify_()
        _verify_element(self.memref, self.value)


@irdl_op_definition
class VectorLoadOp(_Load):
    """Read a vector from the innermost dimensions."""

    name = "affine.vector_load"

    def verify_(self) -> None:
        """The result has elements of the buffer."""
        super().verify_()
        _verify_vector(self.memref, self.result)


@irdl_op_definition
class VectorStoreOp(_Store):
    """Write a vector into the innermost dimensions."""

    name = "affine.vector_store"

    def verify_(self) -> None:
        """The value has elements of the buffer."""
        super().verify_()
        _verify_vector(self.memref, self.value)


@irdl_op_definition
class PrefetchOp(AffineAccess):
    """A hint that a place will be read or written."""

    name = "affine.prefetch"

    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality = prop_def(IntegerAttr[i32], prop_name="localityHint")
    is_data = prop_def(BoolAttr, prop_name="isDataCache")

    # As upstream: it reads and writes, so that nothing moves across it.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%m[%i], read, locality<3>, data : memref<...>`."""
        memref, map, indices = _parse_place(parser)
        parser.parse_punctuation(",")
        is_write = parser.parse_optional_keyword("write") is not None
        if not is_write:
            parser.parse_keyword("read")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            start = parser.pos
            locality = parser.parse_integer(allow_boolean=False)
            if locality not in _LOCALITIES:
                parser.raise_error("expected a locality from 0 to 3", start)
        parser.parse_punctuation(",")
        is_data = parser.parse_optional_keyword("data") is not None
        if not is_data:
            parser.parse_keyword("instr")
        attributes, kind = _parse_type(parser)
        op = cls.build(
            operands=[parser.resolve_operand(memref, kind), indices],
            properties={
                "map": map,
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(is_data),
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%m[%i], read, locality<3>, data : memref<...>`."""
        printer.print_string(" ")
        self._print_place(printer)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data.value.data else "instr"
        hint = self.locality.value.data
        printer.print_string(f", {access}, locality<{hint}>, {cache}")
        self._print_type(printer)
