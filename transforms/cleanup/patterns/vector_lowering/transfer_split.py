"""Split transfers of buffers: a fast path in bounds, and a copy of a partial vector.

Before:
    %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<4xf32>

After `split_transfer_strategy = "vector-transfer"`:
    %view, %at = scf.if %is_inside -> (memref<?xf32>, index) {
      scf.yield %m, %i : memref<?xf32>, index
    } else {
      %part = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<4xf32>
      %whole = vector.type_cast %scratch : memref<4xf32> to memref<vector<4xf32>>
      memref.store %part, %whole[] : memref<vector<4xf32>>
      %cast = memref.cast %scratch : memref<4xf32> to memref<?xf32>
      scf.yield %cast, %c0 : memref<?xf32>, index
    }
    %v = vector.transfer_read %view[%at], %pad {in_bounds = [true]}

`linalg-copy` fills the scratch buffer and copies the elements in bounds into it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    MemRefType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import affine, arith, func, linalg, memref, scf
from tilewright.ir.dialects.memref.casts import can_cast
from tilewright.ir.dialects.memref.layouts import Layout, layout_of, sizes_of, strided
from tilewright.ir.dialects.vector import (
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
    TypeCastOp,
)
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    is_in_bounds,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.extents import dim_size
from tilewright.transforms.core.rewriter import Rewriter

ALIGNMENT = IntegerAttr(32, i64)
"""Upstream's alignment of the scratch buffer, in bytes."""


def split_transfers(strategy: str) -> tuple[Pattern, ...]:
    """The pattern of one strategy."""
    if strategy == "none":
        return ()
    if strategy == "force-in-bounds":
        return (force_in_bounds,)
    by_vector = strategy == "vector-transfer"

    @pattern(TransferReadOp)
    def split_read(op: TransferReadOp, rewriter: Rewriter) -> None:
        """Read from the buffer itself, or a copy of its last part."""
        if (scratch := _scratch(op)) is None:
            return
        other = Steps()
        if by_vector:
            part = other.add(op.clone())
            whole = other.add(TypeCastOp(scratch.memref))
            other.ops.append(memref.StoreOp(part, whole, []))
        else:
            fill = linalg.FillOp([op.padding], [scratch.memref])
            other.ops.append(fill)
            _copy(op, scratch.memref, other)
        steps = Steps()
        where = _place(op, _is_inside(op, steps), scratch.memref, steps, other)
        _insert(op, scratch, steps, rewriter)
        for at, value in enumerate(where):
            rewriter.set_operand(op, at, value)
        op.properties["in_bounds"] = _all_inside(op)
        rewriter.changed(op)

    @pattern(TransferWriteOp)
    def split_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
        """Write into the buffer itself, or by way of a scratch buffer."""
        if (scratch := _scratch(op)) is None:
            return
        steps, after = Steps(), Steps()
        is_inside = _is_inside(op, steps)
        where = _place(op, is_inside, scratch.memref, steps, Steps())
        write = op.clone()
        for at, value in enumerate(where, start=1):
            write.operands[at] = value
        write.properties["in_bounds"] = _all_inside(op)
        steps.ops.append(write)
        if by_vector:
            whole = after.add(TypeCastOp(scratch.memref))
            part = op.clone()
            part.operands[0] = after.add(memref.LoadOp(whole, []))
            after.ops.append(part)
        else:
            _copy(op, scratch.memref, after)
        outside = steps.binary("arith.xori", is_inside, steps.constant(True, i1))
        steps.ops.append(scf.IfOp(outside, [], [*after.ops, scf.YieldOp()]))
        _insert(op, scratch, steps, rewriter)
        rewriter.erase(op)

    return split_read, split_write


@pattern(TransferReadOp, TransferWriteOp)
def force_in_bounds(op: Transfer, rewriter: Rewriter) -> None:
    """Take every access to be in bounds."""
    if _is_candidate(op):
        op.properties["in_bounds"] = _all_inside(op)
        rewriter.changed(op)


# -- which, and with what memory -------------------------------------------------------


def _is_candidate(op: Transfer) -> bool:
    """Whether a transfer may leave its bounds; a split one lies in a branch."""
    map_ = op.permutation_map.data
    rank = len(map_.results)
    return (
        0 < rank <= map_.num_dims
        and map_ == AffineMap.minor_identity(map_.num_dims, rank)
        and not is_in_bounds(op)
        and not isinstance(op.parent_op(), scf.IfOp)
    )


def _scratch(op: Transfer) -> memref.AllocaOp | None:
    """A buffer for one vector; None if the transfer cannot be split."""
    kind, source = vector_of(op), source_of(op).type
    if not _is_candidate(op) or mask_of(op) is not None or not is_buffer(source):
        return None
    if isinstance(op.parent_op(), MaskOp) or _scope(op) is None:
        return None
    of = MemRefType(kind.element_type, kind.get_shape())
    if source.element_type != kind.element_type or _common(source, of) is None:
        return None
    return memref.AllocaOp([], [], of, ALIGNMENT)


