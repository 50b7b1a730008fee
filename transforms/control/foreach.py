"""`transform.foreach`: run steps for each op of a handle, one at a time.

    %r = transform.foreach %ops, %tiles : !transform.any_op, !transform.any_param
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op, %tile: !transform.any_param):
      ...
      transform.yield %x : !transform.any_op
    }

Several handles go in step. The results collect what each run yields. A handle whose
argument a step of the body consumes is consumed.

Requires: handles of one length, or `with_zip_shortest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.control.sequence import (
    YieldOp,
    consumed_in,
    ensure_yield,
    parse_result_types,
)
from tilewright.transforms.core.base import TransformHandleType, TransformOp
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class ForeachOp(TransformOp):
    """Run the body for each op, value or parameter of the targets."""

    name = "transform.foreach"

    targets = var_operand_def(TransformHandleType)
    with_zip_shortest = opt_prop_def(UnitAttr)
    res = var_result_def(TransformHandleType)
    body = region_def("single_block")

    IS_STEP: ClassVar[bool] = False

    def __init__(
        self,
        targets: Sequence[SSAValue],
        body: Region,
        result_types: Sequence[Attribute] = (),
        *,
        zip_shortest: bool = False,
    ):
        super().__init__(
            operands=[targets],
            properties={"with_zip_shortest": UnitAttr() if zip_shortest else None},
            result_types=[result_types],
            regions=[body],
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The targets whose arguments the body consumes."""
        consumed = consumed_in(self.body.block)
        pairs = zip(self.targets, self.body.block.args, strict=True)
        return [target for target, argument in pairs if argument in consumed]

    def verify_(self) -> None:
        """Check the number of arguments and of yielded values."""
        if [t.type for t in self.targets] != [a.type for a in self.body.block.args]:
            raise VerifyException("expects the targets' types as block arguments")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or [v.type for v in last.operands] != [
            result.type for result in self.res
        ]:
            raise VerifyException("expects the same types in yield and results")

    @classmethod
    def parse(cls, parser: Parser) -> ForeachOp:
        """`%h, %g [with_zip_shortest] : types [-> types] {..}`."""
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        shortest = parser.parse_optional_keyword("with_zip_shortest") is not None
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        targets = parser.resolve_operands(names, types, pos)
        results = parse_result_types(parser)
        region = parser.parse_region()
        ensure_yield(region)
        op = cls(targets, region, results, zip_shortest=shortest)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`%h, %g [with_zip_shortest] : types [-> types] {..}`."""
        printer.print_string(" ")
        printer.print_list(self.targets, printer.print_ssa_value)
        if self.with_zip_shortest is not None:
            printer.print_string(" with_zip_shortest")
        printer.print_string(" : ")
        printer.print_list(self.targets.types, printer.print_attribute)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=bool(self.res))
        printer.print_op_attributes(self.attributes)

    def apply(self, state: TransformState) -> None:
        """Run the body once for each row of the targets."""
        columns = [state.items(target) for target in self.targets]
        lengths = {len(column) for column in columns}
        if len(lengths) > 1 and self.with_zip_shortest is None:
            raise self.refuse(
                f"the handles point at {', '.join(str(len(c)) for c in columns)} ops",
                remedy="give handles of one length, or say with_zip_shortest",
            )
        collected: list[list[Operation | SSAValue | Attribute]] = [[] for _ in self.res]
        for row in zip(*columns, strict=False):
            for argument, item in zip(self.body.block.args, row, strict=True):
                state.set_items(argument, [item])
            yielded = state.run.run_block(self.body.block)
            for source, items in zip(yielded, collected, strict=True):
                items += state.items(source)
        for result, items in zip(self.res, collected, strict=True):
            state.set_items(result, items)
