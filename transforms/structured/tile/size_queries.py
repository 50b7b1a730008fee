"""The base of ops that compute tile sizes for a loop, as parameters or payload ops.

A size as a payload op is an `affine.apply` of the loop's extent, in front of the
target. As upstream has it, that is so where the extent is a number too: what reads such
a handle takes the size for one that is known only at run time.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineBinaryOpKind, AffineConstantExpr, AffineExpr, AffineMap
from xdsl.irdl import operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import Extent, OpList, evaluate
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
        result = parser.parse_type()
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

    @property
    def gives_ops(self) -> bool:
        """Whether the sizes are ops of the payload, not parameters."""
        return isinstance(self.results[0].type, TransformOpHandleType)

    def loop_of(self, op: Operation) -> tuple[StructuredOp, int]:
        """The op and its loop that is asked for."""
        op = structured_op(self, op)
        loop = self.dimension.value.data
        if not 0 <= loop < len(op.get_static_loop_ranges()):
            raise self.refuse(
                f"there is no loop {loop}, the op has "
                f"{len(op.get_static_loop_ranges())}",
                op,
                "loops count from 0",
            )
        return op, loop

    def extent(self, op: Operation) -> int:
        """The extent of the loop that is asked for."""
        op, loop = self.loop_of(op)
        ranges = op.get_static_loop_ranges()
        if ranges[loop] == DYNAMIC_INDEX:
            raise self.refuse(
                f"loop {loop} has an extent known only at run time",
                op,
                "a parameter must be known now; let the results be !transform.any_op",
            )
        return ranges[loop]


def floor_div(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """A quotient, also by an expression."""
    return binary(AffineBinaryOpKind.FloorDiv, left, right)


def modulo(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """A remainder, also by an expression."""
    return binary(AffineBinaryOpKind.Mod, left, right)


def times(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """A product, also by an expression."""
    return binary(AffineBinaryOpKind.Mul, left, right)


def size_op(size: AffineExpr, extent: Extent, new_ops: OpList) -> Operation:
    """The op that computes a size; `size` is over s0, the extent."""
    value = evaluate(size, [], new_ops, [extent])
    if not isinstance(value, int) and isinstance(value.owner, affine.ApplyOp):
        return value.owner
    # A number, or the extent itself.
    expr = AffineConstantExpr(value) if isinstance(value, int) else AffineExpr.symbol(0)
    operands = [] if isinstance(value, int) else [value]
    map_ = AffineMapAttr(AffineMap(0, len(operands), (expr,)))
    apply = affine.ApplyOp(operands, map_)
    new_ops.add(apply)
    return apply
