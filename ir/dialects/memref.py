"""`memref.copy` in its upstream form, and effects that xDSL's memref ops lack."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import buffer_type


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy one buffer into another of the same shape."""

    name = "memref.copy"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$source `,` $target attr-dict `:` type($source) `to` type($target)"
    )

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        """Equal element types and compatible shapes."""
        source, target = buffer_type(self.source), buffer_type(self.target)
        if source.element_type != target.element_type:
            raise VerifyException("requires the same element type for all operands")
        if source.get_num_dims() != target.get_num_dims():
            raise VerifyException("requires the same shape for all operands")


for _op in (memref.SubviewOp, memref.DimOp):
    if not _op.has_trait(Pure):
        _op.traits.add_trait(Pure())

MemRef = Dialect(
    "memref",
    [*(op for op in memref.MemRef.operations if op.name != "memref.copy"), CopyOp],
    [*memref.MemRef.attributes],
)
