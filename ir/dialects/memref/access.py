"""Elements of buffers: load, store, copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.allocation import verify_power_of_two
from tilewright.ir.dialects.memref.layouts import contents_of, may_be, sizes_of
from tilewright.ir.types import buffer_type, is_buffer


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Read one element."""

    name = "memref.load"

    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])
    res = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect())

    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[memref, indices], result_types=[buffer_type(memref).element_type]
        )

    def verify_(self) -> None:
        """An index for each dimension."""
        verify_indices(self.memref, self.indices)
        verify_power_of_two(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write one element."""

    name = "memref.store"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, value: SSAValue, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[value, memref, indices])

    def verify_(self) -> None:
        """An index for each dimension."""
        verify_indices(self.memref, self.indices)
        verify_power_of_two(self.alignment)


def verify_indices(memref: SSAValue, indices: Sequence[SSAValue]) -> None:
    """Refuse a number of indices that is not the rank."""
    rank = buffer_type(memref).get_num_dims()
    if len(indices) != rank:
        raise VerifyException(
            f"incorrect number of indices, expected {rank} but got {len(indices)}"
        )


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy one buffer into another of the same shape."""

    name = "memref.copy"

    source = operand_def(base(MemRefType[Attribute]) | base(UnrankedMemRefType))
    target = operand_def(base(MemRefType[Attribute]) | base(UnrankedMemRefType))

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$source `,` $target attr-dict `:` type($source) `to` type($target)"
    )

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        """Equal element types and compatible shapes."""
        source, target = self.source.type, self.target.type
        if contents_of(source)[0] != contents_of(target)[0]:
            raise VerifyException("requires the same element type for all operands")
        if not is_buffer(source) or not is_buffer(target):
            return
        have, want = sizes_of(source), sizes_of(target)
        if len(have) != len(want) or not all(map(may_be, have, want)):
            raise VerifyException("requires the same shape for all operands")
