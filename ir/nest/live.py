"""The ops whose results reach memory or what a function returns."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import kernel, memref, scf, tensor, vector
from tilewright.ir.types import is_buffer


def live_ops(block: Block) -> set[Operation]:
    """The ops that a block needs; what only computes addresses is left out."""
    pending = [op for op in block.walk() if _stores(op)]
    if block.last_op is not None:
        pending.append(block.last_op)
    seen: set[Operation] = set()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if (parent := op.parent_op()) is not None:
            pending.append(parent)
        # What the last op of a region uses reaches the results of the region's op.
        inner = [b.last_op for r in op.regions for b in r.blocks if b.last_op]
        pending += inner
        for end in inner:
            if isinstance(end, scf.InParallelOp):
                pending += end.region.block.ops
        owners = [value.owner for value in _used(op)]
        pending += [owner for owner in owners if isinstance(owner, Operation)]
    return seen


def _stores(op: Operation) -> bool:
    """Whether an op writes to a buffer or through a pointer."""
    if op.results:
        return False
    match op:
        case (
            kernel.StoreOp()
            | kernel.AtomicAddOp()
            | kernel.DescriptorStoreOp()
            | kernel.LaunchOp()
            | kernel.LibraryOp()
            | kernel.CopyWindowOp()
        ):
            return True
        case _:
            return any(is_buffer(value.type) for value in op.operands)


def _used(op: Operation) -> Sequence[SSAValue]:
    """The operands that are data; offsets, bounds and masks are left out."""
    match op:
        case kernel.LoadOp() | kernel.DescriptorLoadOp() | kernel.LaunchOp():
            return ()
        case kernel.StoreOp() | kernel.AtomicAddOp() | kernel.DescriptorStoreOp():
            return (op.value,)
        case vector.TransferReadOp():
            return (op.source,)
        case vector.TransferWriteOp():
            return (op.vector, op.source)
        case tensor.ExtractSliceOp() | memref.SubviewOp():
            return (op.source,)
        case tensor.InsertSliceOp() | tensor.ParallelInsertSliceOp():
            return (op.source, op.dest)
        case scf.ForOp():
            return op.iter_args
        case _:
            return op.operands
