"""Reshapes outside of the grids: kernels see a reshaped buffer as a buffer of its own.

**Before** (buffer level)

    %flat = memref.collapse_shape %x [[0, 1], [2]] : memref<8x16x64xf32> into ...
    scf.forall ... { ... memref.subview %flat ... }

**After**: the launcher makes a view (`flat = x.view(128, 64)`), and the kernel takes
its pointer. No element moves, but two buffers of a kernel may now share memory: whoever
orders reads and writes compares `memory_of` the buffers.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.memref import groups_of

Reshape = memref.ExpandShapeOp | memref.CollapseShapeOp


def reshape_of(value: SSAValue) -> Reshape | None:
    """The op outside of the grids that made a value by reshaping a whole buffer."""
    op = value.owner
    if not isinstance(op, Reshape) or not isinstance(op.parent_op(), func.FuncOp):
        return None
    source = without_casts(op.src)
    return op if is_whole(source) else None


def is_base(value: SSAValue) -> bool:
    """Whether kernels see a value as a reshaped buffer of its own.

    `views.py` looks through a reshape that only adds or drops dimensions of size 1.
    """
    op = reshape_of(value)
    return op is not None and _changes_long_dims(op)


def memory_of(value: SSAValue) -> SSAValue:
    """The buffer whose memory a value shares, looking through reshapes and casts."""
    while isinstance(value.owner, Reshape | memref.CastOp):
        value = value.owner.operands[0]
    return value


def base_of(value: SSAValue) -> SSAValue:
    """The buffer behind views."""
    while isinstance(value.owner, Reshape | memref.SubviewOp | memref.CastOp):
        value = value.owner.operands[0]
    return value


def without_casts(value: SSAValue) -> SSAValue:
    """The buffer that a value is, looking through casts."""
    while isinstance(value.owner, memref.CastOp):
        value = value.owner.source
    return value


def is_whole(value: SSAValue) -> bool:
    """Whether a value is a buffer of the function, or one in another shape."""
    of = value.type
    assert isinstance(of, MemRefType)
    if not isinstance(of.layout, NoneAttr):
        return False
    makes_buffers = memref.AllocOp | memref.GetGlobalOp
    return (
        isinstance(value.owner, Block)
        or isinstance(value.owner, makes_buffers)
        or reshape_of(value) is not None
    )


def _changes_long_dims(op: Reshape) -> bool:
    """Whether an op splits or merges dimensions longer than 1."""
    long = op.result if isinstance(op, memref.ExpandShapeOp) else op.src
    of = long.type
    assert isinstance(of, MemRefType)
    shape = of.get_shape()
    return any(
        sum(shape[dim] != 1 for dim in group) > 1
        for group in groups_of(op.reassociation)
    )
