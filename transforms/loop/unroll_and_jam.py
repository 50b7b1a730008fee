"""`loop.unroll_and_jam`: unroll a loop and merge the copies of its inner loops.

Before:
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %v = memref.load %a[%i, %j] : memref<8x?xf32>
        ...
      }
    }

After `{factor = 2}`:
    scf.for %i = %c0 to %c8 step %c2 {
      scf.for %j = %c0 to %n step %c1 {
        %v = memref.load %a[%i, %j] : memref<8x?xf32>
        ...
        %i1 = arith.addi %i, %c1 : index
        %v1 = memref.load %a[%i1, %j] : memref<8x?xf32>
        ...
      }
    }

What inner loops carry is carried once for each iteration.

Requires: a loop that carries nothing and runs a known number of times, which the factor
divides (one that is larger is lowered to it; `affine.for` may run any number of times,
and has one lower and one upper bound); inner loops whose bounds do not depend on
it; and iterations that do not write what another one touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import affine, arith
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.indexing.loops import constant_bounds, trip_count
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.cleanup.carried_values import Loop, inits_of, with_inits
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.loop.shared import affine_loops
from tilewright.transforms.loop.shared.buffer_accesses import (
    Index,
    accesses_in,
    conflict,
)
from tilewright.transforms.loop.shared.factor_op import FactorOp
from tilewright.transforms.loop.shared.loop_bodies import (
    constant_like,
    promote,
    set_range,
)
from tilewright.transforms.loop.shared.targets import for_loop


@irdl_op_definition
class LoopUnrollAndJamOp(FactorOp):
    """Unroll loops and merge the loops in them; consumes them."""

    name = "transform.loop.unroll_and_jam"
    FORM: ClassVar[str] = "unroll_and_jam <target:handle> by <factor:param>"
    SUMMARY: ClassVar[str] = (
        "unroll an outer loop and fuse the copies of its inner loops"
    )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each loop; none where a factor of 1 changes nothing."""
        for op in state.payload_ops(self.target):
            if not isinstance(op, affine.ForOp):
                for_loop(self, op)
        if self.factor.value.data == 1:
            return ()
        plans: Sequence[Plan] = super().plans(state)
        for plan in plans:
            if (wrong := self._clash(plan)) is not None:
                state.doubt(self, wrong)
        return plans

    def _clash(self, plan: Plan) -> SilenceableFailure | None:
        """An access that other iterations may make too, in another order then."""
        index = Index(plan.loop.body.block.args[0], plan.step)
        clash = conflict([(access, [index]) for access in accesses_in(plan.loop)])
        if clash is None:
            return None
        return self.refuse(
            f"'{clash.op.name}' may touch what another iteration touches",
            clash.op,
            remedy="unroll the inner loop instead",
        )

    def analyze(self, op: Operation) -> Plan:
        """Check that iterations may be interleaved."""
        loop = op if isinstance(op, affine.ForOp) else for_loop(self, op)
        if loop.results:
            raise self.refuse(
                "the loop carries values from one iteration to the next",
                loop,
                "unroll it instead, or bufferize first",
            )
        step, factor = self._range(loop)
        for inner in loop.body.walk():
            if isinstance(inner, Loop) and not _is_invariant(inner, loop):
                raise self.refuse(
                    "an inner loop's bounds depend on the loop", inner, "unroll it"
                )
        return Plan(loop, step, factor)

    def _range(self, loop: Loop) -> tuple[int, int]:
        """The step of a loop, and how many of its iterations can become one."""
        factor = self.factor.value.data
        if isinstance(loop, affine.ForOp):
            if (reason := affine_loops.why_not_unrolled(loop, factor)) is not None:
                raise self.refuse(reason, loop)
            return loop.step.value.data, factor
        trips, bounds = trip_count(loop), constant_bounds(loop)
        if trips is None or bounds is None:
            raise self.refuse("how often the loop runs is not known", loop, "unroll it")
        if trips == 0:
            raise self.refuse(
                "the loop never runs", loop, remedy="canonicalize drops it"
            )
        factor = min(factor, trips)
        if trips % factor:
            raise self.refuse(
                f"the factor {factor} does not divide the {trips} iterations",
                loop,
                "choose a divisor, or peel the loop first",
            )
        return bounds[2], factor

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> None:
        """Put each copy next to its original, loop by loop, and widen the step."""
        loop = plan.loop
        if loop.body.block.first_op is loop.body.block.last_op:
            return
        copies: list[dict[SSAValue, SSAValue]] = [{} for _ in range(plan.factor - 1)]
        if isinstance(loop, affine.ForOp):
            affine_loops.widen(loop, plan.factor, rewriter)
            _jam_block(loop.body.block, plan, copies, rewriter)
            affine_loops.set_step(loop, plan.step * plan.factor)
            affine_loops.promote(loop, rewriter)
            return
        wide = constant_like(plan.step * plan.factor, loop.step)
        rewriter.insert_before(loop, wide)
        _jam_block(loop.body.block, plan, copies, rewriter)
        set_range(loop, step=wide.result)
        promote(loop, rewriter)


