"""`tensor.parallel_insert_slice`, and effects that xDSL's tensor ops lack."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import HasParent, Pure

from tilewright.ir.dialects.scf import InParallelOp, mixed

Slice = tuple[list[SSAValue | int], list[SSAValue | int], list[SSAValue | int]]
"""Offsets, sizes and strides of a slice, each an integer or a value."""


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """Write one iteration's tile into a shared output of the enclosing forall."""

    name = "tensor.parallel_insert_slice"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(HasParent(InParallelOp))

    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )
    custom_directives = (DynamicIndexList,)

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
    ):
        static_offsets, dynamic_offsets = split_dynamic_index_list(
            offsets, DYNAMIC_INDEX
        )
        static_sizes, dynamic_sizes = split_dynamic_index_list(sizes, DYNAMIC_INDEX)
        static_strides, dynamic_strides = split_dynamic_index_list(
            strides, DYNAMIC_INDEX
        )
        super().__init__(
            operands=[source, dest, dynamic_offsets, dynamic_sizes, dynamic_strides],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, static_offsets),
                "static_sizes": DenseArrayBase.from_list(i64, static_sizes),
                "static_strides": DenseArrayBase.from_list(i64, static_strides),
            },
        )

    def verify_(self) -> None:
        """As many values as dynamic markers."""
        for static, dynamic, what in (
            (self.static_offsets, self.offsets, " in the offset arguments"),
            (self.static_sizes, self.sizes, " in the size arguments"),
            (self.static_strides, self.strides, " in the stride arguments"),
        ):
            verify_dynamic_index_list(static.get_values(), dynamic, DYNAMIC_INDEX, what)


SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp | ParallelInsertSliceOp


def slice_of(op: SliceOp) -> Slice:
    """Offsets, sizes and strides of a slice op."""
    return (
        mixed(op.static_offsets, op.offsets),
        mixed(op.static_sizes, op.sizes),
        mixed(op.static_strides, op.strides),
    )


def insert_slice(
    source: SSAValue,
    dest: SSAValue,
    offsets: Sequence[SSAValue | int],
    sizes: Sequence[SSAValue | int],
    strides: Sequence[SSAValue | int],
) -> tensor.InsertSliceOp:
    """Build a `tensor.insert_slice` from mixed lists, which xDSL's builder cannot."""
    static_offsets, dynamic_offsets = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    static_sizes, dynamic_sizes = split_dynamic_index_list(sizes, DYNAMIC_INDEX)
    static_strides, dynamic_strides = split_dynamic_index_list(strides, DYNAMIC_INDEX)
    return tensor.InsertSliceOp.build(
        operands=[source, dest, dynamic_offsets, dynamic_sizes, dynamic_strides],
        result_types=[dest.type],
        properties={
            "static_offsets": DenseArrayBase.from_list(i64, static_offsets),
            "static_sizes": DenseArrayBase.from_list(i64, static_sizes),
            "static_strides": DenseArrayBase.from_list(i64, static_strides),
        },
    )


for _op in (tensor.EmptyOp, tensor.DimOp, tensor.ExtractOp, tensor.InsertOp):
    if not _op.has_trait(Pure):
        _op.traits.add_trait(Pure())

Tensor = Dialect(
    "tensor",
    [*tensor.Tensor.operations, ParallelInsertSliceOp],
    [*tensor.Tensor.attributes],
)
