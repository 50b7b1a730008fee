"""`vector.transfer_read` and `transfer_write`: a box of a tensor or buffer.

For each dimension of the vector the permutation map names a dimension of the source, or
the constant 0 for a broadcast. The dimensions of a mask are in the source's order.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    MemRefType,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineConstantExpr
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.effects import BufferReadEffect, BufferWriteEffect
from tilewright.ir.dialects.vector.transfer_maps import (
    Shaped,
    mask_shape,
    minor_identity,
    verify_transfer,
)
from tilewright.ir.types import is_buffer, is_tensor, is_vector


@dataclass(frozen=True)
class _Attributes:
    """A transfer's attributes and mask, with defaults filled in."""

    permutation_map: Attribute
    in_bounds: Attribute
    mask: SSAValue | None
    rest: dict[str, Attribute]


class _TransferOp(IRDLOperation, ABC):
    """The base class of the two transfers."""

    permutation_map = prop_def(AffineMapAttr)
    in_bounds = prop_def(ArrayAttr[BoolAttr])

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    def _print_transfer(self, printer: Printer, first: Attribute, second: Attribute):
        source = first if not is_vector(first) else second
        vector = second if is_vector(second) else first
        assert is_tensor(source) or is_buffer(source)
        assert is_vector(vector)
        hidden = {"operandSegmentSizes"}
        if self.permutation_map.data == minor_identity(source, vector):
            hidden.add("permutation_map")
        if not any(bool(entry) for entry in self.in_bounds):
            hidden.add("in_bounds")
        printer.print_op_attributes(
            self.attributes | self.properties, reserved_attr_names=hidden
        )
        printer.print_string(" : ")
        printer.print_attribute(first)
        printer.print_string(", ")
        printer.print_attribute(second)

    @staticmethod
    def _parse_indices(parser: Parser) -> Sequence[SSAValue]:
        return parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )

    @staticmethod
    def _parse_mask(parser: Parser) -> UnresolvedOperand | None:
        if parser.parse_optional_punctuation(",") is None:
            return None
        return parser.parse_unresolved_operand()

    @staticmethod
    def _complete(
        parser: Parser,
        given: dict[str, Attribute],
        source: Shaped,
        vector: VectorType[Attribute],
        mask: UnresolvedOperand | None,
        pos: int,
    ) -> _Attributes:
        """Fill in the map, bounds and mask that the text leaves out."""
        rest = dict(given)
        map = rest.pop("permutation_map", None)
        if map is None:
            default = minor_identity(source, vector)
            if default is None:
                parser.raise_error(
                    "expected a custom permutation_map when rank(source) != "
                    "rank(destination)",
                    pos,
                )
            map = AffineMapAttr(default)
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("expected permutation_map to be an affine map", pos)
        outside = ArrayAttr([BoolAttr.from_bool(False)] * len(map.data.results))
        in_bounds = rest.pop("in_bounds", outside)
        if mask is None:
            return _Attributes(map, in_bounds, None, rest)
        shape = vector.get_shape()
        if is_vector(source.element_type):
            parser.raise_error("does not support masks with vector element type", pos)
        if len(shape) != len(map.data.results):
            parser.raise_error(
                "expected the same rank for the vector and the results of the "
                "permutation map",
                pos,
            )
        kind = VectorType(i1, mask_shape(map.data, shape))
        return _Attributes(map, in_bounds, parser.resolve_operand(mask, kind), rest)

    @staticmethod
    def _parse_shaped(parser: Parser) -> Shaped:
        pos = parser.pos
        type_ = parser.parse_type()
        if not (is_tensor(type_) or is_buffer(type_)):
            parser.raise_error("requires memref or ranked tensor type", pos)
        return type_

    @staticmethod
    def _parse_vector(parser: Parser) -> VectorType[Attribute]:
        pos = parser.pos
        type_ = parser.parse_type()
        if not is_vector(type_):
            parser.raise_error("requires vector type", pos)
        return type_


