"""Buffers that belong to the module: global, get_global."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, Pure, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.allocation import verify_power_of_two
from tilewright.ir.types import is_buffer


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A named buffer: with a value, uninitialized, or defined elsewhere."""

    name = "memref.global"

    sym_name = prop_def(SymbolNameConstraint())
    sym_visibility = opt_prop_def(StringAttr)
    type = prop_def(MemRefType)
    initial_value = opt_prop_def(UnitAttr | DenseIntOrFPElementsAttr)
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(SymbolOpInterface(), NoMemoryEffect())

    def verify_(self) -> None:
        """A static shape, and a value of that shape."""
        of: Attribute = self.type
        assert is_buffer(of)
        if DYNAMIC_INDEX in of.get_shape():
            raise VerifyException(
                f"type should be static shaped memref, but got '{of}'"
            )
        value = self.initial_value
        expected = TensorType(of.element_type, of.get_shape())
        if isinstance(value, DenseIntOrFPElementsAttr) and value.type != expected:
            raise VerifyException(
                f"initial value expected to be of type '{expected}', but was of type "
                f"'{value.type}'"
            )
        verify_power_of_two(self.alignment)

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        """`["private"] [constant] @name : type [= value] {attributes}`."""
        text = parser.parse_optional_str_literal()
        visibility = None if text is None else StringAttr(text)
        is_constant = parser.parse_optional_keyword("constant") is not None
        name = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        pos = parser.pos
        of = parser.parse_type()
        if not is_buffer(of) or DYNAMIC_INDEX in of.get_shape():
            parser.raise_error(
                f"type should be static shaped memref, but got '{of}'", pos
            )
        value: Attribute | None = None
        if parser.parse_optional_punctuation("="):
            value = _parse_value(parser, of)
        attributes = dict(parser.parse_optional_attr_dict())
        alignment = attributes.pop("alignment", None)
        op = cls.build(
            properties={
                "sym_name": name,
                "sym_visibility": visibility,
                "type": of,
                "initial_value": value,
                "constant": UnitAttr() if is_constant else None,
                "alignment": alignment,
            }
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`["private"] [constant] @name : type [= value] {attributes}`."""
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_attribute(self.sym_visibility)
        if self.constant is not None:
            printer.print_string(" constant")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        match self.initial_value:
            case UnitAttr():
                printer.print_string(" = uninitialized")
            case DenseIntOrFPElementsAttr():
                printer.print_string(" = ")
                self.initial_value.print_without_type(printer)
            case _:
                pass
        shown = dict(self.attributes)
        if self.alignment is not None:
            shown["alignment"] = self.alignment
        printer.print_op_attributes(shown)


def _parse_value(parser: Parser, of: MemRefType[Attribute]) -> Attribute:
    """`uninitialized`, or a literal whose type is the buffer's."""
    if parser.parse_optional_keyword("uninitialized"):
        return UnitAttr()
    parser.parse_keyword("dense")
    tensor = TensorType(of.element_type, of.get_shape())
    return parser.parse_dense_int_or_fp_elements_attr(tensor)  # pyright: ignore


@irdl_op_definition
class GetGlobalOp(IRDLOperation):
    """A buffer of the module, by its name."""

    name = "memref.get_global"

    memref = result_def(MemRefType)
    name_ = prop_def(SymbolRefAttr, prop_name="name")

    traits = traits_def(Pure())

    assembly_format = "$name `:` type($memref) attr-dict"

    def __init__(self, name: str, result_type: MemRefType[Attribute]):
        super().__init__(
            result_types=[result_type], properties={"name": SymbolRefAttr(name)}
        )

    def verify_(self) -> None:
        """The module has a buffer of this name and type."""
        name = self.name_.string_value()
        # An op without a parent is still being built.
        if self.parent_op() is None:
            return
        found = SymbolTable.lookup_symbol(self, self.name_)
        if not isinstance(found, GlobalOp):
            raise VerifyException(f"'{name}' does not reference a valid global memref")
        if found.type != self.memref.type:
            raise VerifyException(
                f"result type '{self.memref.type}' does not match type '{found.type}' "
                f"of the global memref @{name}"
            )
