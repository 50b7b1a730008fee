"""Lower transfers to loops over transfers of lower rank, with the vector in memory.

Before:
    %v = vector.transfer_read %m[%i, %j], %pad : memref<?x?xf32>, vector<2x4xf32>

After:
    %whole = memref.alloca() : memref<vector<2x4xf32>>
    %rows = vector.type_cast %whole : memref<vector<2x4xf32>> to memref<2xvector<4xf32>>
    scf.for %r = %c0 to %c2 step %c1 {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %r)
      %row = vector.transfer_read %m[%at, %j], %pad : memref<?x?xf32>, vector<4xf32>
      memref.store %row, %rows[%r] : memref<2xvector<4xf32>>
    }
    %v = memref.load %whole[] : memref<vector<2x4xf32>>

A row that may be out of bounds is read under a condition. Code generation has no memory
for vectors: kernels take `full_unroll = true`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.dialects import func, memref, scf
from tilewright.ir.dialects.vector import (
    TransferReadOp,
    TransferWriteOp,
    TypeCastOp,
)
from tilewright.ir.types import vector_type, vector_with
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.cleanup.patterns.vector_lowering.to_scf.parts import (
    counted,
    first_dim,
    guarded,
    is_lowered,
    moved,
    rest,
)
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class _Stored:
    """A vector in memory, and the place of the part of it that is meant."""

    buffer: SSAValue
    at: tuple[SSAValue, ...] = ()

    def parts(self, steps: Steps) -> SSAValue:
        """The buffer with one dimension more, and one lane less."""
        return steps.add(TypeCastOp(self.buffer, len(self.at) + 1))


def in_memory(max_rank: int) -> tuple[Pattern, ...]:
    """The pattern for transfers of a higher rank."""

    @pattern(TransferReadOp, TransferWriteOp)
    def loop_over_parts(op: Transfer, rewriter: Rewriter) -> None:
        """Move the parts along the first lanes between the buffer and a copy."""
        scope = _scope(op)
        rank = len(vector_of(op).get_shape())
        if rank <= max_rank or not is_lowered(op) or scope is None:
            return
        steps, allocas = Steps(), Steps()

        def alloca(of: Attribute) -> SSAValue:
            return allocas.add(memref.AllocaOp([], [], MemRefType(of, [])))

        whole = _Stored(alloca(vector_of(op)))
        mask = mask_of(op)
        masks = None
        if mask is not None and _keeps_mask(op):
            masks = _Stored(alloca(mask.type))
            steps.ops.append(memref.StoreOp(mask, masks.buffer, []))
        if isinstance(op, TransferWriteOp):
            steps.ops.append(memref.StoreOp(op.vector, whole.buffer, []))
        _move_parts(op, whole, masks, max_rank, steps)
        rewriter.insert_at_start(scope, *allocas.ops)
        if isinstance(op, TransferReadOp):
            result = steps.add(memref.LoadOp(whole.buffer, []))
            steps.replace(op, rewriter, result)
        else:
            rewriter.insert_before(op, *steps.ops)
            rewriter.erase(op)

    return (loop_over_parts,)


def _move_parts(
    op: Transfer, whole: _Stored, masks: _Stored | None, max_rank: int, steps: Steps
) -> None:
    """A loop along the first lanes, with loops in it while parts have a high rank."""
    parts = whole.parts(steps)
    advances = masks is not None and first_dim(op) is not None
    part_masks = masks.parts(steps) if masks is not None and advances else None
    block = Block(arg_types=[IndexType()])
    (at,) = block.args
    new = Steps()
    kind = vector_of(op)
    part_kind = vector_with(kind.element_type, kind.get_shape()[1:])
    here = (*whole.at, at)

    def inside(then: Steps) -> None:
        indices = moved(op, at, then)
        value = None
        if isinstance(op, TransferWriteOp):
            value = then.add(memref.LoadOp(parts, here))
        inner_masks, mask = masks, None
        if masks is not None and part_masks is not None:
            inner_masks = _Stored(part_masks, (*masks.at, at))
            mask = then.add(memref.LoadOp(part_masks, inner_masks.at))
        elif masks is not None:
            mask = then.add(memref.LoadOp(masks.buffer, masks.at))
        part = _part(op, value, part_kind, indices, mask)
        if len(part_kind.get_shape()) > max_rank:
            deeper = inner_masks if _keeps_mask(part) else None
            _move_parts(part, _Stored(parts, here), deeper, max_rank, then)
            return
        if isinstance(part, TransferReadOp):
            then.ops.append(memref.StoreOp(then.add(part), parts, here))
        else:
            then.ops.append(part)

    def outside(other: Steps) -> None:
        if isinstance(op, TransferReadOp):
            pads = other.broadcast(op.padding, part_kind.get_shape())
            other.ops.append(memref.StoreOp(pads, parts, here))

    guarded(op, at, new, inside, None, outside)
    block.add_ops([*new.ops, scf.YieldOp()])
    counted(kind.get_shape()[0], steps, [], block)


def _keeps_mask(op: Transfer) -> bool:
    """Whether a part has a mask too: otherwise one lane of it decides on the part."""
    mask = mask_of(op)
    if mask is None:
        return False
    return len(vector_type(mask).get_shape()) > 1 or first_dim(op) is None


def _part(
    op: Transfer,
    value: SSAValue | None,
    kind: VectorType[Attribute],
    indices: Sequence[SSAValue],
    mask: SSAValue | None,
) -> Transfer:
    """The read of one part, or the write of `value`."""
    bounds = ArrayAttr(op.in_bounds.data[1:])
    if isinstance(op, TransferReadOp) or value is None:
        assert isinstance(op, TransferReadOp)
        return TransferReadOp(
            source_of(op), indices, op.padding, kind, bounds, rest(op), mask
        )
    return TransferWriteOp(value, source_of(op), indices, bounds, mask, rest(op), None)


def _scope(op: Operation) -> Block | None:
    """Where memory on the stack is allocated: the body of the closest loop."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, func.FuncOp | scf.ForOp | scf.ForallOp | scf.ParallelOp):
            return parent.regions[0].block
        parent = parent.parent_op()
    return None
