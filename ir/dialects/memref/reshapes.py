"""expand_shape, collapse_shape and reshape: other dimensions of the same memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList, verify_dynamic_index_list
from xdsl.dialects.utils.reshape_ops_utils import ContiguousArrayOfIntArray
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.layouts import (
    Extent,
    Layout,
    contents_of,
    layout_of,
    may_be,
    sizes_of,
    strided,
    times,
)
from tilewright.ir.dialects.memref.queries import ANY_BUFFER
from tilewright.ir.types import buffer_type, is_buffer


@irdl_op_definition
class ExpandShapeOp(IRDLOperation):
    """Split dimensions."""

    name = "memref.expand_shape"

    src = operand_def(MemRefType)
    output_shape = var_operand_def(IndexType)
    reassociation = prop_def(ContiguousArrayOfIntArray())
    static_output_shape = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    assembly_format = (
        "$src $reassociation `output_shape` "
        "custom<DynamicIndexList>($output_shape, $static_output_shape) attr-dict `:` "
        "type($src) `into` type($result)"
    )
    custom_directives = (DynamicIndexList,)

    def verify_(self) -> None:
        """Groups that multiply to the source's sizes, in the layout that they give."""
        source, result = buffer_type(self.src), buffer_type(self.result)
        groups = groups_of(self.reassociation)
        _verify_groups(source, result, groups)
        shape = [int(size) for size in self.static_output_shape.get_values()]
        verify_dynamic_index_list(shape, self.output_shape, DYNAMIC_INDEX)
        if tuple(shape) != result.get_shape():
            raise VerifyException(
                "expected number of static shape bounds to be equal to the output's: "
                f"{shape} is not the shape of '{result}'"
            )
        expected = expanded_type(source, result, groups)
        if result != expected:
            raise VerifyException(
                f"expected expanded type to be '{expected}' but found '{result}'"
            )


@irdl_op_definition
class CollapseShapeOp(IRDLOperation):
    """Merge dimensions that are contiguous in memory."""

    name = "memref.collapse_shape"

    src = operand_def(MemRefType)
    reassociation = prop_def(ContiguousArrayOfIntArray())
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    assembly_format = (
        "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    )

    def verify_(self) -> None:
        """Groups that multiply to the result's sizes, in the layout that they give."""
        source, result = buffer_type(self.src), buffer_type(self.result)
        groups = groups_of(self.reassociation)
        _verify_groups(result, source, groups)
        expected = collapsed_type(source, result, groups)
        if result != expected:
            raise VerifyException(
                f"expected collapsed type to be '{expected}' but found '{result}'"
            )


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same contiguous memory in a shape that a buffer of sizes holds."""

    name = "memref.reshape"

    source = operand_def(ANY_BUFFER)
    shape = operand_def(MemRefType)
    result = result_def(ANY_BUFFER)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """The same elements in a row, and a size for each dimension."""
        source, result = self.source.type, self.result.type
        sizes = buffer_type(self.shape)
        if contents_of(source) != contents_of(result):
            raise VerifyException(
                "element types of source and destination memref types should be the "
                "same"
            )
        for kind in (source, result):
            if is_buffer(kind) and not isinstance(kind.layout, NoneAttr):
                raise VerifyException(
                    f"memref type '{kind}' should have identity affine map"
                )
        if sizes.get_num_dims() != 1:
            raise VerifyException("expected a shape of one dimension")
        (count,) = sizes.get_shape()
        if is_buffer(result) and count not in (DYNAMIC_INDEX, result.get_num_dims()):
            raise VerifyException(
                "length of shape operand differs from the result's memref rank"
            )


def groups_of(reassociation: ArrayAttr[ArrayAttr[IntegerAttr]]) -> list[list[int]]:
    """The groups of dimensions, each a list."""
    return [[int(entry.value.data) for entry in group] for group in reassociation]


def _verify_groups(
    collapsed: MemRefType[Attribute],
    expanded: MemRefType[Attribute],
    groups: Sequence[Sequence[int]],
) -> None:
    if len(groups) != collapsed.get_num_dims():
        raise VerifyException(
            f"invalid number of reassociation groups: found {len(groups)}, expected "
            f"{collapsed.get_num_dims()}"
        )
    # A buffer without dimensions has no groups; the other's dimensions all have size 1.
    flat = [dim for group in groups for dim in group]
    if groups and flat != list(range(expanded.get_num_dims())):
        raise VerifyException(
            f"expanded rank ({expanded.get_num_dims()}) inconsistent with the "
            f"reassociation indices {flat}"
        )
    sizes = sizes_of(expanded)
    if not groups and any(size != 1 for size in sizes):
        raise VerifyException("invalid to reshape tensor/memref with non-unit extent")
    for dim, (group, whole) in enumerate(zip(groups, sizes_of(collapsed), strict=True)):
        product: Extent = 1
        for inner in group:
            product = times(product, sizes[inner])
        if (product is None) != (whole is None):
            raise VerifyException(
                f"collapsed dim ({dim}) must be dynamic if and only if reassociation "
                "group is dynamic"
            )
        if product != whole:
            raise VerifyException(
                f"collapsed dim size ({whole}) must equal reassociation group size "
                f"({product})"
            )


def expanded_type(
    source: MemRefType[Attribute],
    result: MemRefType[Attribute],
    groups: Sequence[Sequence[int]],
) -> MemRefType[Attribute]:
    """The type of an expansion: a group is row-major and keeps the old last stride."""
    if isinstance(source.layout, NoneAttr):
        return MemRefType(
            source.element_type, result.get_shape(), memory_space=source.memory_space
        )
    layout = _layout(source)
    sizes = sizes_of(result)
    strides: list[Extent] = [1] * len(sizes)
    for group, stride in zip(groups, layout.strides, strict=True):
        for dim in reversed(group):
            strides[dim] = stride
            stride = times(stride, sizes[dim])
    return strided(source, sizes, Layout(tuple(strides), layout.offset))


def collapsed_type(
    source: MemRefType[Attribute],
    result: MemRefType[Attribute],
    groups: Sequence[Sequence[int]],
) -> MemRefType[Attribute]:
    """The type of a collapse: a group's stride is that of its innermost dimension."""
    if isinstance(source.layout, NoneAttr):
        return MemRefType(
            source.element_type, result.get_shape(), memory_space=source.memory_space
        )
    layout = _layout(source)
    sizes = sizes_of(source)
    strides: list[Extent] = []
    for group in groups:
        stride = _merged_stride(group, sizes, layout.strides)
        strides.append(stride)
        for outer, inner in zip(reversed(group[:-1]), reversed(group[1:]), strict=True):
            stride = times(stride, sizes[inner])
            # The stride of a unit dimension is never used.
            if sizes[outer] != 1 and not may_be(stride, layout.strides[outer]):
                raise VerifyException(
                    "invalid source layout map or collapsing non-contiguous dims"
                )
    return strided(source, sizes_of(result), Layout(tuple(strides), layout.offset))


def _merged_stride(
    group: Sequence[int], sizes: Sequence[Extent], strides: Sequence[Extent]
) -> Extent:
    inner = list(group)
    while len(inner) > 1 and sizes[inner[-1]] == 1:
        inner.pop()
    # A dynamic size may be 1 at run time; then its stride is never used.
    if sizes[inner[-1]] is None and len(inner) > 1:
        return None
    return strides[inner[-1]]


def _layout(source: MemRefType[Attribute]) -> Layout:
    layout = layout_of(source)
    if layout is None:
        raise VerifyException(f"source type '{source}' is not strided")
    return layout
