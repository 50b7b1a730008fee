"""Copy tiles between buffers inside a grid through registers.

**Before** (buffer level)

    scf.forall (%i) in (8) {
      %from = memref.subview %x[%o] [128] [1] : ...
      %to = memref.subview %y[%o] [128] [1] : ...
      memref.copy %from, %to : ...
    }

**After**: a `vector.transfer_read` of `%from` and a `vector.transfer_write` into `%to`.
A payload that only copies has such grids: its tiles hold nothing to compute.

**Requires** tiles of static sizes that are powers of two, of different buffers. Other
copies stay.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, memref, ub, vector
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp


def vectorize_copies(module: ModuleOp) -> ModuleOp:
    """Turn copies in grids into transfers, in a copy of the module if there are any."""
    if not any(_is_tile_copy(op) for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if isinstance(op, CopyOp) and _is_tile_copy(op):
            _vectorize(op)
    return module


def _is_tile_copy(op: Operation) -> bool:
    if not isinstance(op, CopyOp) or not _is_in_grid(op):
        return False
    source, target = op.source.type, op.target.type
    if not isa(source, MemRefType) or not isa(target, MemRefType):
        return False
    shape = source.get_shape()
    return (
        bool(shape)
        and shape == target.get_shape()
        and all(
            size != DYNAMIC_INDEX and size > 0 and size & (size - 1) == 0
            for size in shape
        )
        and _base(op.source) is not _base(op.target)
    )


def _is_in_grid(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ForallOp):
        parent = parent.parent_op()
    return parent is not None


def _base(value: SSAValue) -> SSAValue:
    """The buffer behind views."""
    while isinstance(value.owner, memref.SubviewOp):
        value = value.owner.source
    return value


def _vectorize(op: CopyOp) -> None:
    kind = op.source.type
    assert isa(kind, MemRefType)
    rank = len(kind.get_shape())
    zero = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
    nothing = ub.PoisonOp(kind.element_type)
    start = [zero.result] * rank
    inside = ArrayAttr([BoolAttr.from_bool(True)] * rank)
    order = AffineMapAttr(AffineMap.identity(rank))
    tile = VectorType(kind.element_type, kind.get_shape())
    read = vector.TransferReadOp(op.source, start, nothing.result, tile, inside, order)
    write = vector.TransferWriteOp(
        read.results[0], op.target, start, inside, None, order
    )
    made = [zero, nothing, read, write]
    for new in made:
        new.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.detach()
    op.erase()
