"""The base of ops that compute tile sizes for a loop, as parameters."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.structured.targets import structured_op

Query = TypeVar("Query", bound="SizeQuery")


class SizeQuery(TransformOp, ABC):
    """One target, a loop, the wanted tile size; results of one type."""

    RESULTS: ClassVar[int]

    target = operand_def(TransformOpHandleType)
    dimension = prop_def(IntegerAttr.constr(i64))
    target_size = prop_def(IntegerAttr.constr(i64))

    @classmethod
    def parse(cls: type[Query], parser: Parser) -> Query:
        """`%h {dimension = 0, target_size = 16} : (type) -> type`."""
        pos = parser.pos
        target = parser.parse_unresolved_operand()
        attributes: dict[str, Any] = dict(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        parser.parse_punctuation("(")
        type_ = parser.parse_type()
        parser.parse_punctuation(")")
        parser.parse_punctuation("->")
        result_pos = parser.pos
        result = parser.parse_type()
        if not isinstance(result, TransformParamHandleType):
            parser.raise_error(
                "it gives sizes as parameters, not as ops of the payload: let its "
                "results be of type !transform.param<i64>",
                result_pos,
                parser.pos,
            )
        known = cls.get_irdl_definition().properties
        properties: dict[str, Attribute] = {
            name: attributes.pop(name) for name in known if name in attributes
        }
        for name in ("dimension", "target_size"):
            if name not in properties:
                parser.raise_error(f"expected {name} = ... in braces", pos)
        op = cls.build(
            operands=[parser.resolve_operand(target, type_)],
            result_types=[result] * cls.RESULTS,
            properties=properties,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form: one type for all results."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_op_attributes({**self.shown_properties(), **self.attributes})
        printer.print_string(" : (")
        printer.print_attribute(self.target.type)
        printer.print_string(") -> ")
        printer.print_attribute(self.results[0].type)

    def shown_properties(self) -> dict[str, Attribute]:
        """The properties to print."""
        return {"dimension": self.dimension, "target_size": self.target_size}

    def size_wanted(self) -> int:
        """The wanted tile size, which must be positive."""
        size = self.target_size.value.data
        if size < 1:
            raise self.broken(f"a tile of size {size} covers nothing")
        return size

    def extent(self, op: Operation) -> int:
        """The extent of the loop that is asked for."""
        op = structured_op(self, op)
        ranges = op.get_static_loop_ranges()
        loop = self.dimension.value.data
        if not 0 <= loop < len(ranges):
            raise self.refuse(
                f"there is no loop {loop}, the op has {len(ranges)}",
                op,
                "loops count from 0",
            )
        if ranges[loop] == DYNAMIC_INDEX:
            raise self.refuse(
                f"loop {loop} has an extent known only at run time",
                op,
                "a parameter must be known now",
            )
        return ranges[loop]
