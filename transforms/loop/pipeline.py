"""`loop.pipeline`: overlap the iterations of a loop.

Before:
    scf.for %i = %c0 to %c10 step %c1 {
      %v = memref.load %a[%i] : memref<?xf32>
      %w = arith.addf %v, %c : f32
      memref.store %w, %b[%i] : memref<?xf32>
    }

After `{read_latency = 2}`: three stages, each with an op.
    %v0 = memref.load %a[%c0]
    %v1 = memref.load %a[%c1]                                         // the prologue
    %w0 = arith.addf %v0, %c
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%v = %v1, %w = %w0) {
      %i2 = arith.addi %i, %c2
      %v2 = memref.load %a[%i2]
      %w1 = arith.addf %v, %c
      memref.store %w, %b[%i]
      scf.yield %v2, %w1
    }
    %w9 = arith.addf %r#0, %c                                         // the epilogue
    memref.store %r#1, %b[%c8]
    memref.store %w9, %b[%c9]

Requires: constant bounds and at least as many iterations as there are stages before the
last; carried values that the body makes; and no buffer that one stage writes and
another touches, unless each iteration has a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import arith, scf
from tilewright.ir.indexing.loops import constant_bounds, trip_count
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.shared.loop_bodies import (
    constant_like,
    launch_attributes,
)
from tilewright.transforms.loop.shared.pipeline_schedule import (
    Schedule,
    flaw,
    schedule,
    used_values,
)
from tilewright.transforms.loop.shared.targets import (
    check_apart,
    check_for_handle,
    for_loop,
)


@irdl_op_definition
class LoopPipelineOp(TargetOp):
    """Pipeline loops; consumes them, returns the loops of the steady state."""

    name = "transform.loop.pipeline"
    TARGET_KIND: ClassVar[str] = "scf.for"

    iteration_interval = prop_def(
        IntegerAttr.constr(i64), default_value=IntegerAttr(1, i64)
    )
    read_latency = prop_def(IntegerAttr.constr(i64), default_value=IntegerAttr(10, i64))
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check the type of the handle, the interval and the latency."""
        check_for_handle(self.target.type)
        if self.iteration_interval.value.data < 1:
            raise VerifyException("attribute 'iteration_interval' must be positive")
        if self.read_latency.value.data < 0:
            raise VerifyException("attribute 'read_latency' must not be negative")

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each loop; none may lie in another."""
        check_apart(self, state.payload_ops(self.target))
        return super().plans(state)

    def analyze(self, op: Operation) -> Plan:
        """Assign a stage to each op and check that the new order is legal."""
        loop = for_loop(self, op)
        trips = trip_count(loop)
        if trips is None or constant_bounds(loop) is None:
            raise self.refuse(
                "the bounds are not constants", loop, "peel or tile the loop first"
            )
        if loop.body.block.first_op is loop.body.block.last_op:
            raise self.refuse(
                "the loop's body is empty", loop, remedy="canonicalize drops it"
            )
        planned = schedule(
            loop, self.iteration_interval.value.data, self.read_latency.value.data
        )
        if trips < planned.depth:
            raise self.refuse(
                f"the loop runs {trips} times, and {planned.depth} iterations would be "
                "under way",
                loop,
                "lower read_latency, or raise iteration_interval",
            )
        if (found := flaw(planned)) is not None:
            raise self.refuse(*found)
        return Plan(planned, _ages(planned))

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> scf.ForOp:
        """Replace the loop by prologue, kernel and epilogue; the kernel."""
        loop, depth = plan.schedule.loop, plan.schedule.depth
        bounds = constant_bounds(loop)
        trips = trip_count(loop)
        assert bounds is not None and trips is not None
        new_ops = OpList()
        versions = Versions()
        for iteration in (*range(depth), *range(trips - depth, trips)):
            number = bounds[0] + iteration * bounds[2]
            start = new_ops.add(constant_like(number, loop.lb))
            versions.set(loop.body.block.args[0], iteration, start)
        for arg, init in zip(loop.body.block.args[1:], loop.iter_args, strict=True):
            versions.set(arg, 0, init)
        for now in range(depth):
            for op, stage in plan.schedule.stages.items():
                if stage <= now:
                    new_ops.ops.append(versions.run(op, now - stage, loop))
        upper = new_ops.add(constant_like(bounds[1] - depth * bounds[2], loop.ub))
        kernel = _kernel(plan, upper, versions)
        new_ops.ops.append(kernel)
        after = _after_kernel(plan, kernel, trips, versions)
        for now in range(1, depth + 1):
            for op, stage in plan.schedule.stages.items():
                if stage >= now:
                    new_ops.ops.append(after.run(op, trips - 1 + now - stage, loop))
        rewriter.insert_before(loop, *new_ops.ops)
        args = loop.body.block.args[1:]
        rewriter.replace(
            loop, [after.get(arg, trips) for arg in args], stands_for=kernel
        )
        return kernel


@dataclass(frozen=True)
class Plan:
    """A schedule, and the values that later kernel iterations need."""

    schedule: Schedule
    ages: dict[SSAValue, int]
    """How many kernel iterations old a value may get; one that was just made is 0, one
    that the loop carries anyway 1."""


def _ages(planned: Schedule) -> dict[SSAValue, int]:
    """The values that cross stages, in the order in which ops ask for them."""
    ages: dict[SSAValue, int] = {}
    for op in planned.stages:
        for value in [*op.operands, *_inside(op)]:
            age = planned.age(op, value)
            least = 1 if isinstance(value, BlockArgument) else 0
            if age is not None and age > least:
                ages[value] = max(ages.get(value, 0), age - least)
    return ages


def _inside(op: Operation) -> list[SSAValue]:
    return [value for value in used_values(op) if value not in op.operands]


class Versions:
    """The copies of the body's values, by iteration."""

    def __init__(self) -> None:
        self._values: dict[tuple[SSAValue, int], SSAValue] = {}

    def set(self, value: SSAValue, iteration: int, stands: SSAValue) -> None:
        """Set the copy of a value for an iteration."""
        self._values[value, iteration] = stands

    def get(self, value: SSAValue, iteration: int) -> SSAValue:
        """The copy of a value for an iteration; a value from outside is itself."""
        return self._values.get((value, iteration), value)

    def run(self, op: Operation, iteration: int, loop: scf.ForOp) -> Operation:
        """A copy of an op for one iteration."""
        mapping = {v: self.get(v, iteration) for v in used_values(op)}
        copy = op.clone(mapping)
        for old, new in zip(op.results, copy.results, strict=True):
            self.set(old, iteration, new)
            for position, value in enumerate(yielded(loop)):
                if value is old:
                    arg = loop.body.block.args[position + 1]
                    self.set(arg, iteration + 1, new)
        return copy


