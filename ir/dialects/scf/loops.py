"""scf.for: the sequential loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    IndexType,
    SignlessIntegerConstraint,
    UnitAttr,
)
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    MessageConstraint,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import (
    YieldOp,
    parse_body,
    parse_result_types,
    verify_yields,
)


@irdl_op_definition
class ForOp(IRDLOperation):
    """A sequential loop that carries values from one iteration to the next."""

    name = "scf.for"

    T: ClassVar = VarConstraint(
        "T",
        MessageConstraint(
            base(IndexType) | SignlessIntegerConstraint,
            "expected bounds and step of index or a signless integer type",
        ),
    )

    lb = operand_def(T)
    ub = operand_def(T)
    step = operand_def(T)
    iter_args = var_operand_def()
    unsigned_cmp = opt_prop_def(UnitAttr, prop_name="unsignedCmp")
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())

    def __init__(
        self,
        lb: SSAValue | Operation,
        ub: SSAValue | Operation,
        step: SSAValue | Operation,
        iter_args: Sequence[SSAValue | Operation],
        body: Region | Sequence[Operation] | Sequence[Block] | Block,
        *,
        unsigned: bool = False,
    ):
        super().__init__(
            operands=[lb, ub, step, iter_args],
            result_types=[[SSAValue.get(value).type for value in iter_args]],
            regions=[[body] if isinstance(body, Block) else body],
            properties={"unsignedCmp": UnitAttr() if unsigned else None},
        )

    def verify_(self) -> None:
        """The body takes an index and the carried values, and yields the latter."""
        types = self.iter_args.types
        expected = (self.lb.type, *types)
        if tuple(self.body.block.arg_types) != expected:
            raise VerifyException(
                f"the region takes ({', '.join(map(str, self.body.block.arg_types))}), "
                f"expected ({', '.join(map(str, expected))})"
            )
        if tuple(self.res.types) != tuple(types):
            raise VerifyException(
                f"the results are ({', '.join(map(str, self.res.types))}), expected "
                f"({', '.join(map(str, types))})"
            )
        verify_yields(self.body, types, "the region")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%i = %lb to %ub step %s iter_args(%x = %a) -> (type) : i32 {...}`."""
        unsigned = parser.parse_optional_keyword("unsigned") is not None
        index = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        bounds = [parser.parse_unresolved_operand()]
        for keyword in ("to", "step"):
            parser.parse_keyword(keyword)
            bounds.append(parser.parse_unresolved_operand())
        start = parser.pos
        pairs = []
        types: list[Attribute] = []
        if parser.parse_optional_keyword("iter_args"):
            pairs = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, lambda: parse_assignment(parser)
            )
            types = parse_result_types(parser)
            if len(types) != len(pairs):
                parser.raise_error(
                    f"expected {len(pairs)} types for {len(pairs)} carried values",
                    start,
                )
        kind: Attribute = IndexType()
        if parser.parse_optional_punctuation(":"):
            kind = parser.parse_type()
        carried = parser.resolve_operands([value for _, value in pairs], types, start)
        lb, ub, step = (parser.resolve_operand(bound, kind) for bound in bounds)
        arguments = [argument for argument, _ in pairs]
        body = parse_body(
            parser,
            [index.resolve(kind)]
            + [a.resolve(type_) for a, type_ in zip(arguments, types, strict=True)],
        )
        op = cls(lb, ub, step, carried, body, unsigned=unsigned)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`%i = %lb to %ub step %s iter_args(%x = %a) -> (type) : i32 {...}`."""
        if self.unsigned_cmp is not None:
            printer.print_string(" unsigned")
        index, *carried = self.body.block.args
        for word, value in (
            (" ", index),
            (" = ", self.lb),
            (" to ", self.ub),
            (" step ", self.step),
        ):
            printer.print_string(word)
            printer.print_ssa_value(value)
        if carried:
            printer.print_string(" iter_args(")
            printer.print_list(
                zip(carried, self.iter_args, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(") -> (")
            printer.print_list(self.iter_args.types, printer.print_attribute)
            printer.print_string(")")
        if not isinstance(index.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(index.type)
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.iter_args),
        )
        printer.print_op_attributes(self.attributes)
