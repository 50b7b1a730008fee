"""scf.parallel, a parallel loop nest on buffers, and its reductions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    IndexType,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import (
    parse_result_types,
    print_result_types,
)


@irdl_op_definition
class ReduceReturnOp(IRDLOperation):
    """The end of a reduction's region, with the combined value."""

    name = "scf.reduce.return"

    result = operand_def()

    traits = lazy_traits_def(lambda: (HasParent(ReduceOp), IsTerminator(), Pure()))

    assembly_format = "$result attr-dict `:` type($result)"

    def __init__(self, result: SSAValue | Operation):
        super().__init__(operands=[result])


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """The end of scf.parallel's body: the value that each result is combined with."""

    name = "scf.reduce"

    args = var_operand_def()
    reductions = var_region_def("single_block")

    traits = lazy_traits_def(
        lambda: (
            HasParent(ParallelOp),
            IsTerminator(),
            RecursiveMemoryEffect(),
            SingleBlockImplicitTerminator(ReduceReturnOp),
        )
    )

    def __init__(
        self,
        args: Sequence[SSAValue | Operation] = (),
        reductions: Sequence[Region] = (),
    ):
        super().__init__(operands=[args], regions=[reductions])

    def verify_(self) -> None:
        """Each operand has a region that combines two values."""
        if len(self.args) != len(self.reductions):
            raise VerifyException(
                f"has {len(self.reductions)} regions for {len(self.args)} operands"
            )
        for region, type_ in zip(self.reductions, self.args.types, strict=True):
            if tuple(region.block.arg_types) != (type_, type_):
                raise VerifyException(f"expected a region of two arguments '{type_}'")
            last = region.block.last_op
            assert isinstance(last, ReduceReturnOp)
            if last.result.type != type_:
                raise VerifyException(
                    f"a region returns '{last.result.type}', expected '{type_}'"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`(%a, %b : types) {...}, {...}`."""
        args: Sequence[SSAValue] = ()
        regions: list[Region] = []
        if parser.parse_optional_punctuation("("):
            start = parser.pos
            names = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_unresolved_operand
            )
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
            parser.parse_punctuation(")")
            args = parser.resolve_operands(names, types, start)
            regions = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_region
            )
        op = cls(args, regions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`(%a, %b : types) {...}, {...}`."""
        if self.args:
            with printer.in_parens():
                printer.print_list(self.args, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.args.types, printer.print_attribute)
            printer.print_string(" ")
            printer.print_list(self.reductions, printer.print_region)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """A parallel loop nest on buffers; its results are reductions."""

    name = "scf.parallel"

    lower_bounds = var_operand_def(IndexType)
    upper_bounds = var_operand_def(IndexType)
    steps = var_operand_def(IndexType)
    inits = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(
        SingleBlockImplicitTerminator(ReduceOp), RecursiveMemoryEffect()
    )

    def __init__(
        self,
        lower_bounds: Sequence[SSAValue],
        upper_bounds: Sequence[SSAValue],
        steps: Sequence[SSAValue],
        inits: Sequence[SSAValue],
        body: Region,
    ):
        super().__init__(
            operands=[lower_bounds, upper_bounds, steps, inits],
            result_types=[[init.type for init in inits]],
            regions=[body],
        )

    def verify_(self) -> None:
        """Bounds and a step for each loop, a reduction for each result."""
        rank = len(self.lower_bounds)
        if rank == 0:
            raise VerifyException("expected at least one loop")
        if len(self.upper_bounds) != rank or len(self.steps) != rank:
            raise VerifyException(
                f"expected as many upper bounds and steps as lower bounds, {rank}"
            )
        if tuple(self.body.block.arg_types) != (IndexType(),) * rank:
            raise VerifyException(f"expected a region of {rank} index arguments")
        reduce = self.body.block.last_op
        assert isinstance(reduce, ReduceOp)
        for words, types in (
            ("initial values", self.inits.types),
            ("reductions", reduce.args.types),
        ):
            if tuple(types) != tuple(self.res.types):
                raise VerifyException(
                    f"the {words} are ({', '.join(map(str, types))}), expected "
                    f"({', '.join(map(str, self.res.types))})"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`(%i) = (%lb) to (%ub) step (%s) init (%a) -> type {...}`."""
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_punctuation("=")
        lower = _parse_indices(parser, len(indices))
        parser.parse_keyword("to")
        upper = _parse_indices(parser, len(indices))
        parser.parse_keyword("step")
        steps = _parse_indices(parser, len(indices))
        start = parser.pos
        names = []
        if parser.parse_optional_keyword("init"):
            names = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )
        inits = parser.resolve_operands(names, parse_result_types(parser), start)
        body = parser.parse_region([index.resolve(IndexType()) for index in indices])
        last = body.block.last_op
        if last is None or not last.has_trait(IsTerminator):
            body.block.add_op(ReduceOp())
        op = cls(lower, upper, steps, inits, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`(%i) = (%lb) to (%ub) step (%s) init (%a) -> type {...}`."""
        for word, values in (
            (" ", self.body.block.args),
            (" = ", self.lower_bounds),
            (" to ", self.upper_bounds),
            (" step ", self.steps),
            (" init ", self.inits),
        ):
            if word == " init " and not values:
                continue
            printer.print_string(word)
            with printer.in_parens():
                printer.print_list(values, printer.print_ssa_value)
        print_result_types(printer, self.res.types)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


def _parse_indices(parser: Parser, expected: int) -> Sequence[SSAValue]:
    start = parser.pos
    values = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
    )
    if len(values) != expected:
        parser.raise_error(f"expected {expected} operands, got {len(values)}", start)
    return values
