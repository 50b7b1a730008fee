"""Copy a part of a buffer that a kernel gathers from.

**Before** (buffer level)

    %part = memref.subview %x[35, 0] [24, 8] [1, 1] : memref<65x8xf32> to ...
    scf.forall ... { %v = vector.gather %part[%c0, %c0] [%places], ... }

**After**: a copy of the part in front of the grid, from which the kernel gathers. The
places of a gather count the elements of whole buffers. Bufferization computes a tensor
inside a larger one without a look at its readers, so that a gather may meet a part.

**Requires** static sizes, a part that is taken outside of all grids, and a grid that
does not write the buffer. Other gathers stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.reshapes import base_of
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import GatherOp, ScatterOp, TransferWriteOp
from tilewright.ir.types import buffer_type


def copy_gathered_parts(module: ModuleOp) -> ModuleOp:
    """Insert such copies, in a copy of the module if there are any."""
    if not any(_gathers(module)):
        return module
    module = module.clone()
    copies: dict[tuple[ForallOp, SSAValue], SSAValue] = {}
    for grid, gather in list(_gathers(module)):
        key = grid, gather.base
        if key not in copies:
            copies[key] = _copied(gather.base, grid)
        gather.operands[list(gather.operands).index(gather.base)] = copies[key]
    return module


def _gathers(module: ModuleOp) -> Iterator[tuple[ForallOp, GatherOp]]:
    """The gathers from parts of buffers, each with its grid."""
    for grid in module.walk():
        if not isinstance(grid, ForallOp) or not _is_outermost(grid):
            continue
        gathers = [op for op in grid.walk() if isinstance(op, GatherOp)]
        if not gathers:
            continue
        written = {
            base_of(op.source if isinstance(op, TransferWriteOp) else op.base)
            for op in grid.walk()
            if isinstance(op, TransferWriteOp | ScatterOp)
        }
        for op in gathers:
            if _is_part(op.base) and base_of(op.base) not in written:
                yield grid, op


def _is_outermost(grid: ForallOp) -> bool:
    return isinstance(grid.parent_op(), func.FuncOp)


def _is_part(value: SSAValue) -> bool:
    """Whether a value is a static part of a buffer, taken outside of all grids."""
    if not isinstance(value.type, MemRefType):
        return False
    shape = buffer_type(value).get_shape()
    if DYNAMIC_INDEX in shape:
        return False
    while isinstance(owner := value.owner, memref.SubviewOp):
        if not isinstance(owner.parent_op(), func.FuncOp):
            return False
        if buffer_type(owner.source).get_shape() != shape:
            return True
        value = owner.source
    return False


def _copied(part: SSAValue, grid: ForallOp) -> SSAValue:
    """A new buffer with the elements of a part, filled in front of a grid."""
    of = buffer_type(part)
    made = memref.AllocOp([], [], MemRefType(of.element_type, of.get_shape()))
    copy = CopyOp(part, made.memref)
    block = grid.parent
    assert block is not None
    for op in (made, copy):
        op.location = grid.location
        block.insert_op_before(op, grid)
    return made.memref
