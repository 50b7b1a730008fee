"""scf.if, index_switch and execute_region, and the yield that ends their regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i1, i64
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """The end of a region, with the values for the enclosing op."""

    name = "scf.yield"

    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        """The parent is an op of this dialect that accepts the yielded values."""
        parent = self.parent_op()
        if parent is None or not parent.name.startswith("scf."):
            given = parent.name if parent is not None else "nothing"
            raise VerifyException(f"expects parent op of scf, got '{given}'")


def parse_result_types(parser: Parser) -> list[Attribute]:
    """`-> type`, `-> (type, type)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    types = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if types is None else list(types)


def parse_body(parser: Parser, arguments: Sequence[Parser.Argument] = ()) -> Region:
    """Parse a region of one block; add an empty yield if it has no terminator."""
    region = parser.parse_region(arguments)
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if block.last_op is None or not block.last_op.has_trait(IsTerminator):
        block.add_op(YieldOp())
    return region


def verify_yields(region: Region, types: Sequence[Attribute], words: str) -> None:
    """The region yields values of the given types."""
    last = region.block.last_op
    if not isinstance(last, YieldOp):
        raise VerifyException(f"expected scf.yield at the end of {words}")
    yielded = last.operand_types
    if tuple(yielded) != tuple(types):
        raise VerifyException(
            f"{words} yields ({', '.join(map(str, yielded))}), expected "
            f"({', '.join(map(str, types))})"
        )


@irdl_op_definition
class IfOp(IRDLOperation):
    """Run one of two regions; an `if` without results may omit the second."""

    name = "scf.if"

    cond = operand_def(i1)
    output = var_result_def()
    true_region = region_def("single_block")
    false_region = region_def()

    traits = traits_def(
        SingleBlockImplicitTerminator(YieldOp),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
    )

    def __init__(
        self,
        cond: SSAValue | Operation,
        return_types: Sequence[Attribute],
        true_region: Region | Sequence[Block] | Sequence[Operation],
        false_region: Region | Sequence[Block] | Sequence[Operation] | None = None,
        attr_dict: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[cond],
            result_types=[return_types],
            regions=[true_region, Region() if false_region is None else false_region],
            attributes=attr_dict,
        )

    def verify_(self) -> None:
        """Both regions yield the results' types."""
        if self.output and not self.false_region.blocks:
            raise VerifyException("expected an else region, since it has results")
        verify_yields(self.true_region, self.output.types, "the region")
        if self.false_region.blocks:
            verify_yields(self.false_region, self.output.types, "the else region")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%c -> (types) {...} else {...}`."""
        condition = parser.parse_operand(i1)
        types = parse_result_types(parser)
        true_region = parse_body(parser)
        false_region = None
        if parser.parse_optional_keyword("else"):
            false_region = parse_body(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls(condition, types, true_region, false_region, attributes)

    def print(self, printer: Printer) -> None:
        """`%c -> (types) {...} else {...}`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        if self.output:
            printer.print_string(" -> ")
            with printer.in_parens():
                printer.print_list(self.output.types, printer.print_attribute)
        printer.print_string(" ")
        self._print_region(printer, self.true_region)
        if self.false_region.blocks:
            printer.print_string(" else ")
            self._print_region(printer, self.false_region)
        printer.print_op_attributes(self.attributes)

    def _print_region(self, printer: Printer, region: Region) -> None:
        printer.print_region(
            region,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.output),
        )


@irdl_op_definition
class IndexSwitchOp(IRDLOperation):
    """The region of the case that an index equals, or the default one."""

    name = "scf.index_switch"

    arg = operand_def(IndexType)
    cases = prop_def(DenseArrayBase.constr(i64))
    output = var_result_def()
    default_region = region_def("single_block")
    case_regions = var_region_def("single_block")

    traits = traits_def(
        SingleBlockImplicitTerminator(YieldOp),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
    )

    def __init__(
        self,
        arg: SSAValue | Operation,
        cases: Sequence[int],
        default_region: Region,
        case_regions: Sequence[Region],
        result_types: Sequence[Attribute],
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[arg],
            properties={"cases": DenseArrayBase.from_list(i64, cases)},
            regions=[default_region, case_regions],
            result_types=[result_types],
            attributes=attributes,
        )

    def verify_(self) -> None:
        """A region for each case, each case once, the results' types from each."""
        cases = self.cases.get_values()
        if len(cases) != len(self.case_regions):
            raise VerifyException(
                f"has {len(self.case_regions)} regions for {len(cases)} cases"
            )
        repeated = next((case for case in cases if cases.count(case) > 1), None)
        if repeated is not None:
            raise VerifyException(f"has case {repeated} twice")
        verify_yields(self.default_region, self.output.types, "the default region")
        for case, region in zip(cases, self.case_regions, strict=True):
            verify_yields(region, self.output.types, f"the region of case {case}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%i -> types case 2 {...} default {...}`."""
        arg = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            types = list(
                parser.parse_comma_separated_list(
                    Parser.Delimiter.NONE, parser.parse_type
                )
            )
        cases: list[int] = []
        regions: list[Region] = []
        while parser.parse_optional_keyword("case"):
            cases.append(parser.parse_integer())
            regions.append(parse_body(parser))
        parser.parse_keyword("default")
        return cls(arg, cases, parse_body(parser), regions, types, attributes)

    def print(self, printer: Printer) -> None:
        """`%i -> types case 2 {...} default {...}`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        printer.print_op_attributes(self.attributes)
        if self.output:
            printer.print_string(" -> ")
            printer.print_list(self.output.types, printer.print_attribute)
        names = [f"case {case}" for case in self.cases.get_values()]
        regions = (*self.case_regions, self.default_region)
        for name, region in zip((*names, "default"), regions, strict=True):
            printer.print_string(f"\n{name} ")
            printer.print_region(region, print_entry_block_args=False)


@irdl_op_definition
class ExecuteRegionOp(IRDLOperation):
    """Run a region once; it wraps several blocks as one op."""

    name = "scf.execute_region"

    no_inline = opt_prop_def(UnitAttr)
    outs = var_result_def()
    region = region_def()

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        result_types: Sequence[Attribute],
        region: Region,
        *,
        no_inline: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            result_types=[result_types],
            regions=[region],
            properties={"no_inline": UnitAttr() if no_inline else None},
            attributes=attributes,
        )

    def verify_(self) -> None:
        """A block, and the results' types from each yield."""
        if not self.region.blocks:
            raise VerifyException("expected a region with a block")
        for block in self.region.blocks:
            last = block.last_op
            if isinstance(last, YieldOp) and last.operand_types != self.outs.types:
                raise VerifyException(
                    f"the region yields ({', '.join(map(str, last.operand_types))}), "
                    f"expected ({', '.join(map(str, self.outs.types))})"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`-> type no_inline {...}`."""
        types = parse_result_types(parser)
        no_inline = parser.parse_optional_keyword("no_inline") is not None
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        return cls(types, region, no_inline=no_inline, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """`-> type no_inline {...}`."""
        print_result_types(printer, self.outs.types)
        if self.no_inline is not None:
            printer.print_string(" no_inline")
        printer.print_string(" ")
        printer.print_region(self.region)
        printer.print_op_attributes(self.attributes)


def print_result_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """`-> type`, `-> (type, type)`, or nothing."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)
