"""`loop.fuse_sibling`: fuse two loops over the same range.

Before:
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) { ... }
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %b) -> (f32) { ... }

After `fuse_sibling %second into %first`:
    %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %b, %x = %a) -> (f32, f32) {
      ...           // the second loop's body, then the first's
    }               // %f#0 is %s, %f#1 is %r

The fused loop stands where the loop stood that was fused into. Two `scf.forall` with
the same mapping are fused in the same way. Ops between the loops make room: what the
target needs moves up with it, what uses the target moves down with it.

Requires: loops of one kind in one block, with the same bounds, steps and mapping,
neither of which depends on the other; ops between them that must move have no effects;
and, on buffers, iterations that do not write what another one touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import Extent
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.loop.shared.buffer_accesses import (
    Access,
    Index,
    accesses_in,
    conflict,
)
from tilewright.transforms.loop.shared.loop_bodies import launch_attributes

Loop = scf.ForOp | ForallOp


@irdl_op_definition
class LoopFuseSiblingOp(PlannedOp):
    """Fuse the target into the source; consumes both, returns the fused loop."""

    name = "transform.loop.fuse_sibling"
    FORM: ClassVar[str] = "fuse_sibling <target:handle> into <source:handle>"
    SUMMARY: ClassVar[str] = "make two independent loops one"

    target = operand_def(TransformOpHandleType)
    source = operand_def(TransformOpHandleType)
    fused_loop = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `into` $source attr-dict `:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """Both loops are gone."""
        return (self.target, self.source)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """Check the two loops."""
        targets = state.payload_ops(self.target)
        sources = state.payload_ops(self.source)
        if len(targets) != 1 or len(sources) != 1:
            raise self.broken(
                "needs exactly one target and one source, got "
                f"{len(targets)} and {len(sources)}",
                remedy="split the handles",
            )
        plan = analyze(self, targets[0], sources[0])
        for wrong in _clashes(self, plan.target, plan.source):
            state.doubt(self, wrong)
        return [plan]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Loop:
        """Fuse the two loops."""
        moves_down = plan.target.is_before_in_block(plan.source)
        anchor = plan.source.next_op if moves_down else plan.source
        assert anchor is not None, "a block ends with a terminator"
        for op in plan.moved:
            rewriter.move_before(op, anchor)
        fuse = _fuse_for if isinstance(plan.target, scf.ForOp) else _fuse_forall
        return fuse(plan, rewriter)


@dataclass(frozen=True)
class Plan:
    """Two loops of one kind; the target's body comes first in the fused loop."""

    target: Loop
    source: Loop
    moved: tuple[Operation, ...]
    """Ops between the loops, without effects, that the fused loop must not cross."""


def analyze(user: TransformOp, target: Operation, source: Operation) -> Plan:
    """Check that the loops can be fused."""
    for op in (target, source):
        if not isinstance(op, scf.ForOp | ForallOp):
            raise user.refuse(f"'{op.name}' is not a loop", op, "match scf.for")
    assert isinstance(target, Loop) and isinstance(source, Loop)
    if target is source:
        raise user.refuse(
            "target and source are the same loop", source, remedy="give two loops"
        )
    block = source.parent_block()
    if target.parent_block() is not block or block is None:
        raise user.refuse(
            "the loops do not stand in the same block",
            target,
            remedy="fuse loops that stand side by side",
        )
    if _range(target) != _range(source):
        raise user.refuse(
            "the loops differ in kind, bounds, step or mapping",
            target,
            "cse makes equal bounds the same value",
        )
    if target.is_before_in_block(source):
        moved = _users_between(user, target, source)
    else:
        moved = _operands_between(user, target, source)
    return Plan(target, source, moved)


def _range(loop: Loop) -> tuple[object, ...]:
    """The parts that must be equal: kind, bounds, steps, mapping."""
    if isinstance(loop, scf.ForOp):
        bounds = (_key(v) for v in (loop.lb, loop.ub, loop.step))
        return (scf.ForOp, loop.unsigned_cmp, *bounds)
    bounds = (loop.lower_bounds, loop.upper_bounds, loop.steps)
    return (ForallOp, loop.mapping, *(tuple(map(_key, part)) for part in bounds))


def _key(bound: Extent) -> Extent:
    number = constant_int(bound)
    return bound if number is None else number


def _users_between(
    user: TransformOp, target: Loop, source: Loop
) -> tuple[Operation, ...]:
    """The ops above the source that use the target, which moves down."""
    found: set[Operation] = {target}
    op = target.next_op
    while op is not None and found:
        if any(operand.owner in found for operand in _operands(op)):
            if op is source or not is_side_effect_free(op):
                raise user.refuse(
                    "what the target makes is used before, or in, the source",
                    op,
                    "fuse the source into the target",
                )
            found.add(op)
        if op is source:
            break
        op = op.next_op
    return tuple(op for op in _block_ops(target, source) if op in found)


def _operands_between(
    user: TransformOp, target: Loop, source: Loop
) -> tuple[Operation, ...]:
    """The ops below the source that the target uses, which moves up."""
    block = source.parent_block()
    found: set[Operation] = set()
    pending: list[Operation] = [target]
    while pending:
        op = pending.pop()
        for operand in _operands(op):
            owner = operand.owner
            if not isinstance(owner, Operation) or owner.parent_block() is not block:
                continue
            if owner in found or owner.is_before_in_block(source):
                continue
            if owner is source or not is_side_effect_free(owner):
                raise user.refuse(
                    "the target uses what is not there yet before the source",
                    op,
                    "fuse the source into the target",
                )
            found.add(owner)
            pending.append(owner)
    return tuple(op for op in _block_ops(source, target) if op in found)


