"""The same elements in another shape: expand_shape, collapse_shape, reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.elementwise import is_integer_or_index
from tilewright.ir.types import tensor_type

Reassociation = ArrayAttr[ArrayAttr[IntegerAttr]]


def reassociation_of(groups: Sequence[Sequence[int]]) -> Reassociation:
    """The attribute for groups of dimensions."""
    return ArrayAttr(
        [ArrayAttr([IntegerAttr(dim, i64) for dim in group]) for group in groups]
    )


def groups_of(reassociation: Reassociation) -> list[list[int]]:
    """For each dimension of the collapsed type its dimensions of the expanded type."""
    return [[int(entry.value.data) for entry in group] for group in reassociation]


def verify_reassociation(
    collapsed: TensorType[Attribute],
    expanded: TensorType[Attribute],
    groups: Sequence[Sequence[int]],
) -> None:
    """Check groups: they cover the expanded type in order and multiply to the other."""
    if collapsed.element_type != expanded.element_type:
        raise VerifyException(
            f"expected one element type, got '{collapsed.element_type}' and "
            f"'{expanded.element_type}'"
        )
    small, large = collapsed.get_shape(), expanded.get_shape()
    if len(groups) != len(small):
        raise VerifyException(
            f"expected a group of dimensions for each of the {len(small)} dimensions "
            f"of '{collapsed}', got {len(groups)}"
        )
    if not small:
        if any(size != 1 for size in large):
            raise VerifyException(f"'{expanded}' has more than one element")
        return
    if [dim for group in groups for dim in group] != list(range(len(large))):
        raise VerifyException(
            f"expected the groups to list the dimensions 0 to {len(large) - 1} of "
            f"'{expanded}' in order"
        )
    for dim, (group, size) in enumerate(zip(groups, small, strict=True)):
        sizes = [large[entry] for entry in group]
        product = DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else math.prod(sizes)
        if product != size:
            words = "dynamic" if product == DYNAMIC_INDEX else str(product)
            raise VerifyException(
                f"expected dimension {dim} of '{collapsed}' to be {words}"
            )


@irdl_op_definition
class ExpandShapeOp(IRDLOperation):
    """Split dimensions."""

    name = "tensor.expand_shape"

    src = operand_def(TensorType)
    dynamic_output_shape = var_operand_def(IndexType)
    reassociation = prop_def(Reassociation)
    static_output_shape = prop_def(DenseArrayBase.constr(i64))
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(
        self,
        src: SSAValue,
        dynamic_output_shape: Sequence[SSAValue],
        reassociation: Reassociation,
        static_output_shape: Sequence[int],
        result_type: Attribute,
        attributes: dict[str, Attribute] | None = None,
    ):
        static = DenseArrayBase.from_list(i64, static_output_shape)
        super().__init__(
            operands=[src, dynamic_output_shape],
            result_types=[result_type],
            properties={
                "reassociation": reassociation,
                "static_output_shape": static,
            },
            attributes=attributes,
        )

    def verify_(self) -> None:
        """The groups fit both types, and the output shape is the result's."""
        made = tensor_type(self.result)
        groups = groups_of(self.reassociation)
        verify_reassociation(tensor_type(self.src), made, groups)
        static = self.static_output_shape.get_values()
        verify_dynamic_index_list(
            static, self.dynamic_output_shape, DYNAMIC_INDEX, " in the output shape"
        )
        if tuple(static) != made.get_shape():
            raise VerifyException(f"expected the output shape of '{made}'")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%src [[0, 1], [2]] output_shape [4, %n, 8] : type into type`."""
        name = parser.parse_unresolved_operand()
        reassociation = _parse_reassociation(parser)
        parser.parse_keyword("output_shape")
        names, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX)
        dynamic = [parser.resolve_operand(name_, IndexType()) for name_ in names]
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(name, parser.parse_type())
        parser.parse_keyword("into")
        made = parser.parse_type()
        return cls(source, dynamic, reassociation, static, made, attributes)

    def print(self, printer: Printer) -> None:
        """`%src [[0, 1], [2]] output_shape [4, %n, 8] : type into type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.src)
        printer.print_string(" ")
        _print_reassociation(printer, self.reassociation)
        printer.print_string(" output_shape ")
        print_dynamic_index_list(
            printer,
            DYNAMIC_INDEX,
            self.dynamic_output_shape,
            self.static_output_shape.get_values(),
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.src.type)
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class CollapseShapeOp(IRDLOperation):
    """Merge neighbouring dimensions."""

    name = "tensor.collapse_shape"

    src = operand_def(TensorType)
    reassociation = prop_def(Reassociation)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(
        self,
        src: SSAValue,
        reassociation: Reassociation,
        result_type: Attribute,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[src],
            result_types=[result_type],
            properties={"reassociation": reassociation},
            attributes=attributes,
        )

    def verify_(self) -> None:
        """The groups fit both types."""
        groups = groups_of(self.reassociation)
        verify_reassociation(tensor_type(self.result), tensor_type(self.src), groups)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%src [[0, 1], [2]] : type into type`."""
        name = parser.parse_unresolved_operand()
        reassociation = _parse_reassociation(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(name, parser.parse_type())
        parser.parse_keyword("into")
        return cls(source, reassociation, parser.parse_type(), attributes)

    def print(self, printer: Printer) -> None:
        """`%src [[0, 1], [2]] : type into type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.src)
        printer.print_string(" ")
        _print_reassociation(printer, self.reassociation)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.src.type)
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements in the shape given by a tensor of integers."""

    name = "tensor.reshape"

    source = operand_def(TensorType)
    shape = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def __init__(self, source: SSAValue, shape: SSAValue, result_type: Attribute):
        super().__init__(operands=[source, shape], result_types=[result_type])

    def verify_(self) -> None:
        """There is an integer for each result dimension; element counts agree."""
        source, made = tensor_type(self.source), tensor_type(self.result)
        shape = tensor_type(self.shape)
        if source.element_type != made.element_type:
            raise VerifyException(f"expected elements of type '{source.element_type}'")
        if not is_integer_or_index(shape.element_type):
            raise VerifyException(f"expected integers for the shape, got '{shape}'")
        if shape.get_shape() != (len(made.get_shape()),):
            raise VerifyException(
                f"expected {len(made.get_shape())} integers for '{made}', got '{shape}'"
            )
        both = (source.get_shape(), made.get_shape())
        if any(DYNAMIC_INDEX in sizes for sizes in both):
            return
        if math.prod(both[0]) != math.prod(both[1]):
            raise VerifyException(
                f"'{source}' and '{made}' have different numbers of elements"
            )


def _parse_reassociation(parser: Parser) -> Reassociation:
    def group() -> list[int]:
        return parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )

    return reassociation_of(
        parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, group)
    )


def _print_reassociation(printer: Printer, reassociation: Reassociation) -> None:
    groups = ", ".join(f"[{', '.join(map(str, g))}]" for g in groups_of(reassociation))
    printer.print_string(f"[{groups}]")
