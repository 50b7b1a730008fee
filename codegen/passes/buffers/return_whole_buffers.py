"""Return whole buffers: a part that a function returns is copied.

**Before** (buffer level)

    %part = memref.subview %x[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to ...
    %rows = memref.cast %part : memref<2x8xf32, strided<[8, 1]>> to memref<2x8xf32>
    func.return %rows

**After**: a new buffer, and a copy of the part into it. Bufferization casts a part that
lies in memory like a whole buffer, from its first element on; it copies other parts
itself. A part that is all of its buffer is that buffer.

**Requires** static sizes. Other parts stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.reshapes import without_casts
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import buffer_type


def return_whole_buffers(module: ModuleOp) -> ModuleOp:
    """Replace such results, in a copy of the module if there are any."""
    if not any(_returned_parts(module)):
        return module
    module = module.clone()
    for op, position, part in list(_returned_parts(module)):
        op.operands[position] = _whole(part, op)
    return module


def _returned_parts(
    module: ModuleOp,
) -> Iterator[tuple[func.ReturnOp, int, memref.SubviewOp]]:
    """The returns of static parts of buffers, and which of their operands they are."""
    for op in module.walk():
        if not isinstance(op, func.ReturnOp):
            continue
        for position, value in enumerate(op.operands):
            if not isinstance(value.type, MemRefType):
                continue
            part = without_casts(value).owner
            is_static = DYNAMIC_INDEX not in buffer_type(value).get_shape()
            if isinstance(part, memref.SubviewOp) and is_static:
                yield op, position, part


def _whole(part: memref.SubviewOp, before: Operation) -> SSAValue:
    """The buffer that a part is all of, or a new one with its elements."""
    of = buffer_type(part.result)
    if _is_all(part):
        return part.source
    made = memref.AllocOp([], [], MemRefType(of.element_type, of.get_shape()))
    copy = CopyOp(part.result, made.memref)
    block = before.parent
    assert block is not None
    for op in (made, copy):
        op.location = before.location
        block.insert_op_before(op, before)
    return made.memref


def _is_all(part: memref.SubviewOp) -> bool:
    source = part.source
    offsets, sizes, strides = (
        mixed(part.static_offsets, part.offsets),
        mixed(part.static_sizes, part.sizes),
        mixed(part.static_strides, part.strides),
    )
    shape = list(buffer_type(source).get_shape())
    is_whole = buffer_type(part.result).get_shape() == buffer_type(source).get_shape()
    return (
        is_whole
        and isinstance(source.type, MemRefType)
        and not isinstance(source.owner, memref.SubviewOp)
        and sizes == shape
        and all(offset == 0 for offset in offsets)
        and all(stride == 1 for stride in strides)
    )