def _scope(op: Operation) -> Block | None:
    """Where memory on the stack is allocated: not again in each turn of a loop."""
    found, parent = None, op.parent_op()
    while parent is not None:
        if isinstance(parent, func.FuncOp | scf.ForOp | scf.ForallOp | scf.ParallelOp):
            found = parent.regions[0].block
        if not isinstance(parent, scf.ForOp):
            break
        parent = parent.parent_op()
    return found


def _common(
    one: MemRefType[Attribute], other: MemRefType[Attribute]
) -> MemRefType[Attribute] | None:
    """A type that both buffers can be cast to."""
    if can_cast(one, other):
        return one
    first, second = layout_of(one), layout_of(other)
    if one.get_num_dims() != other.get_num_dims() or first is None or second is None:
        return None

    def agreed(left: int | None, right: int | None) -> int | None:
        return left if left == right else None

    strides = map(agreed, first.strides, second.strides)
    layout = Layout(tuple(strides), agreed(first.offset, second.offset))
    sizes = tuple(map(agreed, sizes_of(one), sizes_of(other)))
    return strided(other, sizes, layout)


# -- what is made ----------------------------------------------------------------------


def _insert(
    op: Transfer, scratch: memref.AllocaOp, steps: Steps, rewriter: Rewriter
) -> None:
    scope = _scope(op)
    assert scope is not None, "checked"
    rewriter.insert_at_start(scope, scratch)
    rewriter.insert_before(op, *steps.ops)


def _all_inside(op: Transfer) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr.from_bool(True)] * len(op.in_bounds.data))


def _is_inside(op: Transfer, steps: Steps) -> SSAValue:
    """Whether the vector ends inside the buffer, in all dimensions that may not."""
    ends: list[SSAValue] = []
    for dim, lanes in enumerate(vector_of(op).get_shape()):
        if bool(op.in_bounds.data[dim]):
            continue
        end = steps.apply(AffineExpr.dimension(0) + lanes, [op.indices[dim]])
        extent = steps.index(dim_size(source_of(op), dim, steps))
        is_end_inside = steps.add(arith.CmpiOp(end, extent, "sle"))
        ends.append(
            steps.binary("arith.andi", ends[-1], is_end_inside)
            if ends
            else is_end_inside
        )
    return ends[-1]


def _place(
    op: Transfer, is_inside: SSAValue, scratch: SSAValue, steps: Steps, other: Steps
) -> Sequence[SSAValue]:
    """The buffer to access in bounds and the indices there; `other` fills scratch."""
    source = source_of(op)
    kind = _common(buffer_type(source), buffer_type(scratch))
    assert kind is not None, "checked"
    zero, then, view = steps.index(0), Steps(), source
    space = kind.memory_space
    if buffer_type(view).memory_space != space:
        of = buffer_type(view)
        plain = MemRefType(of.element_type, of.shape, of.layout, space)
        view = then.add(
            memref.MemorySpaceCastOp.create(operands=[view], result_types=[plain])
        )
    if view.type != kind:
        view = then.add(memref.CastOp(view, kind))
    then.ops.append(scf.YieldOp(view, *op.indices))
    cast = other.add(memref.CastOp(scratch, kind))
    other.ops.append(scf.YieldOp(cast, *[zero] * len(op.indices)))
    types = [kind, *(index.type for index in op.indices)]
    choice = scf.IfOp(is_inside, types, then.ops, other.ops)
    steps.ops.append(choice)
    return choice.results


def _copy(op: Transfer, scratch: SSAValue, steps: Steps) -> None:
    """Copy the elements in bounds: into scratch for a read, out of it for a write."""
    left = AffineExpr.dimension(0) - AffineExpr.dimension(1)
    bounds = AffineMapAttr(AffineMap(3, 0, (left, AffineExpr.dimension(2))))
    sizes: list[SSAValue] = []
    for dim, lanes in enumerate(vector_of(op).get_shape()):
        extent = steps.index(dim_size(source_of(op), dim, steps))
        operands = [extent, op.indices[dim], steps.index(lanes)]
        sizes.append(steps.add(affine.MinOp(operands, bounds)))
    ones = [1] * len(sizes)
    part = memref.SubviewOp.get(source_of(op), list(op.indices), sizes, ones)
    whole = memref.SubviewOp.get(scratch, [0] * len(sizes), sizes, ones)
    ends = [steps.add(part), steps.add(whole)]
    if isinstance(op, TransferWriteOp):
        ends.reverse()
    steps.ops.append(memref.CopyOp(*ends))
