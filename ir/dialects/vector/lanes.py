"""Ops on lanes: shuffle, interleave, deinterleave, step and fma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    VectorType,
    i64,
)
from xdsl.dialects.vector import FMAOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import element_type, is_vector, vector_type

__all__ = ["DeinterleaveOp", "FMAOp", "InterleaveOp", "ShuffleOp", "StepOp"]


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """Pick rows of two concatenated vectors by their numbers; -1 is poison."""

    name = "vector.shuffle"

    v1 = operand_def(VectorType)
    v2 = operand_def(VectorType)
    mask = prop_def(DenseArrayBase.constr(i64))
    vector = result_def(VectorType)

    traits = traits_def(Pure())

    def __init__(self, v1: SSAValue, v2: SSAValue, mask: Sequence[int]):
        of = vector_type(v1)
        super().__init__(
            operands=[v1, v2],
            result_types=[VectorType(of.element_type, _shuffled(of, len(mask)))],
            properties={"mask": DenseArrayBase.from_list(i64, mask)},
        )

    @property
    def picks(self) -> tuple[int, ...]:
        """The numbers of the rows."""
        return tuple(int(row) for row in self.mask.get_values())

    def verify_(self) -> None:
        """The vectors' rows have one shape, and each number is that of a row."""
        first, second = vector_type(self.v1), vector_type(self.v2)
        shapes = first.get_shape(), second.get_shape()
        if first.element_type != second.element_type:
            raise VerifyException("expected operands of the same element type")
        if len(shapes[0]) != len(shapes[1]):
            raise VerifyException("rank mismatch")
        if shapes[0][1:] != shapes[1][1:]:
            raise VerifyException("dimension mismatch")
        if not self.picks:
            raise VerifyException("invalid mask length")
        rows = sum(shape[0] if shape else 1 for shape in shapes)
        for position, row in enumerate(self.picks):
            if not -1 <= row < rows:
                raise VerifyException(f"mask index #{position + 1} out of range")
        expected = VectorType(first.element_type, _shuffled(first, len(self.picks)))
        if self.vector.type != expected:
            raise VerifyException(f"expected a result of type '{expected}'")

    @classmethod
    def parse(cls, parser: Parser) -> ShuffleOp:
        """`%a, %b [0, 3] : type, type`."""
        first = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        second = parser.parse_unresolved_operand()
        mask = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        first_type = parser.parse_type()
        if not is_vector(first_type):
            parser.raise_error("expected a vector type", pos)
        parser.parse_punctuation(",")
        second_type = parser.parse_type()
        op = cls(
            parser.resolve_operand(first, first_type),
            parser.resolve_operand(second, second_type),
            mask,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%a, %b [0, 3] : type, type`."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f" [{', '.join(map(str, self.picks))}]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list((self.v1.type, self.v2.type), printer.print_attribute)


def _shuffled(of: VectorType[Attribute], rows: int) -> tuple[int, ...]:
    return (rows, *of.get_shape()[1:])


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """Lanes of two vectors in turn, along the last dimension."""

    name = "vector.interleave"

    T: ClassVar = VarConstraint("T", base(VectorType[Attribute]))

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    def verify_(self) -> None:
        """The last dimension of the result is twice as long."""
        shape = vector_type(self.lhs).get_shape()
        wide = (*shape[:-1], 2 * shape[-1]) if shape else (2,)
        if self.result.type != VectorType(element_type(self.lhs.type), wide):
            raise VerifyException("expected a result of double the inputs' width")


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """The even and the odd lanes along the last dimension."""

    name = "vector.deinterleave"

    T: ClassVar = VarConstraint("T", base(VectorType[Attribute]))

    source = operand_def(VectorType)
    res1 = result_def(T)
    res2 = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"

    def verify_(self) -> None:
        """The last dimension of each result is half as long."""
        shape = vector_type(self.source).get_shape()
        if not shape or shape[-1] % 2:
            raise VerifyException(
                "the trailing dimension of the source vector has to have an even number"
                " of elements"
            )
        half = VectorType(element_type(self.source.type), (*shape[:-1], shape[-1] // 2))
        if self.res1.type != half:
            raise VerifyException("expected results of half the source's width")


@irdl_op_definition
class StepOp(IRDLOperation):
    """The vector 0, 1, 2, ..."""

    name = "vector.step"

    result = result_def(VectorType.constr(IndexType()))

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: int):
        super().__init__(result_types=[VectorType(IndexType(), [size])])

    def verify_(self) -> None:
        """The vector has one dimension."""
        if vector_type(self.result).get_num_dims() != 1:
            raise VerifyException("expected a vector of one dimension")
