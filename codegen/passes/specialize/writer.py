"""Ops of a partition: a block under construction, numbers, slots and phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.codegen.passes.specialize.plan import Plan
from tilewright.codegen.passes.specialize.stages import Ring, Stage
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import ConstexprOp, DescriptorStoreOp, shape_of
from tilewright.ir.dialects.warps import BarriersOp, RingOp, RingType

OpT = TypeVar("OpT", bound=Operation)


TURN = Ring("turn", 1)
"""The turns that consumers take: a count as that of a ring, without tiles."""


class Memory:
    """The shared memory of a kernel: tiles and barriers of each ring."""

    def __init__(self, plan: Plan):
        self.ops: list[Operation] = []
        self.rings: dict[SSAValue, SSAValue] = {}
        """For each loaded tile, and each descriptor that stores, its shared memory."""
        self.full: dict[Ring, SSAValue] = {}
        self.empty: dict[Ring, SSAValue] = {}
        for ring, stage in plan.rings.items():
            for load in stage.loads:
                copies = self.copies(plan, load.result)
                self._ring(plan, load.result, ring.slots * copies)
            groups = plan.consumers if plan.is_apart(ring) else 1
            slots, readers = ring.slots * groups, plan.consumers // groups
            self.full[ring] = self._barriers(f"{ring.name}_full", slots, 1)
            self.empty[ring] = self._barriers(f"{ring.name}_empty", slots, readers)
        self.turns: SSAValue | None = None
        if plan.turns:
            self.turns = self._barriers("turns", plan.consumers, 1)
        for stage in plan.stages:
            first = plan.rings[stage.ring]
            for load, like in zip(stage.loads, first.loads, strict=True):
                self.rings[load.result] = self.rings[like.result]

    @staticmethod
    def copies(plan: Plan, value: SSAValue) -> int:
        """The copies that bring a tile: one, or one for each consumer."""
        return plan.consumers if value in plan.split else 1

    def store_ring(self, plan: Plan, op: DescriptorStoreOp) -> SSAValue:
        """The ring of the tiles that a descriptor stores, with a slot a consumer."""
        if op.descriptor not in self.rings:
            name = (op.descriptor.name_hint or "out").removesuffix("_desc")
            self._ring(plan, op.value, plan.consumers, name)
            self.rings[op.descriptor] = self.rings[op.value]
        return self.rings[op.descriptor]

    def _ring(
        self, plan: Plan, value: SSAValue, slots: int, name: str | None = None
    ) -> None:
        made = RingOp(RingType(slots, plan.share(value)))
        made.result.name_hint = f"{name or value.name_hint or 'tile'}_ring"
        self.ops.append(made)
        self.rings[value] = made.result

    def _barriers(self, name: str, slots: int, arrivals: int) -> SSAValue:
        made = BarriersOp(slots, arrivals)
        made.result.name_hint = name
        self.ops.append(made)
        return made.result


class Writer:
    """Appends ops to a block of a partition."""

    def __init__(self, plan: Plan, memory: Memory):
        self.plan = plan
        self.memory = memory
        self.values: dict[SSAValue, SSAValue] = {
            argument: argument for argument in plan.kernel.body.block.args
        }
        """The partition's value of each value of the kernel."""
        self.counts: dict[Ring, SSAValue] = {}
        """How often each ring has been filled, or read, so far."""
        self.held: dict[Stage, SSAValue] = {}
        """The slots of the stages that are filled, or read, at present."""
        self.block = Block()
        self._numbers: dict[tuple[Block, int], SSAValue] = {}

    # Ops.

    def add(self, op: OpT, like: Operation | None = None) -> OpT:
        """Append an op with the place of another."""
        if like is not None:
            op.location = like.location
        self.block.add_op(op)
        return op

    def number(self, value: int) -> SSAValue:
        """A number of 32 bits, one op for each in a block."""
        key = (self.block, value)
        if key not in self._numbers:
            made = self.add(arith.ConstantOp(IntegerAttr(value, i32)))
            self._numbers[key] = made.result
        return self._numbers[key]

    def named(self, op: Operation, hint: str) -> SSAValue:
        """Append an op and name its result."""
        self.add(op)
        op.results[0].name_hint = hint
        return op.results[0]

    def copy(self, op: Operation, results: Sequence[Attribute]) -> Operation:
        """Append an op without regions, on this partition's values."""
        made = type(op).create(
            operands=[self.values[operand] for operand in op.operands],
            result_types=results,
            properties=op.properties,
            attributes=op.attributes,
            location=op.location,
        )
        self.block.add_op(made)
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
            self.values[old] = new
        return made

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Append to another block."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    # Slots.

    def rings_in(self, op: Operation) -> list[Ring]:
        """The rings whose counts change inside an op."""
        return self.plan.rings_in(op)

    def count(self, ring: Ring) -> SSAValue:
        """How often a ring has been used so far."""
        if ring not in self.counts:
            self.counts[ring] = self.number(0)
        return self.counts[ring]

    def take(self, stage: Stage) -> tuple[SSAValue, SSAValue]:
        """The next slot of a stage's ring, and the parity of its phase."""
        count = self.count(stage.ring)
        slot, phase = self._place(stage.ring, count)
        self.held[stage] = slot
        return slot, phase

    def slot(self, ring: Ring, count: SSAValue) -> SSAValue:
        """The slot of a use."""
        if ring.slots == 1:
            return self.number(0)
        slots = self.number(ring.slots)
        return self.named(arith.RemSIOp(count, slots), "slot")

    def _place(self, ring: Ring, count: SSAValue) -> tuple[SSAValue, SSAValue]:
        if (known := constant(count)) is not None:
            return self.number(known % ring.slots), self.number(known // ring.slots % 2)
        slot, one = self.slot(ring, count), self.number(1)
        rounds = count
        if ring.slots > 1:
            rounds = self.add(arith.DivSIOp(count, self.number(ring.slots))).result
        return slot, self.named(arith.AndIOp(rounds, one), "phase")

    def advance(self, ring: Ring) -> None:
        """Go on to the next slot."""
        count = self.count(ring)
        if (known := constant(count)) is not None:
            self.counts[ring] = self.number(known + 1)
            return
        self.counts[ring] = self.named(arith.AddiOp(count, self.number(1)), "count")

    def tile_slot(
        self, value: SSAValue, slot: SSAValue, part: SSAValue | int
    ) -> SSAValue:
        """The slot of a tile in its ring, which holds the parts side by side."""
        return self._of_part(slot, Memory.copies(self.plan, value), part)

    def barrier_slot(
        self, ring: Ring, slot: SSAValue, part: SSAValue | int
    ) -> SSAValue:
        """The barrier of a slot, which each consumer may have its own of."""
        apart = self.plan.is_apart(ring)
        return self._of_part(slot, self.plan.consumers if apart else 1, part)

    def _of_part(self, slot: SSAValue, parts: int, part: SSAValue | int) -> SSAValue:
        if parts == 1:
            return slot
        if constant(slot) == 0:
            return part if isinstance(part, SSAValue) else self.number(part)
        first = self.add(arith.MuliOp(slot, self.number(parts))).result
        return self.plus(first, part)

    def plus(self, value: SSAValue, part: SSAValue | int) -> SSAValue:
        """A sum of numbers."""
        if part == 0:
            return value
        other = self.number(part) if isinstance(part, int) else part
        return self.add(arith.AddiOp(value, other)).result

    def offsets(
        self, value: SSAValue, offsets: Sequence[SSAValue], part: SSAValue | int
    ) -> list[SSAValue]:
        """The offsets of one consumer's part of a tile."""
        moved = [self.values[offset] for offset in offsets]
        dim = self.plan.split.get(value)
        if dim is not None:
            moved[dim] = self.plus(moved[dim], self.first_row(value, part))
        return moved

    def first_row(self, value: SSAValue, part: SSAValue | int) -> SSAValue | int:
        """The first row of a part of a tile."""
        rows = shape_of(self.plan.share(value))[self.plan.split[value]]
        if isinstance(part, int):
            return part * rows
        return self.add(arith.MuliOp(part, self.number(rows))).result

    # Loops.

    def carrying(
        self, op: scf.ForOp, starts: Sequence[SSAValue], carried: Sequence[SSAValue]
    ) -> tuple[scf.ForOp, list[Ring]]:
        """Append a loop that carries `carried` and the counts of its rings.

        Its body is empty, and its block arguments are the values of the loop inside.
        """
        rings = self.rings_in(op)
        counts = [self.count(ring) for ring in rings]
        types = [value.type for value in (*starts, *counts)]
        body = Block(arg_types=[op.body.block.args[0].type, *types])
        named = [op.body.block.args[0], *carried]
        for old, new in zip(named, body.args, strict=False):
            self.values[old] = new
            new.name_hint = old.name_hint
        for ring, count in zip(rings, body.args[1 + len(starts) :], strict=True):
            count.name_hint = "count"
            self.counts[ring] = count
        lower, upper, step = (self.values[bound] for bound in (op.lb, op.ub, op.step))
        loop = scf.ForOp(lower, upper, step, [*starts, *counts], body)
        loop.attributes |= {
            name: value
            for name, value in op.attributes.items()
            if not name.startswith("triton.")
        }
        self.add(loop, like=op)
        return loop, rings

    def leave(self, loop: scf.ForOp, rings: Sequence[Ring]) -> None:
        """The counts after a loop."""
        first = len(loop.res) - len(rings)
        for ring, count in zip(rings, loop.res[first:], strict=True):
            count.name_hint = "count"
            self.counts[ring] = count


def constant(value: SSAValue) -> int | None:
    """The number that a value is known to be."""
    owner = value.owner
    known = owner.value if isinstance(owner, arith.ConstantOp | ConstexprOp) else None
    return known.value.data if isinstance(known, IntegerAttr) else None
