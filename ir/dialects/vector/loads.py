"""Contiguous accesses of buffers: load, store, maskedload, maskedstore, type_cast."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import (
    buffer_type,
    element_type,
    lanes,
    vector_type,
    vector_with,
)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """A vector from the innermost dimensions of a buffer."""

    name = "vector.load"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"
    )

    def __init__(
        self,
        base: SSAValue,
        indices: Sequence[SSAValue],
        result_type: VectorType[Attribute],
    ):
        super().__init__(operands=[base, indices], result_types=[result_type])

    def verify_(self) -> None:
        """An index for each dimension, a contiguous row, equal elements."""
        verify_access(self.base, self.indices, self.result, "result")
        verify_unit_stride(buffer_type(self.base))
        verify_alignment(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """A vector into the innermost dimensions of a buffer."""

    name = "vector.store"

    vector = operand_def(VectorType)
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)"
    )

    def __init__(self, vector: SSAValue, base: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[vector, base, indices])

    def verify_(self) -> None:
        """An index for each dimension, a contiguous row, equal elements."""
        verify_access(self.base, self.indices, self.vector, "valueToStore")
        verify_unit_stride(buffer_type(self.base))
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedLoadOp(IRDLOperation):
    """Load the enabled lanes; the others come from the pass-through value."""

    name = "vector.maskedload"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VectorType.constr(i1))
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def __init__(
        self,
        base: SSAValue,
        indices: Sequence[SSAValue],
        mask: SSAValue,
        pass_thru: SSAValue,
    ):
        super().__init__(
            operands=[base, indices, mask, pass_thru], result_types=[pass_thru.type]
        )

    def verify_(self) -> None:
        """Mask, pass-through value and result of one shape."""
        verify_access(self.base, self.indices, self.result, "result")
        verify_lanes(self.mask, self.result, "result shape to match mask shape")
        if self.pass_thru.type != self.result.type:
            raise VerifyException("expected pass_thru of same type as result type")
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedStoreOp(IRDLOperation):
    """Store the enabled lanes."""

    name = "vector.maskedstore"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VectorType.constr(i1))
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` "
        "type($base) `,` type($mask) `,` type($value_to_store)"
    )

    def __init__(
        self,
        base: SSAValue,
        indices: Sequence[SSAValue],
        mask: SSAValue,
        value_to_store: SSAValue,
    ):
        super().__init__(operands=[base, indices, mask, value_to_store])

    def verify_(self) -> None:
        """Mask and value of one shape."""
        verify_access(self.base, self.indices, self.value_to_store, "valueToStore")
        verify_lanes(
            self.mask, self.value_to_store, "valueToStore shape to match mask shape"
        )
        verify_alignment(self.alignment)


def verify_access(
    base: SSAValue, indices: Sequence[SSAValue], vector: SSAValue, what: str
) -> None:
    """Check that each dimension has an index, and the vector the buffer's elements."""
    source, value = buffer_type(base), vector_type(vector)
    rank = source.get_num_dims()
    if len(indices) != rank:
        raise VerifyException(f"requires {rank} indices")
    # A buffer of vectors is loaded from one element at a time.
    if source.element_type == value:
        return
    if source.element_type != value.element_type:
        raise VerifyException(f"base and {what} element types should match")
    if value.get_num_dims() > rank:
        raise VerifyException(f"base memref has lower rank than the {what} vector")


def verify_lanes(mask: SSAValue, vector: SSAValue, what: str) -> None:
    """Check that the mask has the vector's shape."""
    if vector_type(mask).get_shape() != vector_type(vector).get_shape():
        raise VerifyException(f"expected {what}")


def verify_unit_stride(of: MemRefType[Attribute]) -> None:
    """Check that the innermost dimension is contiguous."""
    strides = of.get_strides()
    if strides is None or strides and strides[-1] != 1:
        raise VerifyException("most minor memref dim must have unit stride")


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """A buffer with its last sizes, or all, as the lanes of vectors, and back."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"

    def __init__(self, memref: SSAValue, rank: int = 0):
        of = buffer_type(memref)
        sizes = _all_sizes(of)
        vector = vector_with(element_type(of.element_type), sizes[rank:])
        kind = MemRefType(vector, sizes[:rank], NoneAttr(), of.memory_space)
        super().__init__(operands=[memref], result_types=[kind])

    def verify_(self) -> None:
        """Both are contiguous, with the same sizes in the same memory."""
        source, result = buffer_type(self.memref), buffer_type(self.result)
        if DYNAMIC_INDEX in source.get_shape():
            raise VerifyException(f"operand must be statically shaped, got '{source}'")
        for kind, what in ((source, "operand"), (result, "result")):
            if not isinstance(kind.layout, NoneAttr):
                raise VerifyException(
                    f"expects {what} to be a memref with identity layout"
                )
        if source.memory_space != result.memory_space:
            raise VerifyException("expects result in same memory space")
        if element_type(source.element_type) != element_type(result.element_type):
            raise VerifyException(
                "expects result and operand with same underlying scalar type: "
                f"'{result}'"
            )
        if _all_sizes(source) != _all_sizes(result):
            raise VerifyException(
                "expects concatenated result and operand shapes to be equal: "
                f"'{result}'"
            )


def _all_sizes(of: MemRefType[Attribute]) -> tuple[int, ...]:
    return (*of.get_shape(), *(lanes(of.element_type) or ()))


def verify_alignment(alignment: IntegerAttr[I64] | None) -> None:
    """Check that an alignment is a power of two."""
    if alignment is None:
        return
    value = alignment.value.data
    if value <= 0 or value & (value - 1):
        raise VerifyException(f"alignment {value} is not a power of two")
