"""`match.structured`: run predicates on a structured op.

    %rank = transform.match.structured failures(propagate) %op : (...) -> ... {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.dim %s[all] {parallel} : !transform.any_op
      transform.match.structured.body %s {elementwise} : !transform.any_op
      %r = transform.match.structured.rank %s : (...) -> !transform.param<i64>
      transform.match.structured.yield %r : !transform.param<i64>
    }

The region runs if the op is structured; it fails where a predicate does not hold.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
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
from xdsl.traits import IsTerminator

from tilewright.ir.errors import SilenceableFailure
from tilewright.transforms.control.failures import (
    parse_optional_failures,
    suppresses,
    verify_mode,
    word_of,
)
from tilewright.transforms.control.sequence import parse_result_types
from tilewright.transforms.core.base import (
    TransformHandleType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import print_signature
from tilewright.transforms.matchers.predicate import Predicate, one_structured


@irdl_op_definition
class MatchStructuredYieldOp(IRDLOperation):
    """Ends `match.structured`, passing handles and parameters out."""

    name = "transform.match.structured.yield"

    handles = var_operand_def(TransformHandleType)

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($handles^ `:` type($handles))?"


@irdl_op_definition
class MatchStructuredOp(Predicate):
    """Run predicates on a structured op."""

    name = "transform.match.structured"

    current = operand_def(TransformOpHandleType)
    failure_propagation_mode = opt_prop_def(IntegerAttr.constr(i32))
    outputs = var_result_def(TransformHandleType)
    body_region = region_def("single_block")

    IS_STEP: ClassVar[bool] = False

    def verify_(self) -> None:
        """Check the failure propagation mode."""
        verify_mode(self.failure_propagation_mode)

    @classmethod
    def parse(cls, parser: Parser) -> MatchStructuredOp:
        """`[failures(mode)] %op : (type) -> types {..}`."""
        mode = parse_optional_failures(parser)
        pos = parser.pos
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kinds = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_type
        )
        kind = kinds[0] if kinds else parser.parse_type()
        results = parse_result_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        if not isinstance(region.block.last_op, MatchStructuredYieldOp):
            region.block.add_op(MatchStructuredYieldOp.build(operands=[[]]))
        op = cls.build(
            operands=parser.resolve_operands([name], [kind], pos),
            result_types=[results],
            properties={"failure_propagation_mode": mode},
            regions=[region],
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`[failures(mode)] %op : (type) -> types {..}`."""
        if (mode := self.failure_propagation_mode) is not None:
            printer.print_string(f" failures({word_of(mode)})")
        printer.print_string(" ")
        printer.print_ssa_value(self.current)
        if self.outputs:
            print_signature(printer, self)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.current.type)
        printer.print_string(" ")
        printer.print_region(
            self.body_region, print_block_terminators=bool(self.outputs)
        )

    def apply(self, state: TransformState) -> None:
        """Run the region on the op, if it is structured.

        With `failures(suppress)` the first predicate that does not hold ends the
        region: results computed before it keep their values, the others are empty.
        """
        suppress = suppresses(self.failure_propagation_mode)
        for result in self.outputs:
            state.set_items(result, ())
        block = self.body_region.block
        yielded = block.last_op.operands if block.last_op is not None else ()
        defined: set[SSAValue] = set()
        try:
            op = one_structured(self, state, self.current)
            state.set_ops(block.args[0], [op])
            defined.update(block.args)
            for nested in block.ops:
                if isinstance(nested, TransformOp):
                    state.run.run_op(nested)
                    defined.update(nested.results)
        except SilenceableFailure:
            if not suppress:
                raise
        for source, result in zip(yielded, self.outputs, strict=True):
            if source in defined or source.owner not in (block, *block.ops):
                state.copy_mapping(source, result)