def _operands(op: Operation) -> Iterator[SSAValue]:
    """The operands of an op and of the ops inside it."""
    for inner in op.walk():
        yield from inner.operands


def _block_ops(first: Operation, last: Operation) -> Iterator[Operation]:
    """The ops between two ops of a block."""
    op = first.next_op
    while op is not None and op is not last:
        yield op
        op = op.next_op


def _clashes(
    user: TransformOp, target: Loop, source: Loop
) -> Iterator[SilenceableFailure]:
    """The accesses to buffers whose order would change."""
    first, second = target, source
    if source.is_before_in_block(target):
        first, second = source, target
    moved = accesses_in(target)
    between = first.next_op
    while between is not None and between is not second:
        for clash in _shared(moved, accesses_in(between)):
            yield user.refuse(
                "what stands between the loops touches the same buffer",
                clash.op,
                remedy="move it before the first loop or after the second",
            )
        between = between.next_op
    others = accesses_in(source)
    shared = set(_shared(moved, others))
    if shared and first is source:
        # The target's body comes first in the fused loop.
        yield user.refuse(
            "the source touches, before it, what the target touches",
            target,
            "fuse the source into the target",
        )
    pairs = [(a, _indices(target)) for a in moved if a in shared]
    pairs += [(a, _indices(source)) for a in others if a in shared]
    clash = conflict(pairs)
    if clash is not None:
        yield user.refuse(
            f"'{clash.op.name}' may touch what another iteration touches",
            clash.op,
            remedy="fuse only loops whose iterations are independent",
        )


def _shared(left: Sequence[Access], right: Sequence[Access]) -> list[Access]:
    """The accesses to buffers that one side writes and the other touches."""
    if not left or not right:
        return []
    unknown = any(access.buffer is None for access in (*left, *right))
    found: list[Access] = []
    for own, others in ((left, right), (right, left)):
        for access in own:
            if unknown or any(
                other.buffer is access.buffer and (other.writes or access.writes)
                for other in others
            ):
                found.append(access)
    return found


def _indices(loop: Loop) -> list[Index]:
    if isinstance(loop, scf.ForOp):
        return [Index(loop.body.block.args[0], constant_int(loop.step) or 1)]
    return [
        Index(index, constant_int(step) or 1)
        for index, step in zip(loop.induction_vars, loop.steps, strict=True)
    ]


def _common_attributes(plan: Plan) -> dict[str, Attribute]:
    """The launch attributes that both loops have."""
    one, other = launch_attributes(plan.target), launch_attributes(plan.source)
    return {name: value for name, value in one.items() if other.get(name) == value}


def _merge_bodies(plan: Plan, rank: int, rewriter: Rewriter) -> Block:
    """Both bodies without terminators, the target's first, on the same indices."""
    carried = [list(loop.body.block.args[rank:]) for loop in (plan.target, plan.source)]
    indices = plan.source.body.block.args[:rank]
    arguments = [*indices, *(arg for args in carried for arg in args)]
    block = Block(arg_types=[arg.type for arg in arguments])
    places = iter(block.args[rank:])
    for loop, args in zip((plan.target, plan.source), carried, strict=True):
        for old, new in zip(loop.body.block.args, block.args[:rank], strict=False):
            old.replace_all_uses_with(new)
            new.name_hint = old.name_hint
        for arg in args:
            new = next(places)
            arg.replace_all_uses_with(new)
            new.name_hint = arg.name_hint
        for op in list(loop.body.block.ops):
            if op is not loop.body.block.last_op:
                op.detach()
                block.add_op(op)
    rewriter.changed(plan.source)
    return block


def _replace_both(plan: Plan, fused: Loop, rewriter: Rewriter) -> None:
    fused.location = plan.source.location
    rewriter.insert_before(plan.source, fused)
    count = len(plan.target.results)
    rewriter.replace(plan.target, fused.results[:count], stands_for=fused)
    rewriter.replace(plan.source, fused.results[count:], stands_for=fused)


def _fuse_for(plan: Plan, rewriter: Rewriter) -> Loop:
    target, source = plan.target, plan.source
    assert isinstance(target, scf.ForOp) and isinstance(source, scf.ForOp)
    block = _merge_bodies(plan, 1, rewriter)
    block.add_op(scf.YieldOp(*yielded(target), *yielded(source)))
    inits = [*target.iter_args, *source.iter_args]
    fused = scf.ForOp(source.lb, source.ub, source.step, inits, Region(block))
    fused.properties = source.properties.copy()
    fused.attributes = _common_attributes(plan)
    _replace_both(plan, fused, rewriter)
    return fused


def _fuse_forall(plan: Plan, rewriter: Rewriter) -> Loop:
    target, source = plan.target, plan.source
    assert isinstance(target, ForallOp) and isinstance(source, ForallOp)
    block = _merge_bodies(plan, source.rank, rewriter)
    insertions: list[Operation] = []
    for loop in (target, source):
        insertions += loop.terminator.region.block.ops
    for op in insertions:
        op.detach()
    block.add_op(InParallelOp(Region(Block(insertions))))
    fused = ForallOp(
        source.lower_bounds,
        source.upper_bounds,
        source.steps,
        [*target.outputs, *source.outputs],
        Region(block),
        source.mapping,
        _common_attributes(plan),
    )
    _replace_both(plan, fused, rewriter)
    return fused
