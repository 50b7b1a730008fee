"""gpu.launch, gpu.module, gpu.func, and the positions of a thread."""

from __future__ import annotations

import abc
from typing import ClassVar, Self

from xdsl.dialects.builtin import FunctionType, IndexType, StringAttr, UnitAttr
from xdsl.dialects.gpu import DimensionAttr
from xdsl.ir import Block, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import parse_result_types, print_result_types

_AXES = 3


class _Position(IRDLOperation, abc.ABC):
    """An index that depends on the thread, along x, y or z."""

    dimension = prop_def(DimensionAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format: ClassVar[str | None] = "$dimension attr-dict"


def _position(mnemonic: str) -> type[IRDLOperation]:
    return irdl_op_definition(
        type(f"Gpu{mnemonic}", (_Position,), {"name": f"gpu.{mnemonic}"})
    )


@irdl_op_definition
class LaneIdOp(IRDLOperation):
    """The number of a thread in its warp."""

    name = "gpu.lane_id"

    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "attr-dict"


@irdl_op_definition
class TerminatorOp(IRDLOperation):
    """The end of a launch."""

    name = "gpu.terminator"

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict"


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a function for the device."""

    name = "gpu.return"

    args = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict ($args^ `:` type($args))?"


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """A region that runs once a thread."""

    name = "gpu.launch"

    grid = var_operand_def(IndexType())
    block = var_operand_def(IndexType())
    body = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        """Three sizes each, and four indices an axis."""
        if len(self.grid) != _AXES or len(self.block) != _AXES:
            raise VerifyException("expected three sizes of the grid and of a block")
        if not self.body.blocks or len(self.body.blocks[0].args) != 4 * _AXES:
            raise VerifyException("expected a region of twelve indices")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`blocks(...) in (%x = %n, ...) threads(...) in (...) {...}`."""
        numbers: list[Parser.Argument] = []
        sizes: list[Parser.Argument] = []
        values: list[list[SSAValue]] = []
        for word in ("blocks", "threads"):
            parser.parse_keyword(word)
            numbers += _arguments(parser)
            parser.parse_keyword("in")
            counts, given = _assignments(parser)
            sizes += counts
            values.append(given)
        region = parser.parse_region([*numbers, *sizes])
        return cls(
            operands=values,
            regions=[region],
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        """`blocks(...) in (%x = %n, ...) threads(...) in (...) {...}`."""
        args = self.body.blocks[0].args
        for place, (word, sizes) in enumerate(
            (("blocks", self.grid), ("threads", self.block))
        ):
            first = place * _AXES
            printer.print_string(f" {word}(")
            printer.print_list(args[first : first + _AXES], printer.print_ssa_value)
            printer.print_string(") in (")
            counts = args[2 * _AXES + first : 3 * _AXES + first]
            for number, (name, value) in enumerate(zip(counts, sizes, strict=True)):
                printer.print_string(", " if number else "")
                printer.print_ssa_value(name)
                printer.print_string(" = ")
                printer.print_ssa_value(value)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


def _arguments(parser: Parser) -> list[Parser.Argument]:
    return parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN,
        lambda: parser.parse_argument(expect_type=False).resolve(IndexType()),
    )


def _assignments(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    def pair() -> tuple[Parser.Argument, SSAValue]:
        argument = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        return argument, parser.parse_operand(IndexType())

    pairs = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, pair)
    return [argument for argument, _ in pairs], [value for _, value in pairs]


@irdl_op_definition
class ModuleOp(IRDLOperation):
    """Functions for the device."""

    name = "gpu.module"

    sym_name = prop_def(StringAttr)
    body = region_def("single_block")

    traits = traits_def(
        IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable()
    )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`@name attributes {...} {...}`."""
        name = parser.parse_symbol_name()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return cls(
            properties={"sym_name": name},
            attributes=dict(attributes.data) if attributes is not None else {},
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        """`@name attributes {...} {...}`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        if self.attributes:
            printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function for the device."""

    name = "gpu.func"

    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    kernel = opt_prop_def(UnitAttr)
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def verify_(self) -> None:
        """The body takes what the type says."""
        if tuple(self.body.blocks[0].arg_types) != tuple(self.function_type.inputs):
            raise VerifyException("the region takes other types than the function")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`@name(%a: type) -> type kernel attributes {...} {...}`."""
        name = parser.parse_symbol_name()
        arguments = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_argument
        )
        results = parse_result_types(parser)
        is_kernel = parser.parse_optional_keyword("kernel") is not None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region(arguments)
        return cls(
            properties={
                "sym_name": name,
                "function_type": FunctionType.from_lists(
                    [argument.type for argument in arguments], results
                ),
                "kernel": UnitAttr() if is_kernel else None,
            },
            attributes=dict(attributes.data) if attributes is not None else {},
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        """`@name(%a: type) -> type kernel attributes {...} {...}`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.blocks[0].args, printer.print_block_argument)
        print_result_types(printer, list(self.function_type.outputs))
        printer.print_string("" if self.kernel is None else " kernel")
        if self.attributes:
            printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


OPS = [
    *map(_position, ("thread_id", "block_id", "block_dim", "grid_dim", "global_id")),
    *(LaneIdOp, TerminatorOp, ReturnOp, LaunchOp, ModuleOp, FuncOp),
]