@irdl_op_definition
class TransferReadOp(_TransferOp):
    """Read a vector; lanes outside of the source are padding."""

    name = "vector.transfer_read"

    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    padding = operand_def(AnyAttr())
    mask = opt_operand_def(VectorType.constr(i1))
    result = result_def(VectorType)

    traits = traits_def(BufferReadEffect())

    def __init__(
        self,
        source: SSAValue,
        indices: Sequence[SSAValue],
        padding: SSAValue,
        result_type: Attribute,
        in_bounds: ArrayAttr[BoolAttr],
        permutation_map: AffineMapAttr,
        mask: SSAValue | None = None,
    ):
        super().__init__(
            operands=[source, indices, padding, mask],
            result_types=[result_type],
            properties={"in_bounds": in_bounds, "permutation_map": permutation_map},
        )

    @property
    def mask_shape(self) -> tuple[int, ...]:
        """The shape of a mask for this transfer."""
        assert is_vector(self.result.type)
        return mask_shape(self.permutation_map.data, self.result.type.get_shape())

    def verify_(self) -> None:
        """The shared rules; padding has the source's element type."""
        source = self.source.type
        assert is_tensor(source) or is_buffer(source)
        verify_transfer(
            source,
            self.result.type,
            len(self.indices),
            self.permutation_map.data,
            len(self.in_bounds),
            self.mask,
        )
        if self.padding.type != source.element_type:
            raise VerifyException(
                "requires formal padding and source of the same elemental type"
            )

    @classmethod
    def parse(cls, parser: Parser) -> TransferReadOp:
        """`%source[%i], %padding[, %mask] {attributes} : type, vector type`."""
        source = parser.parse_unresolved_operand()
        indices = cls._parse_indices(parser)
        parser.parse_punctuation(",")
        padding = parser.parse_unresolved_operand()
        mask = cls._parse_mask(parser)
        given = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        shaped = cls._parse_shaped(parser)
        parser.parse_punctuation(",")
        vector = cls._parse_vector(parser)
        found = cls._complete(parser, given, shaped, vector, mask, pos)
        op = cls.build(
            operands=[
                parser.resolve_operand(source, shaped),
                indices,
                parser.resolve_operand(padding, shaped.element_type),
                found.mask,
            ],
            result_types=[vector],
            properties={
                "in_bounds": found.in_bounds,
                "permutation_map": found.permutation_map,
            },
        )
        op.attributes |= found.rest
        return op

    def print(self, printer: Printer) -> None:
        """`%source[%i], %padding[, %mask] {attributes} : type, vector type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string("[")
        printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string("], ")
        printer.print_ssa_value(self.padding)
        if self.mask is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.mask)
        self._print_transfer(printer, self.source.type, self.result.type)


@irdl_op_definition
class TransferWriteOp(_TransferOp):
    """Write a vector; lanes outside of the target are not written."""

    name = "vector.transfer_write"

    vector = operand_def(VectorType)
    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    mask = opt_operand_def(VectorType.constr(i1))
    result = opt_result_def(TensorType)

    traits = traits_def(BufferWriteEffect())

    def __init__(
        self,
        vector: SSAValue,
        source: SSAValue,
        indices: Sequence[SSAValue],
        in_bounds: ArrayAttr[BoolAttr],
        mask: SSAValue | None = None,
        permutation_map: AffineMapAttr | None = None,
        result_type: Attribute | None = None,
    ):
        super().__init__(
            operands=[vector, source, indices, mask],
            properties={"in_bounds": in_bounds, "permutation_map": permutation_map},
            result_types=[result_type],
        )

    @property
    def mask_shape(self) -> tuple[int, ...]:
        """The shape of a mask for this transfer."""
        assert is_vector(self.vector.type)
        return mask_shape(self.permutation_map.data, self.vector.type.get_shape())

    def verify_(self) -> None:
        """The shared rules; there is a result if the target is a tensor."""
        if any(
            isinstance(expr, AffineConstantExpr)
            for expr in self.permutation_map.data.results
        ):
            raise VerifyException("should not have broadcast dimensions")
        verify_transfer(
            self.source.type,
            self.vector.type,
            len(self.indices),
            self.permutation_map.data,
            len(self.in_bounds),
            self.mask,
        )
        given_back = self.source.type if is_tensor(self.source.type) else None
        have = self.result.type if self.result is not None else None
        if have != given_back:
            raise VerifyException(
                f"expected a result of type '{given_back}'"
                if given_back is not None
                else "expected no result where the target is a buffer"
            )

    @classmethod
    def parse(cls, parser: Parser) -> TransferWriteOp:
        """`%vector, %target[%i][, %mask] {attributes} : vector type, type`."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        target = parser.parse_unresolved_operand()
        indices = cls._parse_indices(parser)
        mask = cls._parse_mask(parser)
        given = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        vector = cls._parse_vector(parser)
        parser.parse_punctuation(",")
        shaped = cls._parse_shaped(parser)
        found = cls._complete(parser, given, shaped, vector, mask, pos)
        op = cls.build(
            operands=[
                parser.resolve_operand(value, vector),
                parser.resolve_operand(target, shaped),
                indices,
                found.mask,
            ],
            result_types=[shaped if is_tensor(shaped) else None],
            properties={
                "in_bounds": found.in_bounds,
                "permutation_map": found.permutation_map,
            },
        )
        op.attributes |= found.rest
        return op

    def print(self, printer: Printer) -> None:
        """`%vector, %target[%i][, %mask] {attributes} : vector type, type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(", ")
        printer.print_ssa_value(self.source)
        printer.print_string("[")
        printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string("]")
        if self.mask is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.mask)
        self._print_transfer(printer, self.vector.type, self.source.type)
