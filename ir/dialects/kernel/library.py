"""Work of the launcher that needs no kernel: library calls and copies.

These ops occur in the launcher, never in a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, StringAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, NoTerminator
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.types import buffer_type, is_tensor


@irdl_op_definition
class LibraryOp(IRDLOperation):
    """One library call that computes structured ops on buffers.

    The body holds one op, and may hold the `linalg.fill` of its output before it; or a
    product, in a buffer of its own that is never made, and the op that reads it.
    """

    name = "kernel.library"

    library = prop_def(StringAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$library $body attr-dict"

    def __init__(self, library: str, ops: Sequence[Operation]):
        super().__init__(
            properties={"library": StringAttr(library)},
            regions=[Region(Block(ops))],
        )

    @property
    def fill(self) -> FillOp | None:
        """The fill of the output, if the call does that too."""
        fills = [op for op in self.body.block.ops if isinstance(op, FillOp)]
        return fills[0] if fills else None

    @property
    def called(self) -> tuple[StructuredOp | SoftmaxOp, ...]:
        """The ops that the call computes, without the fill."""
        return tuple(
            op
            for op in self.body.block.ops
            if isinstance(op, StructuredOp | SoftmaxOp) and not isinstance(op, FillOp)
        )

    def verify_(self) -> None:
        """One op on buffers or two, with at most a fill before them."""
        ops = list(self.body.block.ops)
        if not self.called or ops[-1] is not self.called[-1]:
            raise VerifyException("must hold the structured op that is called")
        known = (memref.AllocOp, FillOp, StructuredOp, SoftmaxOp)
        if len(self.called) > 2 or not all(isinstance(op, known) for op in ops):
            raise VerifyException("holds one op or two, and perhaps the fill before")
        for op in ops:
            if any(is_tensor(value.type) for value in op.operands):
                raise VerifyException(f"'{op.name}' is not on buffers")


@irdl_op_definition
class CopyWindowOp(IRDLOperation):
    """Copy a window of one buffer to a window of another of the same extents."""

    name = "kernel.copy_window"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    source_starts = prop_def(DenseArrayBase.constr(i64))
    """Where the window begins, along each dimension of the source."""
    target_starts = prop_def(DenseArrayBase.constr(i64))
    extents = prop_def(DenseArrayBase.constr(i64))

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$source $source_starts `to` $target $target_starts `by` $extents attr-dict "
        "`:` type($source) `to` type($target)"
    )

    def __init__(
        self,
        source: SSAValue,
        source_starts: Sequence[int],
        target: SSAValue,
        target_starts: Sequence[int],
        extents: Sequence[int],
    ):
        super().__init__(
            operands=[source, target],
            properties={
                "source_starts": DenseArrayBase.from_list(i64, source_starts),
                "target_starts": DenseArrayBase.from_list(i64, target_starts),
                "extents": DenseArrayBase.from_list(i64, extents),
            },
        )

    def windows(self) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
        """The ranges in the source and in the target."""
        extents = [int(extent) for extent in self.extents.get_values()]
        source, target = (
            tuple(
                slice(int(start), int(start) + extent)
                for start, extent in zip(starts.get_values(), extents, strict=True)
            )
            for starts in (self.source_starts, self.target_starts)
        )
        return source, target

    def verify_(self) -> None:
        """The windows lie within buffers of one element type."""
        types = [buffer_type(buffer) for buffer in self.operands]
        for of, window in zip(types, self.windows(), strict=True):
            fits = len(window) == of.get_num_dims() and all(
                0 <= part.start <= part.stop <= size
                for part, size in zip(window, of.get_shape(), strict=True)
            )
            if not fits:
                raise VerifyException(f"the window {window} is not in {of}")
        if types[0].element_type != types[1].element_type:
            raise VerifyException("copies between element types")
