"""Types of the warps dialect: rings of tiles, views of tiles, barriers; layouts."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias, TypeGuard

from xdsl.dialects.builtin import I64, IntegerAttr, VectorType, i64
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from tilewright.ir.dialects.kernel import element_of, shape_of
from tilewright.ir.dtypes import element

DEPTH = 16
"""Elements of 16 bits that an instruction of a product sums over."""


def _parse_number(parser: AttrParser) -> Sequence[Attribute]:
    with parser.in_angle_brackets():
        return [IntegerAttr(parser.parse_integer(), i64)]


def _print_number(printer: Printer, number: IntegerAttr[I64]) -> None:
    with printer.in_angle_brackets():
        printer.print_string(str(number.value.data))


@irdl_attr_definition
class RingType(ParametrizedAttribute, TypeAttribute):
    """`!warps.ring<4 x vector<64x64xf16>>`: tiles in shared memory, used in turn."""

    name = "warps.ring"

    slots: IntegerAttr[I64] = param_def()
    tile: VectorType[Attribute] = param_def()

    def __init__(self, slots: int, tile: Attribute):
        super().__init__(IntegerAttr(slots, i64), tile)

    @property
    def bytes(self) -> int:
        """The shared memory that the ring takes."""
        return self.slots.value.data * tile_bytes(self.tile)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<slots x tile>`."""
        with parser.in_angle_brackets():
            slots = parser.parse_integer()
            parser.parse_keyword("x")
            return [IntegerAttr(slots, i64), parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<slots x tile>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"{self.slots.value.data} x ")
            printer.print_attribute(self.tile)


@irdl_attr_definition
class ViewType(ParametrizedAttribute, TypeAttribute):
    """`!warps.view<vector<64x64xf16>>`: one tile in shared memory."""

    name = "warps.view"

    tile: VectorType[Attribute] = param_def()


@irdl_attr_definition
class BarriersType(ParametrizedAttribute, TypeAttribute):
    """`!warps.barriers<4>`: barriers in shared memory, one for each slot of a ring."""

    name = "warps.barriers"

    slots: IntegerAttr[I64] = param_def()

    def __init__(self, slots: int):
        super().__init__(IntegerAttr(slots, i64))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<slots>`."""
        return _parse_number(parser)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<slots>`."""
        _print_number(printer, self.slots)


@irdl_attr_definition
class MmaLayout(ParametrizedAttribute):
    """`#warps.mma<256>`: as wgmma leaves a product of so many columns.

    The warps of a partition lie along the rows. `#warps.mma<256, 32>` is that of
    operands of which an instruction sums over 32 elements: those of a byte.
    """

    name = "warps.mma"

    columns: IntegerAttr[I64] = param_def()
    depth: IntegerAttr[I64] = param_def()

    def __init__(self, columns: int, depth: int = DEPTH):
        super().__init__(IntegerAttr(columns, i64), IntegerAttr(depth, i64))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<columns>` or `<columns, depth>`."""
        with parser.in_angle_brackets():
            columns, depth = parser.parse_integer(), DEPTH
            if parser.parse_optional_punctuation(","):
                depth = parser.parse_integer()
            return [IntegerAttr(columns, i64), IntegerAttr(depth, i64)]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<columns>` or `<columns, depth>`."""
        depth = self.depth.value.data
        with printer.in_angle_brackets():
            printer.print_string(str(self.columns.value.data))
            if depth != DEPTH:
                printer.print_string(f", {depth}")


@irdl_attr_definition
class SliceLayout(ParametrizedAttribute):
    """`#warps.slice<1, #warps.mma<256>>`: that of a tile, without one dimension."""

    name = "warps.slice"

    axis: IntegerAttr[I64] = param_def()
    parent: Attribute = param_def()

    def __init__(self, axis: int, parent: Attribute):
        super().__init__(IntegerAttr(axis, i64), parent)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<axis, parent>`."""
        with parser.in_angle_brackets():
            axis = parser.parse_integer()
            parser.parse_punctuation(",")
            return [IntegerAttr(axis, i64), parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<axis, parent>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"{self.axis.value.data}, ")
            printer.print_attribute(self.parent)


@irdl_attr_definition
class OperandLayout(ParametrizedAttribute):
    """`#warps.operand<#warps.mma<64>>`: as wgmma reads a left operand in registers."""

    name = "warps.operand"

    parent: Attribute = param_def()


@irdl_attr_definition
class WholeLayout(ParametrizedAttribute):
    """`#warps.whole`: a line of numbers, which each warp has whole."""

    name = "warps.whole"


Layout: TypeAlias = MmaLayout | SliceLayout | OperandLayout | WholeLayout


def is_layout(attribute: Attribute | None) -> TypeGuard[Layout]:
    """Whether an attribute is a layout of registers."""
    return isinstance(attribute, Layout)


def tile_bytes(tile: Attribute) -> int:
    """The bytes of a tile in shared memory."""
    return prod(shape_of(tile)) * element(element_of(tile)).byte_width
