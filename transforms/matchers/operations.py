"""Simple predicates: names of ops, empty handles, comparisons of parameters.

    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.match.operation_empty %op : !transform.any_op
    transform.match.param.cmpi eq %n, %two : !transform.param<i64>

A predicate that does not hold is a failure that `foreach_match`, `collect_matching` and
`alternatives` take for "no match".
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from xdsl.dialects.builtin import I32, ArrayAttr, IntegerAttr, StringAttr, i32
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from tilewright.transforms.core.base import (
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.matchers.predicate import Predicate


@irdl_op_definition
class MatchOperationNameOp(Predicate):
    """Check that every op of the handle has one of these names."""

    name = "transform.match.operation_name"

    operand_handle = operand_def(TransformOpHandleType)
    op_names = prop_def(ArrayAttr[StringAttr])

    assembly_format = "$operand_handle $op_names attr-dict `:` type($operand_handle)"

    def apply(self, state: TransformState) -> None:
        """Compare the names."""
        wanted = [name.data for name in self.op_names]
        for op in state.payload_ops(self.operand_handle):
            if op.name not in wanted:
                raise self.refuse(f"'{op.name}' is none of {', '.join(wanted)}", op)


@irdl_op_definition
class MatchOperationEmptyOp(Predicate):
    """Check that the handle points at nothing."""

    name = "transform.match.operation_empty"

    operand_handle = operand_def(TransformOpHandleType)

    assembly_format = "$operand_handle attr-dict `:` type($operand_handle)"

    def apply(self, state: TransformState) -> None:
        """Count the payload."""
        ops = state.payload_ops(self.operand_handle)
        for op in ops:
            raise self.refuse(f"the handle points at {len(ops)} op(s)", op)


PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""In the order upstream numbers them."""


@irdl_op_definition
class MatchParamCmpIOp(Predicate):
    """Compare two lists of integers, element by element."""

    name = "transform.match.param.cmpi"

    param = operand_def(TransformParamHandleType)
    reference = operand_def(TransformParamHandleType)
    predicate = prop_def(IntegerAttr[I32])

    @property
    def word(self) -> str:
        """`eq`, `lt`, ..."""
        return list(PREDICATES)[self.predicate.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> MatchParamCmpIOp:
        """`eq %a, %b : type`."""
        pos = parser.pos
        word = parser.parse_identifier()
        if word not in PREDICATES:
            parser.raise_error(f"expected one of {', '.join(PREDICATES)}", pos)
        pos = parser.pos
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        names.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        op = cls.build(
            operands=parser.resolve_operands(names, [kind, kind], pos),
            properties={"predicate": IntegerAttr(list(PREDICATES).index(word), i32)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`eq %a, %b : type`."""
        printer.print_string(f" {self.word} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.param.type)

    def apply(self, state: TransformState) -> None:
        """Compare one by one."""
        left, right = state.params(self.param), state.params(self.reference)
        if len(left) != len(right):
            raise self.refuse(
                f"the parameters hold {len(left)} and {len(right)} values"
            )
        for first, second in zip(left, right, strict=True):
            if not isa(first, IntegerAttr) or not isa(second, IntegerAttr):
                raise self.broken("only integers are compared")
            pair = (first.value.data, second.value.data)
            if not PREDICATES[self.word](*pair):
                raise self.refuse(f"{pair[0]} is not {self.word} {pair[1]}")
