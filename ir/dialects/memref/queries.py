"""Queries of a buffer: its sizes, rank, alignment, strides and address."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I32,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicResultSize,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.allocation import verify_power_of_two
from tilewright.ir.types import buffer_type, is_buffer

ANY_BUFFER = base(MemRefType[Attribute]) | base(UnrankedMemRefType)


@irdl_op_definition
class DimOp(IRDLOperation):
    """The size of a dimension."""

    name = "memref.dim"

    source = operand_def(ANY_BUFFER)
    index = operand_def(IndexType)
    result = result_def(IndexType)

    # Not Pure: an index outside of the buffer's rank is undefined.
    traits = traits_def(NoMemoryEffect())

    assembly_format = "$source `,` $index attr-dict `:` type($source)"

    def __init__(self, source: SSAValue, index: SSAValue):
        super().__init__(operands=[source, index], result_types=[IndexType()])

    def verify_(self) -> None:
        """The buffer has at least one dimension."""
        source = self.source.type
        if is_buffer(source) and source.get_num_dims() == 0:
            raise VerifyException("expected a buffer of at least one dimension")


@irdl_op_definition
class RankOp(IRDLOperation):
    """The number of dimensions."""

    name = "memref.rank"

    memref = operand_def(ANY_BUFFER)
    rank = result_def(IndexType)

    traits = traits_def(Pure())

    assembly_format = "$memref attr-dict `:` type($memref)"


@irdl_op_definition
class AssumeAlignmentOp(IRDLOperation):
    """The same buffer; its address is promised to be a multiple of `alignment`."""

    name = "memref.assume_alignment"

    T: ClassVar = VarConstraint("T", base(MemRefType[Attribute]))

    memref = operand_def(T)
    alignment = prop_def(IntegerAttr[I32])
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"

    def verify_(self) -> None:
        """A power of two."""
        verify_power_of_two(self.alignment)


@irdl_op_definition
class ExtractStridedMetadataOp(IRDLOperation):
    """The base of a buffer's memory, and the buffer's offset, sizes and strides."""

    name = "memref.extract_strided_metadata"

    source = operand_def(MemRefType)
    base_buffer = result_def(MemRefType)
    offset = result_def(IndexType)
    sizes = var_result_def(IndexType)
    strides = var_result_def(IndexType)

    irdl_options = (SameVariadicResultSize(),)
    traits = traits_def(Pure())

    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"

    def verify_(self) -> None:
        """A size and a stride for each dimension."""
        of = buffer_type(self.source)
        if len(self.sizes) != of.get_num_dims():
            raise VerifyException(
                f"expected a size and a stride for each of {of.get_num_dims()} "
                "dimensions"
            )
        expected = MemRefType(of.element_type, [], memory_space=of.memory_space)
        if self.base_buffer.type != expected:
            raise VerifyException(f"expected a base buffer of type '{expected}'")


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """The address of a buffer's memory."""

    name = "memref.extract_aligned_pointer_as_index"

    source = operand_def(ANY_BUFFER)
    aligned_pointer = result_def(IndexType)

    traits = traits_def(Pure())

    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
