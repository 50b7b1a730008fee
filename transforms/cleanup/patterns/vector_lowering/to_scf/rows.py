"""Lower transfers to transfers of lower rank, and rows to loops over elements.

Before:
    %v = vector.transfer_read %m[%i, %j], %pad : memref<?x?xf32>, vector<2x4xf32>

After `full_unroll = true`, for each of the two rows:
    %inside = arith.cmpi sgt, %dim, %i : index
    %v0 = scf.if %inside -> (vector<2x4xf32>) {
      %row = vector.transfer_read %m[%i, %j], %pad : memref<?x?xf32>, vector<4xf32>
      %w = vector.insert %row, %pads [0] : vector<4xf32> into vector<2x4xf32>
      scf.yield %w : vector<2x4xf32>
    } else {
      scf.yield %pads : vector<2x4xf32>
    }

Without `full_unroll`, `in_memory.py` makes loops.

A row whose elements do not lie side by side is moved element by element, in a loop.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IndexType
from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import memref, scf
from tilewright.ir.dialects.vector import (
    InsertOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.types import is_buffer, vector_type, vector_with
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector.elements import position_of
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.cleanup.patterns.vector_lowering.to_scf.in_memory import (
    in_memory,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.to_scf.parts import (
    counted,
    first_dim,
    guarded,
    is_lowered,
    moved,
    rest,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.transfers import (
    broadcast_dims,
    is_contiguous,
)
from tilewright.transforms.core.rewriter import Rewriter


def _part_mask(op: Transfer, at: int, steps: Steps) -> SSAValue | None:
    """The mask of the part at one place of the first lanes."""
    mask = mask_of(op)
    if mask is None or first_dim(op) is None:
        return mask
    one = len(vector_type(mask).get_shape()) == 1
    return None if one else steps.extract(mask, at)


# -- several dimensions ----------------------------------------------------------------


def _unrolled(max_rank: int) -> tuple[Pattern, ...]:
    @pattern(TransferReadOp)
    def unroll_read(op: TransferReadOp, rewriter: Rewriter) -> None:
        """Read the parts along the first lanes, and insert them."""
        kind, steps = vector_type(op.result), Steps()
        if len(kind.get_shape()) <= max_rank or not is_lowered(op):
            return
        into = _insertion(op)
        where = () if into is None else tuple(position_of(into) or ())
        total = (
            steps.broadcast(op.padding, kind.get_shape()) if into is None else into.dest
        )
        for at in range(kind.get_shape()[0]):
            number = steps.constant(at, IndexType())

            def inside(
                new: Steps,
                at: int = at,
                number: SSAValue = number,
                before: SSAValue = total,
            ) -> SSAValue:
                indices = moved(op, number, new)
                part_kind = vector_with(kind.element_type, kind.get_shape()[1:])
                read = TransferReadOp(
                    source_of(op),
                    indices,
                    op.padding,
                    part_kind,
                    ArrayAttr(op.in_bounds.data[1:]),
                    rest(op),
                    _part_mask(op, at, new),
                )
                return new.insert(new.add(read), before, *where, at)

            value = guarded(op, number, steps, inside, total)
            assert value is not None
            total = value
        if into is None:
            steps.replace(op, rewriter, total)
        else:
            steps.replace(into, rewriter, total)
            rewriter.erase(op)

    @pattern(TransferWriteOp)
    def unroll_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
        """Write the parts along the first lanes."""
        kind, steps = vector_type(op.vector), Steps()
        if len(kind.get_shape()) <= max_rank or not is_lowered(op):
            return
        for at in range(kind.get_shape()[0]):
            number = steps.constant(at, IndexType())

            def inside(new: Steps, at: int = at, number: SSAValue = number) -> None:
                write = TransferWriteOp(
                    new.extract(op.vector, at),
                    source_of(op),
                    moved(op, number, new),
                    ArrayAttr(op.in_bounds.data[1:]),
                    _part_mask(op, at, new),
                    rest(op),
                    None,
                )
                new.ops.append(write)

            guarded(op, number, steps, inside, None)
        rewriter.insert_before(op, *steps.ops)
        rewriter.erase(op)

    return unroll_read, unroll_write


def _insertion(op: TransferReadOp) -> InsertOp | None:
    """The insertion that alone uses what is read, in the same block."""
    if not op.result.has_one_use():
        return None
    (use,) = op.result.uses
    user = use.operation
    if not isinstance(user, InsertOp) or use.index != 0 or user.parent is not op.parent:
        return None
    return user if position_of(user) is not None else None


# -- rows ------------------------------------------------------------------------------


def _needs_loop(op: Transfer) -> bool:
    """Whether a row does not lie side by side in the buffer."""
    if len(vector_of(op).get_shape()) != 1 or not is_lowered(op):
        return False
    source = source_of(op).type
    assert is_buffer(source)
    return broadcast_dims(op.permutation_map.data) != [] or not is_contiguous(source)


@pattern(TransferReadOp)
def loop_over_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Load element by element into a vector of padding."""
    if not _needs_loop(op):
        return
    kind, steps = vector_type(op.result), Steps()
    start = steps.broadcast(op.padding, kind.get_shape())
    block = Block(arg_types=[IndexType(), kind])
    at, before = block.args
    new = Steps()
    indices = moved(op, at, new)

    def inside(then: Steps) -> SSAValue:
        element = then.add(memref.LoadOp(source_of(op), indices))
        return then.insert(element, before, at)

    value = guarded(op, at, new, inside, before)
    assert value is not None
    block.add_ops([*new.ops, scf.YieldOp(value)])
    loop = counted(kind.get_shape()[0], steps, [start], block)
    steps.replace(op, rewriter, loop.results[0])


@pattern(TransferWriteOp)
def loop_over_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Store element by element."""
    if not _needs_loop(op):
        return
    kind, steps = vector_type(op.vector), Steps()
    block = Block(arg_types=[IndexType()])
    (at,) = block.args
    new = Steps()
    indices = moved(op, at, new)

    def inside(then: Steps) -> None:
        element = then.extract(op.vector, at)
        then.ops.append(memref.StoreOp(element, source_of(op), indices))

    guarded(op, at, new, inside, None)
    block.add_ops([*new.ops, scf.YieldOp()])
    counted(kind.get_shape()[0], steps, [], block)
    rewriter.insert_before(op, *steps.ops)
    rewriter.erase(op)


def transfer_to_scf(max_rank: int, full_unroll: bool) -> tuple[Pattern, ...]:
    """The patterns for transfers of higher rank."""
    rows = (loop_over_read, loop_over_write) if max_rank == 1 else ()
    parts = _unrolled(max_rank) if full_unroll else in_memory(max_rank)
    return (*parts, *rows)
