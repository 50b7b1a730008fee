"""Allocation of buffers: alloc, alloca, dealloc, realloc."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryFreeEffect, MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.effects import AllocatesResult
from tilewright.ir.dialects.memref.layouts import symbols_of
from tilewright.ir.types import buffer_type


class _AllocatingOp(IRDLOperation, ABC):
    """The base class of `alloc` and `alloca`."""

    dynamic_sizes = var_operand_def(IndexType)
    symbol_operands = var_operand_def(IndexType)
    alignment = opt_prop_def(IntegerAttr[I64])
    memref = result_def(MemRefType)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(AllocatesResult())

    assembly_format = (
        "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict "
        "`:` type($memref)"
    )

    def __init__(
        self,
        dynamic_sizes: Sequence[SSAValue],
        symbol_operands: Sequence[SSAValue],
        result_type: Attribute,
        alignment: Attribute | None = None,
    ):
        super().__init__(
            operands=[dynamic_sizes, symbol_operands],
            result_types=[result_type],
            properties={"alignment": alignment},
        )

    def verify_(self) -> None:
        """A size for each dynamic dimension, a value for each symbol of the layout."""
        of = buffer_type(self.memref)
        expected = of.get_shape().count(DYNAMIC_INDEX)
        if len(self.dynamic_sizes) != expected:
            raise VerifyException(
                f"incorrect number of dynamic sizes, has {len(self.dynamic_sizes)}, "
                f"expected {expected}"
            )
        if len(self.symbol_operands) != symbols_of(of):
            raise VerifyException(
                "symbol operand count does not equal memref symbol count: expected "
                f"{symbols_of(of)}, got {len(self.symbol_operands)}"
            )
        verify_power_of_two(self.alignment)


def verify_power_of_two(alignment: IntegerAttr | None) -> None:
    """Refuse an alignment that is not a power of two."""
    if alignment is None:
        return
    value = alignment.value.data
    if value <= 0 or value & (value - 1):
        raise VerifyException(f"alignment must be a power of 2, not {value}")


@irdl_op_definition
class AllocOp(_AllocatingOp):
    """New memory, which lives until it is deallocated."""

    name = "memref.alloc"


@irdl_op_definition
class AllocaOp(_AllocatingOp):
    """New memory on the stack, which lives as long as the function runs."""

    name = "memref.alloca"


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Deallocate a buffer."""

    name = "memref.dealloc"

    memref = operand_def(base(MemRefType[Attribute]) | base(UnrankedMemRefType))

    traits = traits_def(MemoryFreeEffect())

    assembly_format = "$memref attr-dict `:` type($memref)"


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """A buffer of another length with the same elements; the old one is gone."""

    name = "memref.realloc"

    source = operand_def(MemRefType)
    dynamic_size = opt_operand_def(IndexType)
    alignment = opt_prop_def(IntegerAttr[I64])
    memref = result_def(MemRefType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect(), MemoryFreeEffect(), AllocatesResult())

    assembly_format = (
        "$source (`` `(` $dynamic_size^ `)`)? attr-dict "
        "`:` type($source) `to` type($memref)"
    )

    def verify_(self) -> None:
        """One dimension, of one element type, and a size where none is known."""
        source, result = buffer_type(self.source), buffer_type(self.memref)
        if source.get_num_dims() != 1 or result.get_num_dims() != 1:
            raise VerifyException("only buffers of one dimension are reallocated")
        if source.element_type != result.element_type:
            raise VerifyException("the element types differ")
        is_open = result.get_shape()[0] == DYNAMIC_INDEX
        if is_open != (self.dynamic_size is not None):
            raise VerifyException(
                "missing dimension operand for a dynamic size"
                if is_open
                else "unnecessary dimension operand for a static size"
            )
        verify_power_of_two(self.alignment)
