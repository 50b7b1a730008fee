"""Write the values of a scatter to their places where they are computed.

**Before** (buffer level)

    scf.forall (%i) in (8) {
      ...
      vector.transfer_write %place_tile, %places[%o] : ...
      vector.transfer_write %value_tile, %values[%o] : ...
    }
    (the initial values of %sums)
    linalg.generic ins(%places, %values) outs(%sums) attrs = {
      triton.library = "atomics"} {...}

**After**

    (the initial values of %sums)
    scf.forall (%i) in (8) {
      ...
      vector.scatter %sums[0][%place_tile], %inside, %value_tile {tilewright.adds}
    }

The scatter has the attribute `tilewright.adds`: its lanes add to what is there, by
atomics, so that lanes and programs may add to one element. One that stores has
`tilewright.any_order`, and writes over what is there. `%inside` leaves out places
outside of the result.

**Requires** one grid that writes both buffers as the same tiles, which nothing but the
generic reads; the default says so by `tilewright.only_called`, since later uses of the
buffers may be of something else. And no op between the two that needs the grid and
touches `%sums`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from tilewright.codegen.analysis.elements.reshapes import base_of
from tilewright.codegen.analysis.op_effects import (
    VIEWS,
    Effects,
    effects_of,
)
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, memref, vector
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.table import ONLY_CALLED
from tilewright.ir.launch_attributes.values import library_of
from tilewright.ir.structured.scatters import (
    ADDS,
    ANY_ORDER,
    ATOMICS,
    BY_KERNEL_BEFORE,
    Scatter,
    scatter_of,
)
from tilewright.ir.types import buffer_type, vector_type

_READS = (vector.TransferReadOp, vector.GatherOp)


def write_at_indices(module: ModuleOp) -> ModuleOp:
    """Let grids write the results of scatters, in a copy of the module if any do."""
    if not any(library_of(op) in BY_KERNEL_BEFORE for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if library_of(op) in BY_KERNEL_BEFORE:
            _rewrite(_analyze(op))
    return module


@dataclass(frozen=True)
class Plan:
    """The scatter of a function, and the grid that computes its updates."""

    op: GenericOp
    adds: bool
    grid: ForallOp
    places: vector.TransferWriteOp
    values: vector.TransferWriteOp
    before: tuple[Operation, ...]
    """The ops between grid and scatter that do not need the grid; they come first."""


def _refuse(op: Operation, fact: str) -> NoReturn:
    how = "stored by the kernel before it"
    if library_of(op) == ATOMICS:
        how = "added with atomics"
    refuse(op, f"cannot be {how}: {fact}", "compute both in one grid")


def _analyze(op: Operation) -> Plan:
    scatter = scatter_of(op) if isinstance(op, GenericOp) else None
    if not isinstance(op, GenericOp) or scatter is None:
        _refuse(op, "it does not write values to places")
    if library_of(op) != scatter.library:
        _refuse(op, "it adds values" if scatter.adds else "it stores values")
    buffers = [base_of(value) for value in (scatter.places, scatter.values)]
    grids = [_writer(op, buffer) for buffer in buffers]
    grid = grids[0]
    if grids[1] is not grid or not isinstance(grid, ForallOp):
        _refuse(op, "no one grid computes places and values")
    places, values = (_only_write(op, grid, buffer) for buffer in buffers)
    if values.parent is not places.parent or not _same_tiles(places, values, scatter):
        _refuse(op, "places and values are written as different tiles")
    if base_of(op.outputs[0]) in effects_of(grid).writes:
        _refuse(op, "the grid stores to its result, too")
    return Plan(op, scatter.adds, grid, places, values, _independent(op, grid))


def _writer(op: GenericOp, buffer: SSAValue) -> Operation | None:
    """The last op before the scatter that uses a buffer."""
    before = op.prev_op
    while before is not None:
        effects = effects_of(before)
        if buffer in effects.reads | effects.writes:
            return before
        before = before.prev_op
    return None


def _only_write(
    op: GenericOp, grid: ForallOp, buffer: SSAValue
) -> vector.TransferWriteOp:
    """The one write of a grid to a buffer that nothing but the scatter reads."""
    users = _users(buffer)
    inside = [user for user in users if grid.is_ancestor(user)]
    writes = [user for user in inside if not isinstance(user, _READS)]
    if len(writes) != 1 or not isinstance(writes[0], vector.TransferWriteOp):
        _refuse(op, "a grid writes its places or values in several ways")
    others = [user for user in users if user is not op and user not in inside]
    if others and ONLY_CALLED not in op.attributes:
        _refuse(op, f"'{others[0].name}' uses its places or values too")
    return writes[0]


def _users(value: SSAValue) -> list[Operation]:
    """The ops that use a buffer, directly or through views."""
    found: list[Operation] = []
    for use in value.uses:
        user = use.operation
        if isinstance(user, VIEWS):
            found += _users(user.results[0])
        elif not isinstance(user, memref.DeallocOp):
            found.append(user)
    return found


def _same_tiles(
    places: vector.TransferWriteOp, values: vector.TransferWriteOp, scatter: Scatter
) -> bool:
    """Whether lane i of one tile belongs to lane i of the other."""
    pair = (base_of(scatter.places), base_of(scatter.values))

    def same(one: SSAValue, other: SSAValue) -> bool:
        if one is other or (one, other) == pair:
            return True
        made, wanted = one.owner, other.owner
        if isinstance(made, Block) or isinstance(wanted, Block):
            return False
        return (
            made.name == wanted.name
            and made.properties == wanted.properties
            and len(made.operands) == len(wanted.operands)
            and all(map(same, made.operands, wanted.operands))
        )

    shapes = {buffer_type(value).get_shape() for value in pair}
    tiles = {vector_type(write.vector).get_shape() for write in (places, values)}
    return (
        len(shapes) == len(tiles) == 1
        and all(flag.value.data for flag in (*places.in_bounds, *values.in_bounds))
        and places.permutation_map == values.permutation_map
        and len(places.operands) == len(values.operands)
        and all(map(same, places.operands[1:], values.operands[1:]))
    )


def _independent(op: GenericOp, grid: ForallOp) -> tuple[Operation, ...]:
    """The ops between grid and scatter that may run before the grid.

    The others need what the grid computes, or overwrite what it reads. They stay behind
    it, and must not touch the scatter's result, which the grid now writes.
    """
    target = base_of(op.outputs[0])
    free: list[Operation] = []
    stuck: list[Operation] = []
    held = [effects_of(grid)]
    between = grid.next_op
    while between is not None and between is not op:
        effects = effects_of(between)
        needs = any(value.owner in stuck for value in between.operands)
        if needs or any(_conflict(effects, other) for other in held):
            if target in effects.reads | effects.writes:
                _refuse(op, f"'{between.name}' uses its result before")
            stuck.append(between)
            held.append(effects)
        else:
            free.append(between)
        between = between.next_op
    if between is None:
        _refuse(op, "its updates are computed later")
    return tuple(free)


def _conflict(one: Effects, other: Effects) -> bool:
    """Whether two ops may not change places."""
    touched = other.reads | other.writes
    return bool(one.writes & touched or one.reads & other.writes)


def _rewrite(plan: Plan) -> None:
    op, write = plan.op, plan.values
    for free in plan.before:
        free.detach()
        Rewriter.insert_op(free, InsertPoint.before(plan.grid))
    target = base_of(op.outputs[0])
    if target in effects_of(plan.grid).reads:
        _read_copy(plan, target)
    place, value = plan.places.vector, write.vector
    kind = place.type
    assert isa(kind, VectorType)
    (size,) = buffer_type(op.outputs[0]).get_shape()
    zero = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
    least, end = (arith.ConstantOp(dense_of(kind, [bound])) for bound in (0, size))
    not_below = arith.CmpiOp(place, least.result, "sge")
    not_above = arith.CmpiOp(place, end.result, "slt")
    inside = arith.AndIOp(not_below.result, not_above.result)
    made: list[Operation] = [zero, least, end, not_below, not_above, inside]
    if write.mask is not None:
        inside = arith.AndIOp(write.mask, inside.result)
        made.append(inside)
    scatter = vector.ScatterOp.build(
        operands=[op.outputs[0], [zero.result], place, inside.result, value],
        result_types=[None],
        attributes={ADDS if plan.adds else ANY_ORDER: UnitAttr()},
    )
    made.append(scatter)
    for new in made:
        new.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(write))
    unread = [base_of(buffer) for buffer in op.inputs]
    for gone in (op, plan.places, write):
        gone.detach()
        gone.erase()
    for buffer in unread:
        if not _users(buffer) and isinstance(buffer.owner, memref.AllocOp):
            _erase(buffer)


def _read_copy(plan: Plan, target: SSAValue) -> None:
    """Let a grid read a copy of the buffer that it writes: updates from before."""
    kind = buffer_type(target)
    owner = target.owner
    if not kind.has_static_shape() or not isinstance(owner, memref.AllocOp | Block):
        _refuse(plan.op, "its updates are computed from what they are written to")
    alignment = owner.alignment if isinstance(owner, memref.AllocOp) else None
    made = memref.AllocOp([], [], kind, alignment)
    copies: dict[SSAValue, SSAValue] = {target: made.memref}
    ops: list[Operation] = [made, memref.CopyOp(target, made.memref)]

    def copied(value: SSAValue) -> SSAValue:
        if value not in copies:
            view = value.owner
            assert isinstance(view, Operation)
            copied(view.operands[0])
            ops.append(view.clone(copies))
            copies[value] = ops[-1].results[0]
        return copies[value]

    for inner in plan.grid.walk():
        for position, value in enumerate(inner.operands):
            made_inside = isinstance(value.owner, Operation) and plan.grid.is_ancestor(
                value.owner
            )
            if base_of(value) is target and not made_inside:
                inner.operands[position] = copied(value)
    for new in ops:
        new.location = plan.op.location
    Rewriter.insert_op(ops, InsertPoint.before(plan.grid))


def _erase(buffer: SSAValue) -> None:
    """Erase a buffer that nothing uses any more, with its views."""
    for use in list(buffer.uses):
        for result in use.operation.results:
            _erase(result)
        if isinstance(use.operation, memref.DeallocOp):
            use.operation.detach()
            use.operation.erase()
    made = buffer.owner
    assert isinstance(made, Operation)
    made.detach()
    made.erase()
