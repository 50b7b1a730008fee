"""`scf.take_assumed_branch`: replace a condition by one of its branches.

Before:
    scf.if %in_bounds {
      memref.store %v, %m[%i] : memref<8xf32>
    } else {
      ...
    }

After:
    memref.store %v, %m[%i] : memref<8xf32>

The script promises that the condition holds, or, with `take_else_branch`, that it never
does.

Requires: `scf.if`, with an else branch if that one is to be taken.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects import scf
from tilewright.transforms.cleanup.patterns.scf.branches import inline_branch
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import TargetOp


@irdl_op_definition
class TakeAssumedBranchOp(TargetOp):
    """Replace ifs by one of their branches; consumes the target."""

    name = "transform.scf.take_assumed_branch"

    target = operand_def(TransformOpHandleType)
    take_else_branch = opt_prop_def(UnitAttr)

    @classmethod
    def parse(cls, parser: Parser) -> TakeAssumedBranchOp:
        """`%target [take_else_branch] : (type) -> ()`."""
        target = parser.parse_unresolved_operand()
        other = parser.parse_optional_keyword("take_else_branch")
        attributes = parser.parse_optional_attr_dict()
        resolved, _ = parse_signature(parser, [target])
        op = cls.build(
            operands=resolved,
            properties={"take_else_branch": None if other is None else UnitAttr()},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%target [take_else_branch] : (type) -> ()`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        if self.take_else_branch is not None:
            printer.print_string(" take_else_branch")
        print_signature(printer, self)

    def analyze(self, op: Operation) -> scf.IfOp:
        """Check that `op` is an if that has the branch."""
        if not isinstance(op, scf.IfOp):
            raise self.refuse(f"'{op.name}' has no branches", op, "match scf.if")
        if self.take_else_branch is not None and not op.false_region.blocks:
            raise self.broken("this 'scf.if' has no else branch", op)
        return op

    def rewrite(self, op: scf.IfOp, rewriter: Rewriter) -> None:
        """Inline the branch."""
        other = self.take_else_branch is not None
        inline_branch(op, op.false_region if other else op.true_region, rewriter)
