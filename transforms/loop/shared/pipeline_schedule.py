"""The schedule of a pipelined loop: the stage of each op, and their order.

An op of stage 2 works on an iteration while ops of stage 0 already work on the one two
later. Stages come from cycles: an op starts when its operands are there, a vector read
takes `read_latency` cycles, anything else one; a new iteration begins every
`iteration_interval` cycles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.vector import TransferReadOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.loop.shared.buffer_accesses import (
    Access,
    Index,
    accesses_in,
    conflict,
    origin_of,
)


@dataclass(frozen=True)
class Schedule:
    """The ops of a loop's body in the order they run, and the stage of each."""

    loop: scf.ForOp
    stages: dict[Operation, int]
    """In the order of a kernel iteration."""

    @property
    def depth(self) -> int:
        """The last stage: the number of iterations that are in flight beyond one."""
        return max(self.stages.values(), default=0)

    def definition(self, value: SSAValue) -> tuple[Operation, int] | None:
        """The op of the body that defines a value, and how many iterations earlier.

        A carried value is what the op that yields it made one iteration before.
        """
        block = self.loop.body.block
        earlier = 0
        if isinstance(value, BlockArgument) and value.owner is block:
            if value is block.args[0]:
                return None
            earlier = 1
            value = yielded(self.loop)[value.index - 1]
        owner = value.owner
        if not isinstance(owner, Operation) or owner not in self.stages:
            return None
        return owner, earlier

    def age(self, user: Operation, value: SSAValue) -> int | None:
        """How many kernel iterations ago an op's operand was computed."""
        made = self.definition(value)
        if made is None:
            return None
        definer, earlier = made
        return self.stages[user] - self.stages[definer] + earlier


def used_values(op: Operation) -> Iterator[SSAValue]:
    """The values from outside that an op and the ops inside it use."""
    for nested in op.walk():
        for operand in nested.operands:
            if not op.is_ancestor(operand.owner):
                yield operand


def schedule(loop: scf.ForOp, interval: int, read_latency: int) -> Schedule:
    """Assign stages, each op as early as its operands allow."""
    lower, upper = constant_int(loop.lb), constant_int(loop.ub)
    most = None if lower is None or upper is None else max(upper - lower - 1, 0)
    cycles: dict[Operation, int] = {}
    for op in loop.body.block.ops:
        if op is loop.body.block.last_op:
            continue
        start = 0
        for operand in op.operands:
            definer = operand.owner
            if not isinstance(definer, Operation):
                continue
            latency = read_latency if isinstance(definer, TransferReadOp) else 1
            if most is not None:
                latency = min(latency, most)
            # As upstream has it, values from outside have a latency too.
            start = max(start, cycles.get(definer, 0) + latency)
        cycles[op] = start
    in_order = sorted(cycles, key=lambda op: cycles[op] % interval)
    return Schedule(loop, {op: cycles[op] // interval for op in in_order})


def flaw(plan: Schedule) -> tuple[str, Operation] | None:
    """Why the body cannot run in this order, and the op concerned; None if it can."""
    loop = plan.loop
    for value in yielded(loop):
        if value.owner not in plan.stages:
            return "a carried value is not made in the loop's body", loop
    position = {op: number for number, op in enumerate(plan.stages)}
    for op in plan.stages:
        for value in used_values(op):
            age, made = plan.age(op, value), plan.definition(value)
            if age is None or made is None:
                continue
            if age < 0 or (age == 0 and position[made[0]] >= position[op]):
                return "an op would run before what it needs is there", op
    return _memory_flaw(plan, position)


def _memory_flaw(
    plan: Schedule, position: dict[Operation, int]
) -> tuple[str, Operation] | None:
    """A pair of accesses to one buffer whose order would change, if there is one."""
    loop = plan.loop
    body: list[tuple[Access, Operation]] = [
        (access, op)
        for op in loop.body.block.ops
        for access in map(_known, accesses_in(op))
        if op in plan.stages
    ]
    for number, (first, op) in enumerate(body):
        for second, later in body[number + 1 :]:
            if not _meet(first, second) or op is later:
                continue
            if (plan.stages[op], position[op]) > (plan.stages[later], position[later]):
                return "two accesses to one buffer would change places", later
    # Every iteration allocates the buffers of the body anew, and may hand them on.
    handed_on = {origin_of(value) for value in yielded(loop)}
    shared = [
        (access, op)
        for access, op in body
        if access.buffer is None
        or access.buffer in handed_on
        or not loop.is_ancestor(access.buffer.owner)
    ]
    spread = [
        access
        for access, op in shared
        if any(
            _meet(access, other) and plan.stages[op] != plan.stages[at]
            for other, at in shared
        )
    ]
    index = Index(loop.body.block.args[0], constant_int(loop.step) or 1)
    clash = conflict([(access, [index]) for access in spread])
    if clash is None:
        return None
    return f"'{clash.op.name}' may touch what another iteration touches", clash.op


def _known(access: Access) -> Access:
    """A buffer that the loop carries may be any buffer."""
    if access.buffer is None or isinstance(access.buffer.owner, Operation):
        return access
    is_carried = isinstance(access.buffer.owner.parent_op(), scf.ForOp)
    return replace(access, buffer=None) if is_carried else access


def _meet(one: Access, other: Access) -> bool:
    """Whether the order of two accesses can matter at all."""
    is_same = one.buffer is None or other.buffer is None or one.buffer is other.buffer
    return is_same and (one.writes or other.writes)
