"""Indexed and packed accesses: gather, scatter, expandload, compressstore.

The indices are added to the innermost of the offsets: lane i of a gather from a
two-dimensional base is `base[a, b + indices[i]]`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl import (
    base as of_base,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.effects import BufferReadEffect, BufferWriteEffect
from tilewright.ir.dialects.vector.loads import verify_alignment
from tilewright.ir.types import element_type, is_buffer, is_tensor, vector_type

_INDICES = VectorType.constr(of_base(IntegerType) | of_base(IndexType))


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Read each enabled lane from the address of its own index."""

    name = "vector.gather"

    base = operand_def(TensorType | MemRefType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(_INDICES)
    mask = operand_def(VectorType.constr(i1))
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(BufferReadEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) "
        "`into` type($result)"
    )

    def verify_(self) -> None:
        """Indices, mask, pass-through value and result of one shape."""
        _verify_base(self.base, len(self.offsets), self.result, "result")
        _verify_shape(self.indices, self.result, "expected result dim to match indices")
        _verify_shape(self.mask, self.result, "expected result dim to match mask")
        if self.pass_thru.type != self.result.type:
            raise VerifyException("expected pass_thru of same type as result type")
        verify_alignment(self.alignment)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Write each enabled lane to the address of its own index; later lanes win."""

    name = "vector.scatter"

    base = operand_def(TensorType | MemRefType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(_INDICES)
    mask = operand_def(VectorType.constr(i1))
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = opt_result_def(TensorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(BufferWriteEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store "
        "attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` "
        "type($value_to_store) (`->` type($result)^)?"
    )

    def verify_(self) -> None:
        """Indices, mask and value of one shape; a tensor is given back."""
        value = self.value_to_store
        _verify_base(self.base, len(self.offsets), value, "valueToStore")
        _verify_shape(self.indices, value, "expected valueToStore dim to match indices")
        _verify_shape(self.mask, value, "expected valueToStore dim to match mask")
        given_back = self.base.type if is_tensor(self.base.type) else None
        if (self.result.type if self.result is not None else None) != given_back:
            raise VerifyException("expected the base's tensor as result, and no other")
        verify_alignment(self.alignment)


@irdl_op_definition
class ExpandLoadOp(IRDLOperation):
    """Read consecutive elements into the enabled lanes."""

    name = "vector.expandload"

    T: ClassVar = VarConstraint("T", of_base(VectorType))

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VectorType.constr(i1))
    pass_thru = operand_def(T)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        """Mask and result of one shape."""
        _verify_base(self.base, len(self.indices), self.result, "result")
        _verify_shape(self.mask, self.result, "expected result dim to match mask")
        verify_alignment(self.alignment)


@irdl_op_definition
class CompressStoreOp(IRDLOperation):
    """Write the enabled lanes to consecutive elements."""

    name = "vector.compressstore"

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

    def verify_(self) -> None:
        """Mask and value of one shape."""
        value = self.value_to_store
        _verify_base(self.base, len(self.indices), value, "valueToStore")
        _verify_shape(self.mask, value, "expected valueToStore dim to match mask")
        verify_alignment(self.alignment)


def _verify_base(base: SSAValue, indices: int, vector: SSAValue, what: str) -> None:
    source = base.type
    assert is_tensor(source) or is_buffer(source)
    if source.element_type != element_type(vector.type):
        raise VerifyException(f"base and {what} element types should match")
    if indices != source.get_num_dims():
        raise VerifyException(f"requires {source.get_num_dims()} indices")


def _verify_shape(one: SSAValue, other: SSAValue, what: str) -> None:
    if vector_type(one).get_shape() != vector_type(other).get_shape():
        raise VerifyException(f"{what} dim")
