"""A kernel function and the named sizes that its body reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i64,
)
from xdsl.ir import Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.tiles import ArangeOp, FullOp, ReshapeOp
from tilewright.ir.dialects.kernel.types import (
    DescriptorType,
    PointerType,
    is_number,
    shape_of,
)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """One kernel: the work of a single program of the launch."""

    name = "kernel.func"

    sym_name = prop_def(SymbolNameConstraint())
    constants = prop_def(DictionaryAttr)
    """Named sizes, in the order of the kernel's parameters."""
    tiles = prop_def(DenseArrayBase.constr(i64))
    """Extents of the tile grid, outermost first; `?` if known only at run time."""
    group = prop_def(IntegerAttr[I64])
    store_parts = opt_prop_def(IntegerAttr[I64])
    """The number of parts in which tiles are to be stored, until a pass has done so."""
    aligned_rows = opt_prop_def(UnitAttr)
    """Set until a pass has split the rows at multiples of 16 bytes."""
    held_operands = opt_prop_def(StringAttr)
    """"all" or "where_legal", until a pass holds operands that no loop changes in
    registers."""
    consumers = opt_prop_def(IntegerAttr[I64])
    """The groups of warps that compute, until a pass gives the warps their roles."""
    consumer_registers = opt_prop_def(IntegerAttr[I64])
    """Registers of their threads; as many as there are, if not set."""
    body = region_def("single_block")

    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    def __init__(
        self,
        name: str,
        constants: Mapping[str, int],
        tiles: Sequence[int],
        group: int,
        body: Region,
        store_parts: int = 1,
        *,
        aligned_rows: bool = False,
        held_operands: str | None = None,
        consumers: int = 0,
        consumer_registers: int = 0,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "constants": DictionaryAttr(
                    {key: IntegerAttr(value, i64) for key, value in constants.items()}
                ),
                "tiles": DenseArrayBase.from_list(i64, tiles),
                "group": IntegerAttr(group, i64),
                "store_parts": (
                    IntegerAttr(store_parts, i64) if store_parts > 1 else None
                ),
                "aligned_rows": UnitAttr() if aligned_rows else None,
                "held_operands": StringAttr(held_operands) if held_operands else None,
                "consumers": _above_zero(consumers),
                "consumer_registers": _above_zero(consumer_registers),
            },
            regions=[body],
        )

    @property
    def sizes(self) -> dict[str, int]:
        """The named sizes."""
        return {
            key: value.value.data
            for key, value in self.constants.data.items()
            if isinstance(value, IntegerAttr)
        }

    @property
    def tile_grid(self) -> tuple[int, ...]:
        """Extents of the tile grid, outermost first."""
        return tuple(int(extent) for extent in self.tiles.get_values())

    def verify_(self) -> None:
        """Parameters are pointers and descriptors, then numbers; a return ends it."""
        are_numbers = [
            not isinstance(argument.type, PointerType | DescriptorType)
            for argument in self.body.block.args
        ]
        if are_numbers != sorted(are_numbers):
            raise VerifyException("takes pointers and descriptors, then numbers")
        for argument in self.body.block.args:
            of = argument.type
            if not isinstance(of, PointerType | DescriptorType) and not is_number(of):
                raise VerifyException(f"cannot take an argument of type {of}")
        if not isinstance(self.body.block.last_op, ReturnOp):
            raise VerifyException("must end with kernel.return")
        sizes = self.sizes
        for op in self.body.walk():
            for name, value in named_sizes(op):
                if sizes.get(name) != value:
                    raise VerifyException(
                        f"'{op.name}' reads the constant {name} as {value}, "
                        f"it is {sizes.get(name)}"
                    )

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        """`@name(%a: type, ...) constants {...} tiles [...] group n { ... }`."""
        name = parser.parse_symbol_name()
        arguments = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=True)
        )
        parser.parse_keyword("constants")
        constants = parser.parse_optional_attr_dict()
        parser.parse_keyword("tiles")
        tiles = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE,
            lambda: (
                DYNAMIC_INDEX
                if parser.parse_optional_punctuation("?")
                else parser.parse_integer()
            ),
        )
        parser.parse_keyword("group")
        group = parser.parse_integer()
        parts = 1
        if parser.parse_optional_keyword("store_parts"):
            parts = parser.parse_integer()
        aligned = parser.parse_optional_keyword("aligned_rows") is not None
        held = None
        if parser.parse_optional_keyword("held_operands"):
            held = parser.parse_str_literal()
        consumers, registers = (
            parser.parse_integer() if parser.parse_optional_keyword(word) else 0
            for word in ("consumers", "registers")
        )
        body = parser.parse_region(arguments)
        sizes = {
            key: value.value.data
            for key, value in constants.items()
            if isinstance(value, IntegerAttr)
        }
        return cls(
            name.data,
            sizes,
            tiles,
            group,
            body,
            parts,
            aligned_rows=aligned,
            held_operands=held,
            consumers=consumers,
            consumer_registers=registers,
        )

    def print(self, printer: Printer) -> None:
        """`@name(%a: type, ...) constants {...} tiles [...] group n { ... }`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(" constants ")
        printer.print_attr_dict(self.constants.data)
        tiles = ["?" if n == DYNAMIC_INDEX else str(n) for n in self.tile_grid]
        printer.print_string(f" tiles [{', '.join(tiles)}]")
        printer.print_string(f" group {self.group.value.data} ")
        if self.store_parts is not None:
            printer.print_string(f"store_parts {self.store_parts.value.data} ")
        if self.aligned_rows is not None:
            printer.print_string("aligned_rows ")
        if self.held_operands is not None:
            printer.print_string(f'held_operands "{self.held_operands.data}" ')
        if self.consumers is not None:
            printer.print_string(f"consumers {self.consumers.value.data} ")
        if self.consumer_registers is not None:
            printer.print_string(f"registers {self.consumer_registers.value.data} ")
        printer.print_region(self.body, print_entry_block_args=False)


def _above_zero(number: int) -> IntegerAttr[I64] | None:
    return IntegerAttr(number, i64) if number else None


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a program."""

    name = "kernel.return"

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict"


@irdl_op_definition
class ConstexprOp(IRDLOperation):
    """A named size of the kernel."""

    name = "kernel.constexpr"

    constant = prop_def(StringAttr)
    value = prop_def(IntegerAttr[I64])
    result = result_def(IntegerType)

    traits = traits_def(Pure())

    assembly_format = "$constant `=` $value attr-dict `:` type($result)"

    def __init__(self, name: str, value: int, of: IntegerType):
        super().__init__(
            properties={
                "constant": StringAttr(name),
                "value": IntegerAttr(value, i64),
            },
            result_types=[of],
        )


def named_sizes(op: Operation) -> list[tuple[str, int]]:
    """The constants that an op reads by name, with the values it expects."""
    if isinstance(op, ConstexprOp):
        return [(op.constant.data, op.value.value.data)]
    if isinstance(op, ArangeOp):
        if op.length_name is None:
            return []
        return [(op.length_name.data, shape_of(op.result.type)[0])]
    if isinstance(op, FullOp | ReshapeOp) and op.extents is not None:
        pairs = zip(op.extents, shape_of(op.results[0].type), strict=True)
        return [(name.data, size) for name, size in pairs if name.data]
    return []
