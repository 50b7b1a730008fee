"""Slices of tensors: extract_slice, insert_slice, parallel_insert_slice.

As upstream, the verifiers check static facts: ranks, sizes and bounds. The interpreter
checks dynamic bounds when it takes a slice.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import HasParent, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf import ForallOp, InParallelOp, mixed, split
from tilewright.ir.types import is_tensor

Slice = tuple[list[SSAValue | int], list[SSAValue | int], list[SSAValue | int]]
"""Offsets, sizes and strides of a slice, each an integer or a value."""


class SliceOperation(IRDLOperation, abc.ABC):
    """An op with offsets, sizes and strides; each entry is static or a value."""

    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)


def verify_slice(op: SliceOp, whole: Attribute, part: Attribute) -> None:
    """Check that `part` is the type of the slice, perhaps without unit dimensions."""
    assert is_tensor(whole) and is_tensor(part)
    shape = whole.get_shape()
    for static, dynamic, words in (
        (op.static_offsets, op.offsets, " in the offset arguments"),
        (op.static_sizes, op.sizes, " in the size arguments"),
        (op.static_strides, op.strides, " in the stride arguments"),
    ):
        verify_dynamic_index_list(static.get_values(), dynamic, DYNAMIC_INDEX, words)
        if len(static) != len(shape):
            raise VerifyException(
                f"expected {len(shape)} offsets, sizes and strides each"
            )
    sizes = op.static_sizes.get_values()
    offsets, strides = op.static_offsets.get_values(), op.static_strides.get_values()
    verify_in_bounds(shape, offsets, sizes, strides)
    if part.element_type != whole.element_type:
        raise VerifyException(f"expected elements of type '{whole.element_type}'")
    if dropped_dims(sizes, part.get_shape()) is None:
        expected = TensorType(whole.element_type, sizes, whole.encoding)
        raise VerifyException(
            f"expected '{expected}', or that without unit dimensions, got '{part}'"
        )


def verify_in_bounds(
    shape: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> None:
    """Check that the slice is within the shape, as far as sizes are static."""
    slices = zip(shape, offsets, sizes, strides, strict=True)
    for dim, (extent, offset, size, stride) in enumerate(slices):
        if size != DYNAMIC_INDEX and size < 0:
            raise VerifyException(f"size {size} of dimension {dim} is negative")
        if offset == DYNAMIC_INDEX:
            continue
        if offset < 0:
            raise VerifyException(f"offset {offset} of dimension {dim} is negative")
        if extent == DYNAMIC_INDEX:
            continue
        if offset >= extent:
            raise VerifyException(
                f"offset {offset} is out of bounds: dimension {dim} has {extent} "
                "elements"
            )
        if DYNAMIC_INDEX in (size, stride):
            continue
        last = offset + (size - 1) * stride
        if last >= extent:
            raise VerifyException(
                f"the slice runs out of bounds: it takes element {last} of dimension "
                f"{dim}, which has {extent} elements"
            )


def dropped_dims(sizes: Sequence[int], kept: Sequence[int]) -> tuple[int, ...] | None:
    """Which unit dimensions a type of shape `kept` leaves out of a slice.

    Like upstream, it matches sizes from the front and keeps those that are equal.
    None if the shape is not that of the slice.
    """
    dropped: list[int] = []
    position = 0
    for dim, size in enumerate(sizes):
        if position < len(kept) and kept[position] == size:
            position += 1
        elif size == 1:
            dropped.append(dim)
        else:
            return None
    return tuple(dropped) if position == len(kept) else None


@irdl_op_definition
class ExtractSliceOp(SliceOperation):
    """A part of a tensor, perhaps without its unit dimensions."""

    name = "tensor.extract_slice"

    source = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
        result_type: Attribute | None = None,
    ):
        static, dynamic = _split(offsets, sizes, strides)
        if result_type is None:
            assert is_tensor(source.type)
            shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
            result_type = TensorType(source.type.element_type, shape)
        super().__init__(
            operands=[source, *dynamic], result_types=[result_type], properties=static
        )

    def verify_(self) -> None:
        """The result is the part of the source that the slice names."""
        verify_slice(self, self.source.type, self.result.type)


@irdl_op_definition
class InsertSliceOp(SliceOperation):
    """A copy of a tensor with a part of it replaced."""

    name = "tensor.insert_slice"

    DEST: ClassVar = VarConstraint("DEST", base(TensorType))

    source = operand_def(TensorType)
    dest = operand_def(DEST)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    result = result_def(DEST)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
    ):
        static, dynamic = _split(offsets, sizes, strides)
        super().__init__(
            operands=[source, dest, *dynamic],
            result_types=[dest.type],
            properties=static,
        )

    def verify_(self) -> None:
        """The source is the part of the destination that the slice names."""
        verify_slice(self, self.dest.type, self.source.type)


@irdl_op_definition
class ParallelInsertSliceOp(SliceOperation):
    """Write one iteration's tile into a shared output of the enclosing forall."""

    name = "tensor.parallel_insert_slice"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)

    # It declares no effects, not even "none": DCE would erase an op without results.
    traits = traits_def(HasParent(InParallelOp))

    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
    ):
        static, dynamic = _split(offsets, sizes, strides)
        super().__init__(operands=[source, dest, *dynamic], properties=static)

    def verify_(self) -> None:
        """The source is the part of a shared output that the slice names."""
        verify_slice(self, self.dest.type, self.source.type)
        parallel = self.parent_op()
        forall = parallel.parent_op() if parallel is not None else None
        if isinstance(forall, ForallOp) and self.dest not in forall.shared_outs:
            raise VerifyException("may only insert into a shared output of its forall")


SliceOp = ExtractSliceOp | InsertSliceOp | ParallelInsertSliceOp


def slice_of(op: SliceOp) -> Slice:
    """Offsets, sizes and strides of a slice op."""
    # This function is hot. The values follow the sliced operand in this order, so it
    # counts them off instead of reading the sizes of the segments.
    values = iter(op.operands[1 if isinstance(op, ExtractSliceOp) else 2 :])
    return (
        mixed(op.static_offsets, values),
        mixed(op.static_sizes, values),
        mixed(op.static_strides, values),
    )


def _split(
    *lists: Sequence[SSAValue | int],
) -> tuple[dict[str, Attribute], list[Sequence[SSAValue]]]:
    """The properties and operands that encode offsets, sizes and strides."""
    names = ("static_offsets", "static_sizes", "static_strides")
    static: dict[str, Attribute] = {}
    operands: list[Sequence[SSAValue]] = []
    for name, entries in zip(names, lists, strict=True):
        static[name], dynamic = split(entries)
        operands.append(dynamic)
    return static, operands
