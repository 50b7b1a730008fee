"""affine.for and affine.parallel: loops whose bounds are maps.

affine.for %i = 0 to min affine_map<(d0) -> (d0 + 4, 100)>(%j) step 2 {...}
affine.parallel (%i, %j) = (0, %n) to (min(100, %n), %n + 4) step (1, 2) {...}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeAlias

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    i32,
)
from xdsl.dialects.utils import (
    AbstractYieldOperation,
    parse_assignment,
    print_assignment,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import parse_result_types


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """The end of a region, with the values for the enclosing op."""

    name = "affine.yield"

    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        """The parent is an op of this dialect that takes the yielded values."""
        parent = self.parent_op()
        if parent is None or not parent.name.startswith("affine."):
            given = parent.name if parent is not None else "nothing"
            raise VerifyException(f"expects parent op of affine, got '{given}'")
        if tuple(self.operand_types) != tuple(parent.result_types):
            raise VerifyException("yields other types than the results of its parent")


def parse_body(parser: Parser, arguments: Sequence[Parser.Argument] = ()) -> Region:
    """Parse a region of one block; add an empty yield if it has no terminator."""
    region = parser.parse_region(arguments)
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if block.last_op is None or not block.last_op.has_trait(IsTerminator):
        block.add_op(YieldOp())
    return region


def print_body(printer: Printer, region: Region, *, has_values: bool) -> None:
    """A region without its arguments, and its end only where it yields values."""
    printer.print_string(" ")
    printer.print_region(
        region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=has_values,
    )


Bound: TypeAlias = tuple[AffineMapAttr, Sequence[SSAValue]]


def _parse_bound(parser: Parser, choice: str) -> Bound:
    """`0`, `%n`, `#map(%dims)[%symbols]`, or `min #map(...)`."""
    chooses = parser.parse_optional_keyword(choice) is not None
    if not chooses:
        if (named := parser.parse_optional_unresolved_operand()) is not None:
            value = parser.resolve_operand(named, IndexType())
            return AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),))), [value]
        if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
            return AffineMapAttr(AffineMap.constant_map(number)), []
    start = parser.pos
    map = parser.parse_attribute()
    if not isinstance(map, AffineMapAttr):
        parser.raise_error("expected an affine map as a bound", start)
    dims = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
    )
    symbols = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
    )
    values = [*dims, *(symbols or ())]
    if (len(dims), len(symbols or ())) != (map.data.num_dims, map.data.num_symbols):
        parser.raise_error("the map has other dimensions or symbols", start)
    if len(map.data.results) != 1 and not chooses:
        parser.raise_error(f"a map of several results needs '{choice}'", start)
    return map, values


def _print_bound(
    printer: Printer, map: AffineMapAttr, values: Sequence[SSAValue], choice: str
) -> None:
    match map.data:
        case AffineMap(0, 0, (AffineConstantExpr(value=number),)):
            printer.print_string(str(number))
        case AffineMap(0, 1, (AffineSymExpr(),)):
            printer.print_ssa_value(values[0])
        case data:
            printer.print_string("" if len(data.results) == 1 else f"{choice} ")
            printer.print_attribute(map)
            with printer.in_parens():
                printer.print_list(values[: data.num_dims], printer.print_ssa_value)
            if data.num_symbols:
                with printer.in_square_brackets():
                    printer.print_list(values[data.num_dims :], printer.print_ssa_value)


@irdl_op_definition
class ForOp(IRDLOperation):
    """A sequential loop from the greatest lower to the least upper bound."""

    name = "affine.for"

    lower_operands = var_operand_def(IndexType())
    upper_operands = var_operand_def(IndexType())
    inits = var_operand_def()
    lower_map = prop_def(AffineMapAttr, prop_name="lowerBoundMap")
    upper_map = prop_def(AffineMapAttr, prop_name="upperBoundMap")
    step = prop_def(IntegerAttr[IndexType])
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())

    def __init__(
        self,
        lower: Bound,
        upper: Bound,
        step: int,
        inits: Sequence[SSAValue],
        body: Region,
    ):
        super().__init__(
            operands=[lower[1], upper[1], inits],
            properties={
                "lowerBoundMap": lower[0],
                "upperBoundMap": upper[0],
                "step": IntegerAttr.from_index_int_value(step),
            },
            result_types=[[value.type for value in inits]],
            regions=[body],
        )

    def set_bounds(
        self,
        *,
        lower: Bound | None = None,
        upper: Bound | None = None,
        inits: Sequence[SSAValue] | None = None,
    ) -> None:
        """Give the loop other bounds or other initial values, in place."""
        lower = lower or (self.lower_map, self.lower_operands)
        upper = upper or (self.upper_map, self.upper_operands)
        groups = (lower[1], upper[1], self.inits if inits is None else inits)
        self.properties["lowerBoundMap"] = lower[0]
        self.properties["upperBoundMap"] = upper[0]
        self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(
            i32, [len(group) for group in groups]
        )
        self.operands = [value for group in groups for value in group]

    def verify_(self) -> None:
        """Each map has its operands, and the body takes the carried values."""
        for map, values in (
            (self.lower_map.data, self.lower_operands),
            (self.upper_map.data, self.upper_operands),
        ):
            if len(values) != map.num_dims + map.num_symbols or not map.results:
                raise VerifyException("a bound has other operands than its map takes")
        if self.step.value.data < 0:
            raise VerifyException("expected a step that is not negative")
        types = (IndexType(), *self.inits.types)
        if tuple(self.body.block.arg_types) != types:
            raise VerifyException("the region takes other values than the loop carries")
        if tuple(self.res.types) != tuple(self.inits.types):
            raise VerifyException("the results have other types than the inits")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%i = 0 to %n step 2 iter_args(%x = %a) -> (type) {...}`."""
        index = parser.parse_argument(expect_type=False)
        parser.parse_optional_location()
        parser.parse_punctuation("=")
        lower = _parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bound(parser, "min")
        step = 1
        if parser.parse_optional_keyword("step") is not None:
            step = parser.parse_integer(allow_boolean=False)
        start = parser.pos
        pairs = []
        types: list[Attribute] = []
        if parser.parse_optional_keyword("iter_args") is not None:
            pairs = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, lambda: parse_assignment(parser)
            )
            types = parse_result_types(parser)
            if len(types) != len(pairs):
                parser.raise_error(f"expected {len(pairs)} types of values", start)
        inits = parser.resolve_operands([value for _, value in pairs], types, start)
        arguments = [index.resolve(IndexType())] + [
            argument.resolve(kind)
            for (argument, _), kind in zip(pairs, types, strict=True)
        ]
        op = cls(lower, upper, step, inits, parse_body(parser, arguments))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`%i = 0 to %n step 2 iter_args(%x = %a) -> (type) {...}`."""
        index, *carried = self.body.block.args
        printer.print_string(" ")
        printer.print_ssa_value(index)
        printer.print_string(" = ")
        _print_bound(printer, self.lower_map, self.lower_operands, "max")
        printer.print_string(" to ")
        _print_bound(printer, self.upper_map, self.upper_operands, "min")
        if self.step.value.data != 1:
            printer.print_string(f" step {self.step.value.data}")
        if carried:
            printer.print_string(" iter_args(")
            printer.print_list(
                zip(carried, self.inits, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(") -> (")
            printer.print_list(self.res.types, printer.print_attribute)
            printer.print_string(")")
        print_body(printer, self.body, has_values=bool(carried))
        printer.print_op_attributes(self.attributes)