def _kernel(plan: Plan, upper: SSAValue, before: Versions) -> scf.ForOp:
    """The loop of the steady state, in which each op works on its own iteration."""
    loop, depth = plan.schedule.loop, plan.schedule.depth
    old = loop.body.block
    inits = [
        before.get(arg, depth - plan.schedule.stages[_definer(value)])
        for arg, value in zip(old.args[1:], yielded(loop), strict=True)
    ]
    for value, oldest in plan.ages.items():
        stage = _stage(plan, value)
        inits += [before.get(value, depth - stage - age) for age in _old_first(oldest)]
    block = Block(arg_types=[old.args[0].type, *(init.type for init in inits)])
    current: dict[SSAValue, SSAValue] = {}
    current.update(zip(old.args[1:], block.args[1:], strict=False))
    aged: dict[tuple[SSAValue, int], SSAValue] = {}
    extra = iter(block.args[len(old.args) :])
    for value, oldest in plan.ages.items():
        aged |= {(value, age): next(extra) for age in _old_first(oldest)}
    for op, stage in plan.schedule.stages.items():
        head = OpList()
        mapping: dict[SSAValue, SSAValue] = {}
        for value in used_values(op):
            mapping[value] = _in_kernel(plan, op, value, current, aged)
        if old.args[0] in mapping:
            ahead = head.add(constant_like((depth - stage) * _step(loop), loop.lb))
            mapping[old.args[0]] = head.add(arith.AddiOp(block.args[0], ahead))
        copy = op.clone(mapping)
        current.update(zip(op.results, copy.results, strict=True))
        block.add_ops([*head.ops, copy])
    results = [current[value] for value in yielded(loop)]
    for value, oldest in plan.ages.items():
        older = [aged[value, age - 1] for age in _old_first(oldest) if age > 1]
        results += [*older, current[value]]
    block.add_op(scf.YieldOp(*results))
    kernel = scf.ForOp(loop.lb, upper, loop.step, inits, Region(block))
    kernel.attributes = launch_attributes(loop)
    kernel.location = loop.location
    return kernel


def _in_kernel(
    plan: Plan,
    op: Operation,
    value: SSAValue,
    current: dict[SSAValue, SSAValue],
    aged: dict[tuple[SSAValue, int], SSAValue],
) -> SSAValue:
    """The operand of a kernel op that stands for a value of the body."""
    age = plan.schedule.age(op, value)
    if age is None:
        return value
    if not isinstance(value, BlockArgument):
        return current[value] if age == 0 else aged[value, age]
    if age == 0:  # made earlier in this kernel iteration
        return current[yielded(plan.schedule.loop)[value.index - 1]]
    return current[value] if age == 1 else aged[value, age - 1]


def _after_kernel(
    plan: Plan, kernel: scf.ForOp, trips: int, before: Versions
) -> Versions:
    """The values that the epilogue starts with: the kernel's results, by iteration."""
    loop, depth = plan.schedule.loop, plan.schedule.depth
    after = Versions()
    index = loop.body.block.args[0]
    for iteration in range(trips - depth, trips):
        after.set(index, iteration, before.get(index, iteration))
    results = iter(kernel.results)
    for arg, value in zip(loop.body.block.args[1:], yielded(loop), strict=True):
        stage = plan.schedule.stages[_definer(value)]
        after.set(arg, trips - stage, next(results))
    for value, oldest in plan.ages.items():
        stage = _stage(plan, value)
        for age in _old_first(oldest):
            after.set(value, trips - stage - age, next(results))
    return after


def _old_first(oldest: int) -> range:
    return range(oldest, 0, -1)


def _definer(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


def _stage(plan: Plan, value: SSAValue) -> int:
    """The stage of the op that makes a value, or yields it as a carried one."""
    made = plan.schedule.definition(value)
    assert made is not None
    return plan.schedule.stages[made[0]]


def _step(loop: scf.ForOp) -> int:
    bounds = constant_bounds(loop)
    assert bounds is not None
    return bounds[2]
