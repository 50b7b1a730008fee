"""`vector.extract_strided_slice` and `insert_strided_slice`: boxes of a vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import vector_type


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """A box of a vector; dimensions that are not named are kept whole."""

    name = "vector.extract_strided_slice"

    source = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    sizes = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    @property
    def window(self) -> tuple[slice, ...]:
        """The box, for the dimensions that are named."""
        starts, sizes = integers(self.offsets), integers(self.sizes)
        return tuple(slice(a, a + n) for a, n in zip(starts, sizes, strict=True))

    def verify_(self) -> None:
        """A box inside the vector, by steps of one."""
        source = vector_type(self.source)
        offsets, sizes = integers(self.offsets), integers(self.sizes)
        if not len(offsets) == len(sizes) == len(self.strides):
            raise VerifyException(
                "expected offsets, sizes and strides attributes of same size"
            )
        _verify_box(source, offsets, sizes, "sizes")
        _verify_steps(integers(self.strides))
        shape = [*sizes, *source.get_shape()[len(sizes) :]]
        expected = VectorType(source.element_type, shape)
        if self.result.type != expected:
            raise VerifyException(f"expected result type to be '{expected}'")


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """A copy of a vector with a box of its trailing dimensions replaced."""

    name = "vector.insert_strided_slice"

    T: ClassVar = VarConstraint("T", base(VectorType[Attribute]))

    source = operand_def(VectorType)
    dest = operand_def(T)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    result = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"

    @property
    def window(self) -> tuple[slice, ...]:
        """The box, one slice for each dimension of the destination."""
        starts, sizes = integers(self.offsets), _box_sizes(self)
        return tuple(slice(a, a + n) for a, n in zip(starts, sizes, strict=True))

    def verify_(self) -> None:
        """The source fits into the destination at the offsets, by steps of one."""
        source, dest = vector_type(self.source), vector_type(self.dest)
        offsets = integers(self.offsets)
        if source.element_type != dest.element_type:
            raise VerifyException("expected source and dest of the same element type")
        if len(offsets) != dest.get_num_dims():
            raise VerifyException(
                "expected offsets of same size as destination vector rank"
            )
        if len(self.strides) != source.get_num_dims():
            raise VerifyException("expected strides of same size as source vector rank")
        if source.get_num_dims() > dest.get_num_dims():
            raise VerifyException(
                "expected source rank to be no greater than destination rank"
            )
        _verify_steps(integers(self.strides))
        _verify_box(dest, offsets, _box_sizes(self), "source vector shape")


def _box_sizes(op: InsertStridedSliceOp) -> list[int]:
    """The source's sizes, with leading ones up to the destination's rank."""
    shape = vector_type(op.source).get_shape()
    missing = vector_type(op.dest).get_num_dims() - len(shape)
    return [*[1] * missing, *shape]


def integers(array: ArrayAttr[IntegerAttr[I64]]) -> list[int]:
    """The integers of an array attribute."""
    return [entry.value.data for entry in array]


def _verify_steps(strides: Sequence[int]) -> None:
    if any(stride != 1 for stride in strides):
        raise VerifyException("expected strides to be confined to [1, 2)")


def _verify_box(
    of: VectorType[Attribute], offsets: Sequence[int], sizes: Sequence[int], what: str
) -> None:
    shape = of.get_shape()
    if len(offsets) > len(shape):
        raise VerifyException(
            "expected offsets attribute of rank no greater than vector rank"
        )
    for dim, (start, size) in enumerate(zip(offsets, sizes, strict=True)):
        extent = shape[dim]
        if not 0 <= start < extent:
            raise VerifyException(
                f"expected offsets dimension {dim} to be confined to [0, {extent})"
            )
        if size < 1:
            raise VerifyException(
                f"expected {what} dimension {dim} to be confined to [1, {extent + 1})"
            )
        if start + size > extent:
            raise VerifyException(
                f"expected sum(offsets, {what}) dimension {dim} to be confined to "
                f"[1, {extent + 1})"
            )