@dataclass(frozen=True)
class Plan:
    """A loop, its step, and how many of its iterations become one."""

    loop: Loop
    step: int
    factor: int


def _is_invariant(inner: Loop, loop: Loop) -> bool:
    bounds = inner.operands[: len(inner.operands) - len(inner.results)]
    return all(is_defined_outside(value.owner, loop) for value in bounds)


def _jam_block(
    block: Block,
    plan: Plan,
    copies: list[dict[SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> None:
    """Repeat a block's ops for each copy; loops are merged."""
    run: list[Operation] = []
    for op in list(block.ops):
        is_loop = isinstance(op, Loop)
        if not is_loop and op is not block.last_op:
            run.append(op)
            continue
        if run:
            _repeat(run, plan, copies, rewriter)
            run = []
        if is_loop:
            _jam_loop(op, plan, copies, rewriter)


def _repeat(
    run: list[Operation],
    plan: Plan,
    copies: list[dict[SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> None:
    index = plan.loop.body.block.args[0]
    new_ops = OpList()
    for number, values in enumerate(copies, start=1):
        if index.uses.get_length():
            distance = number * plan.step
            if isinstance(plan.loop, affine.ForOp):
                later = affine_loops.later_index(index, distance)
            else:
                step = new_ops.add(constant_like(distance, index))
                later = arith.AddiOp(index, step)
            values[index] = new_ops.add(later)
        new_ops.ops += [op.clone(values) for op in run]
    rewriter.insert_after(run[-1], *new_ops.ops)


def _jam_loop(
    loop: Loop,
    plan: Plan,
    copies: list[dict[SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> None:
    """Let a loop carry its values once for each copy, and jam its body."""
    if not loop.results:
        _jam_block(loop.body.block, plan, copies, rewriter)
        return
    inits = list(inits_of(loop))
    all_inits = [*inits, *(v.get(init, init) for v in copies for init in inits)]
    old = loop.body.block
    block = Block(arg_types=[old.args[0].type, *(init.type for init in all_inits)])
    for before, after in zip(old.args, block.args, strict=False):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(after)
    for op in list(old.ops):
        op.detach()
        block.add_op(op)
    wide = with_inits(loop, all_inits, Region(block))
    rewriter.insert_before(loop, wide)
    count = len(inits)
    for number, values in enumerate(copies, start=1):
        part = slice(number * count, (number + 1) * count)
        values.update(zip(block.args[1 : count + 1], block.args[1:][part], strict=True))
        values.update(zip(wide.results[:count], wide.results[part], strict=True))
    rewriter.replace(loop, wide.results[:count], stands_for=wide)
    _jam_block(block, plan, copies, rewriter)
    last = block.last_op
    assert last is not None
    results = tuple(last.operands)
    last.operands = [*results, *(v.get(r, r) for v in copies for r in results)]
