"""`structured.replace`: put an op that the script holds in the place of another.

Before:
    func.func @f() { "dummy.old"() : () -> () return }

After:
    func.func @f() { "dummy.new"() : () -> () return }

    %new = transform.structured.replace %f {
      func.func @f() { "dummy.new"() : () -> () return }
    } : (!transform.any_op) -> !transform.any_op

Requires: one op in the region; no operands, and no values from outside, in either.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import TargetOp


@irdl_op_definition
class ReplaceOp(TargetOp):
    """Replace ops by copies of the op in the region; consumes the target."""

    name = "transform.structured.replace"

    target = operand_def(TransformOpHandleType)
    replacement = result_def(TransformOpHandleType)
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> ReplaceOp:
        """`%target {op} : (type) -> type`."""
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        resolved, types = parse_signature(parser, [target])
        op = cls.build(operands=resolved, result_types=types, regions=[region])
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`%target {op} : (type) -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_signature(printer, self)

    def verify_(self) -> None:
        """Check that there is one op, which needs nothing from outside."""
        ops = list(self.body.block.ops)
        if len(ops) != 1:
            raise VerifyException("expected one op in its region")
        if ops[0].operands:
            raise VerifyException("expected a replacement without operands")
        if not _is_closed(ops[0]):
            raise VerifyException("expected a replacement that is isolated from above")

    def foresee(self, results: Foreseen) -> None:
        """Functions may be replaced."""
        results.new_functions()

    def analyze(self, op: Operation) -> Operation:
        """Check that nothing outside of `op` feeds it."""
        if op.operands:
            raise self.broken("expected a target without operands", op)
        if not _is_closed(op):
            raise self.broken("expected a target that is isolated from above", op)
        (new,) = self.body.block.ops
        if [value.type for value in op.results] != [v.type for v in new.results]:
            raise self.broken(
                f"'{new.name}' does not have the results of '{op.name}'", op
            )
        return op

    def rewrite(self, op: Operation, rewriter: Rewriter) -> Operation:
        """Put a copy of the region's op in its place."""
        (pattern,) = self.body.block.ops
        new = pattern.clone()
        rewriter.insert_before(op, new)
        rewriter.replace(op, new.results, stands_for=new)
        return new


def _is_closed(op: Operation) -> bool:
    """Whether an op reads nothing from outside."""
    return not op.regions or op.has_trait(IsolatedFromAbove)
