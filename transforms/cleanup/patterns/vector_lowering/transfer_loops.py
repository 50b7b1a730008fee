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

A row whose elements do not lie side by side is moved element by element, in a loop.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith, memref, scf
from tilewright.ir.dialects.vector import (
    ExtractOp,
    InsertOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.indexing.constants import constant_int
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
from tilewright.transforms.cleanup.patterns.vector_lowering.transfers import (
    broadcast_dims,
    is_contiguous,
)
from tilewright.transforms.core.extents import dim_size
from tilewright.transforms.core.rewriter import Rewriter

Body = Callable[[Steps], SSAValue | None]


def _is_lowered(op: Transfer) -> bool:
    """Whether a transfer is one that these patterns lower: of elements of a buffer."""
    source = source_of(op).type
    return (
        is_buffer(source)
        and source.element_type == vector_of(op).element_type
        and not isinstance(op.parent_op(), MaskOp)
    )


def _first_dim(op: Transfer) -> int | None:
    """The dimension that the first lanes run along; None if they repeat."""
    expr = op.permutation_map.data.results[0]
    return expr.position if isinstance(expr, AffineDimExpr) else None


def _moved(op: Transfer, at: SSAValue, steps: Steps) -> list[SSAValue]:
    """The indices of the part at one place of the first lanes."""
    indices, dim = list(op.indices), _first_dim(op)
    if dim is not None:
        total = AffineExpr.dimension(0) + AffineExpr.dimension(1)
        indices[dim] = steps.apply(total, [indices[dim], at])
    return indices


def _guarded(
    op: Transfer, at: SSAValue, steps: Steps, inside: Body, outside: SSAValue | None
) -> SSAValue | None:
    """`inside` where the place is in bounds and its lane is on, else `outside`."""
    condition, dim, mask = None, _first_dim(op), mask_of(op)
    if dim is not None and not bool(op.in_bounds.data[0]):
        place = _moved(op, at, steps)[dim]
        extent = steps.index(dim_size(source_of(op), dim, steps))
        condition = steps.add(arith.CmpiOp(extent, place, "sgt"))
    if mask is not None and dim is not None:
        if len(vector_type(mask).get_shape()) == 1:
            number = constant_int(at)
            lane = at if number is None else number
            is_on = steps.add(ExtractOp(mask, [lane]))
            both = condition is not None
            condition = steps.binary("arith.andi", condition, is_on) if both else is_on
    if condition is None:
        return inside(steps)
    then = Steps()
    value = inside(then)
    results = [] if value is None else [value]
    then.ops.append(scf.YieldOp(*results))
    others = [scf.YieldOp(*([] if outside is None else [outside]))]
    choice = scf.IfOp(condition, [value.type for value in results], then.ops, others)
    steps.ops.append(choice)
    return choice.results[0] if results else None


def _rest(op: Transfer) -> AffineMapAttr:
    map_ = op.permutation_map.data
    return AffineMapAttr(AffineMap(map_.num_dims, 0, map_.results[1:]))


def _part_mask(op: Transfer, at: int, steps: Steps) -> SSAValue | None:
    """The mask of the part at one place of the first lanes."""
    mask = mask_of(op)
    if mask is None or _first_dim(op) is None:
        return mask
    one = len(vector_type(mask).get_shape()) == 1
    return None if one else steps.extract(mask, at)


# -- several dimensions ----------------------------------------------------------------


def _unrolled(max_rank: int) -> tuple[Pattern, ...]:
    @pattern(TransferReadOp)
    def unroll_read(op: TransferReadOp, rewriter: Rewriter) -> None:
        """Read the parts along the first lanes, and insert them."""
        kind, steps = vector_type(op.result), Steps()
        if len(kind.get_shape()) <= max_rank or not _is_lowered(op):
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
                indices = _moved(op, number, new)
                part_kind = vector_with(kind.element_type, kind.get_shape()[1:])
                read = TransferReadOp(
                    source_of(op),
                    indices,
                    op.padding,
                    part_kind,
                    ArrayAttr(op.in_bounds.data[1:]),
                    _rest(op),
                    _part_mask(op, at, new),
                )
                return new.insert(new.add(read), before, *where, at)

            value = _guarded(op, number, steps, inside, total)
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
        if len(kind.get_shape()) <= max_rank or not _is_lowered(op):
            return
        for at in range(kind.get_shape()[0]):
            number = steps.constant(at, IndexType())

            def inside(new: Steps, at: int = at, number: SSAValue = number) -> None:
                write = TransferWriteOp(
                    new.extract(op.vector, at),
                    source_of(op),
                    _moved(op, number, new),
                    ArrayAttr(op.in_bounds.data[1:]),
                    _part_mask(op, at, new),
                    _rest(op),
                    None,
                )
                new.ops.append(write)

            _guarded(op, number, steps, inside, None)
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
    if len(vector_of(op).get_shape()) != 1 or not _is_lowered(op):
        return False
    source = source_of(op).type
    assert is_buffer(source)
    return broadcast_dims(op.permutation_map.data) != [] or not is_contiguous(source)


def _loop(count: int, steps: Steps, carried: list[SSAValue], body: Block) -> Operation:
    zero, end, one = (steps.index(number) for number in (0, count, 1))
    loop = scf.ForOp(zero, end, one, carried, Region(body))
    steps.ops.append(loop)
    return loop


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
    indices = _moved(op, at, new)

    def inside(then: Steps) -> SSAValue:
        element = then.add(memref.LoadOp(source_of(op), indices))
        return then.insert(element, before, at)

    value = _guarded(op, at, new, inside, before)
    assert value is not None
    block.add_ops([*new.ops, scf.YieldOp(value)])
    loop = _loop(kind.get_shape()[0], steps, [start], block)
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
    indices = _moved(op, at, new)

    def inside(then: Steps) -> None:
        element = then.extract(op.vector, at)
        then.ops.append(memref.StoreOp(element, source_of(op), indices))

    _guarded(op, at, new, inside, None)
    block.add_ops([*new.ops, scf.YieldOp()])
    _loop(kind.get_shape()[0], steps, [], block)
    rewriter.insert_before(op, *steps.ops)
    rewriter.erase(op)


def transfer_to_scf(max_rank: int, full_unroll: bool) -> tuple[Pattern, ...]:
    """The patterns for transfers of higher rank; the caller refuses other loops."""
    assert full_unroll
    rows = (loop_over_read, loop_over_write) if max_rank == 1 else ()
    return (*_unrolled(max_rank), *rows)
