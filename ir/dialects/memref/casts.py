"""The same memory under another type: casts, transpose, view."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    NoneAttr,
    i8,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList, split_dynamic_index_list
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
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

from tilewright.ir.dialects.memref.layouts import (
    Layout,
    contents_of,
    layout_of,
    may_be,
    sizes_of,
    strided,
)
from tilewright.ir.dialects.memref.queries import ANY_BUFFER
from tilewright.ir.dialects.memref.subview import verified
from tilewright.ir.types import buffer_type, is_buffer


@irdl_op_definition
class CastOp(IRDLOperation):
    """The same buffer under a type with more or fewer static sizes and strides."""

    name = "memref.cast"

    source = operand_def(ANY_BUFFER)
    dest = result_def(ANY_BUFFER)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        """No size, stride or offset is static in both types and different."""
        if not can_cast(self.source.type, self.dest.type):
            raise VerifyException(
                f"operand type '{self.source.type}' and result type '{self.dest.type}' "
                "are cast incompatible"
            )


def can_cast(source: Attribute, dest: Attribute) -> bool:
    """Whether `memref.cast` makes a buffer of one type one of the other."""
    if contents_of(source) != contents_of(dest):
        return False
    if not is_buffer(source) or not is_buffer(dest):
        return is_buffer(source) or is_buffer(dest)
    if source.get_num_dims() != dest.get_num_dims():
        return False
    if not all(map(may_be, sizes_of(source), sizes_of(dest))):
        return False
    if source.layout == dest.layout:
        return True
    one, other = layout_of(source), layout_of(dest)
    if one is None or other is None or not may_be(one.offset, other.offset):
        return False
    return all(
        size == 1 or may_be(have, want)
        for size, have, want in zip(
            sizes_of(source), one.strides, other.strides, strict=True
        )
    )


@irdl_op_definition
class MemorySpaceCastOp(IRDLOperation):
    """The same buffer in another memory space."""

    name = "memref.memory_space_cast"

    source = operand_def(ANY_BUFFER)
    dest = result_def(ANY_BUFFER)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify_(self) -> None:
        """Nothing but the memory space differs."""
        source, dest = self.source.type, self.dest.type
        moved = (
            MemRefType(
                source.element_type,
                source.get_shape(),
                source.layout,
                dest.memory_space if is_buffer(dest) else source.memory_space,
            )
            if is_buffer(source)
            else source
        )
        if is_buffer(source) != is_buffer(dest) or (is_buffer(dest) and moved != dest):
            raise VerifyException(
                f"operand type '{source}' and result type '{dest}' are cast "
                "incompatible"
            )


@irdl_op_definition
class ReinterpretCastOp(IRDLOperation):
    """A buffer's memory with another offset, other sizes and other strides."""

    name = "memref.reinterpret_cast"

    source = operand_def(ANY_BUFFER)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$source `to` `offset` `` `:` "
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "`` `,` `sizes` `` `:` "
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "`` `,` `strides` `` `:` "
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )
    custom_directives = (DynamicIndexList,)

    def __init__(
        self,
        source: SSAValue,
        offset: SSAValue | int,
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
        result_type: Attribute,
    ):
        lists = [
            split_dynamic_index_list(part, DYNAMIC_INDEX)
            for part in ([offset], sizes, strides)
        ]
        names = ("static_offsets", "static_sizes", "static_strides")
        super().__init__(
            operands=[source, *(dynamic for _, dynamic in lists)],
            properties={
                name: DenseArrayBase.from_list(i64, static)
                for name, (static, _) in zip(names, lists, strict=True)
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Each number of the result's type is that of the lists, or dynamic."""
        source, result = self.source.type, buffer_type(self.result)
        element, space = contents_of(source)
        rank = len(self.static_sizes)
        (offset,) = verified(self.static_offsets, self.offsets, "offset", 1)
        sizes = verified(self.static_sizes, self.sizes, "size", rank)
        strides = verified(self.static_strides, self.strides, "stride", rank)
        if element != result.element_type:
            raise VerifyException(
                f"different element types specified for source type '{source}' and "
                f"result memref type '{result}'"
            )
        if space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for source type '{source}' and "
                f"result memref type '{result}'"
            )
        if rank != result.get_num_dims():
            raise VerifyException(
                f"expected {result.get_num_dims()} size values, got {rank}"
            )
        layout = layout_of(result)
        if layout is None:
            raise VerifyException(f"expected result type '{result}' to be strided")
        for dim, (have, size) in enumerate(zip(sizes_of(result), sizes, strict=True)):
            if have != size:
                raise VerifyException(
                    f"expected result type with size = {_shown(size)} instead of "
                    f"{_shown(have)} in dim = {dim}"
                )
        if layout.offset not in (None, offset):
            raise VerifyException(
                f"expected result type with offset = {_shown(offset)} instead of "
                f"{layout.offset}"
            )
        for dim, (have, stride) in enumerate(zip(layout.strides, strides, strict=True)):
            if have not in (None, stride):
                raise VerifyException(
                    f"expected result type with stride = {_shown(stride)} instead of "
                    f"{have} in dim = {dim}"
                )


def _shown(extent: int | None) -> str:
    return "dynamic" if extent is None else str(extent)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """A view with permuted dimensions; no element is moved."""

    name = "memref.transpose"

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    @property
    def order(self) -> tuple[int, ...]:
        """Result dimension i is source dimension `order[i]`."""
        results = self.permutation.data.results
        return tuple(e.position for e in results if isinstance(e, AffineDimExpr))

    def verify_(self) -> None:
        """The map is a permutation, and the result has the permuted layout."""
        source, result = buffer_type(self.source), buffer_type(self.result)
        rank = source.get_num_dims()
        if self.permutation.data.num_dims != rank:
            raise VerifyException(
                "expected a permutation map of same rank as the input"
            )
        if sorted(self.order) != list(range(rank)):
            raise VerifyException("expected a permutation map")
        layout = layout_of(source)
        if layout is None:
            raise VerifyException(f"source type '{source}' is not strided")
        sizes = [sizes_of(source)[dim] for dim in self.order]
        moved = Layout(tuple(layout.strides[dim] for dim in self.order), layout.offset)
        expected = strided(source, sizes, moved)
        same = (
            result.element_type == source.element_type
            and result.memory_space == source.memory_space
            and result.get_shape() == expected.get_shape()
            and layout_of(result) == moved
        )
        if not same:
            raise VerifyException(
                f"result type '{result}' is not equivalent to the canonical transposed "
                f"input type '{expected}'"
            )

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """`%m (i, j) -> (j, i) : type to type`."""
        name = parser.parse_unresolved_operand()
        map = parser.parse_affine_map()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        result = parser.parse_type()
        op = cls.build(
            operands=[parser.resolve_operand(name, source)],
            result_types=[result],
            properties={"permutation": AffineMapAttr(map)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%m (d0, d1) -> (d1, d0) : type to type`."""
        map: AffineMap = self.permutation.data
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f" {map}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """A buffer of bytes seen as elements of another type, from a byte offset on."""

    name = "memref.view"

    source = operand_def(MemRefType.constr(i8))
    byte_shift = operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict "
        "`:` type($source) `to` type($result)"
    )

    def verify_(self) -> None:
        """The source is contiguous bytes, the result has a row-major layout."""
        source, result = buffer_type(self.source), buffer_type(self.result)
        if source.get_num_dims() != 1 or not isinstance(source.layout, NoneAttr):
            raise VerifyException("expected a source of bytes in a row")
        if not isinstance(result.layout, NoneAttr):
            raise VerifyException(f"unsupported map for result memref type '{result}'")
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for base memref type '{source}' and"
                f" view memref type '{result}'"
            )
        expected = result.get_shape().count(DYNAMIC_INDEX)
        if len(self.sizes) != expected:
            raise VerifyException(
                f"incorrect number of dynamic sizes, has {len(self.sizes)}, expected "
                f"{expected}"
            )
