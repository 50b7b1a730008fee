"""Products that run by themselves: where they are waited for, and what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.passes.specialize.plan import Plan
from tilewright.codegen.passes.specialize.stages import Ring, Stage
from tilewright.codegen.passes.specialize.writer import Memory, Writer
from tilewright.ir.dialects import scf, vector
from tilewright.ir.dialects.kernel import DotOp, ExpandDimsOp, element_of, shape_of
from tilewright.ir.dialects.warps import ArriveOp, DotWaitOp, PinOp, WaitOp
from tilewright.ir.dtypes import element
from tilewright.ir.launch_attributes.table import PINNED
from tilewright.ir.launch_attributes.values import launch_attribute


@dataclass(eq=False)
class _Running:
    """A product under way."""

    op: DotOp
    started: SSAValue
    held: SSAValue | None
    """A left operand in registers, which stays there until the product is complete."""
    stages: list[Stage] = field(default_factory=list[Stage])
    """What is released when it is complete."""


class RunningProducts(Writer):
    """A partition that starts products and waits for them as late as it can."""

    def __init__(self, plan: Plan, memory: Memory):
        super().__init__(plan, memory)
        self.part: SSAValue | int = 0
        """Which part of the rows the partition has."""
        self._running: list[_Running] = []
        self._computed: list[SSAValue] = []
        """Tiles of the kernel that were computed while products run."""
        self._read = Counter[Ring]()
        """How many slots of each ring are read at present."""

    def start(self, op: DotOp, started: SSAValue, lhs: SSAValue) -> None:
        """Note that a product runs."""
        held = lhs if isinstance(lhs.type, VectorType) else None
        self._running.append(_Running(op, started, held))

    def computed(self, op: Operation) -> None:
        """Note what is computed while products run."""
        if self._running and not isinstance(op, ExpandDimsOp | vector.BroadcastOp):
            tiles = [
                value for value in op.results if isinstance(value.type, VectorType)
            ]
            self._computed += tiles

    def forget(self) -> list[DotOp]:
        """The products under way, which somebody else waits for."""
        dots = [running.op for running in self._running]
        self._running, self._computed = [], []
        self._read.clear()
        return dots

    # Waits.

    def complete_for(self, op: Operation) -> None:
        """Wait for the products that an op needs; all, if it ends or has a block."""
        needed = 0
        if op.regions or op.parent is None or op is op.parent.last_op:
            needed = len(self._running)
        read = [op.lhs, op.rhs] if isinstance(op, DotOp) else op.operands
        for count, running in enumerate(self._running, 1):
            if running.op.result in read:
                needed = max(needed, count)
        if needed:
            self._complete(needed, op)

    def _complete(self, count: int, like: Operation) -> None:
        """Wait for the oldest products, and release what they have read."""
        done, self._running = self._running[:count], self._running[count:]
        went_on = {running.op.acc for running in (*done, *self._running)}
        values = {one.op.result: one.started for one in done}
        values = {old: new for old, new in values.items() if old not in went_on}
        values |= {one.op.lhs: one.held for one in done if one.held is not None}
        # Operands of the wait stay in front of it, and run under the products.
        values |= {old: self._tied(old) for old in self._computed if _passes_on(old)}
        values = {old: new for old, new in values.items() if _may_wait(new)}
        results = self.wait(len(self._running), list(values.values()), like)
        self.values.update(zip(values, results, strict=True))
        self._computed = []
        for stage in [stage for one in done for stage in one.stages]:
            self._release(stage)

    def _tied(self, old: SSAValue) -> SSAValue:
        """What passes on, pinned if the loop asks for it and it is a column."""
        value, loop = self.values[old], old.owner.parent_op()
        is_pinned = isinstance(loop, scf.ForOp) and launch_attribute(loop, PINNED)
        is_column = len(shape_of(value.type)) == 1 and element_of(value.type) == f32
        if not (is_pinned and is_column):
            return value
        made = self.add(PinOp(value), like=loop).result
        made.name_hint = value.name_hint
        return made

    def wait(
        self, pending: int, values: Sequence[SSAValue], like: Operation
    ) -> list[SSAValue]:
        """Append a wait; the values after it."""
        made = self.add(DotWaitOp(pending, values), like=like)
        for result, value in zip(made.results, values, strict=True):
            result.name_hint = value.name_hint
        return list(made.results)

    # Slots.

    def acquire(self, stage: Stage) -> None:
        """Wait until the next slot of a stage's ring is full."""
        if self._running and self._read[stage.ring] == stage.ring.slots:
            # The loader waits for a slot that a product reads.
            self._complete(len(self._running), stage.loads[0])
        slot, phase = self.take(stage)
        full = self.memory.full[stage.ring]
        barrier = self.barrier_slot(stage.ring, slot, self.part)
        self.add(WaitOp(full, barrier, phase), stage.loads[0])
        self.advance(stage.ring)
        self._read[stage.ring] += 1

    def release_after(self, reader: Operation, stage: Stage) -> None:
        """Release a slot after its last reader: at once, or when a product is done."""
        if self._running and self._running[-1].op is reader:
            self._running[-1].stages.append(stage)
            return
        reads = [load.result for load in stage.loads]
        if any(_reads(running.op, reads) for running in self._running):
            self._complete(len(self._running), reader)
        self._release(stage)

    def _release(self, stage: Stage) -> None:
        """Tell the loader that a slot has been read."""
        empty = self.memory.empty[stage.ring]
        barrier = self.barrier_slot(stage.ring, self.held[stage], self.part)
        self.add(ArriveOp(empty, barrier), like=stage.loads[0])
        self._read[stage.ring] -= 1


def _may_wait(value: SSAValue) -> bool:
    """Whether a wait takes a tile: Triton 3.6 and 3.7 have no operands of a byte."""
    return element(element_of(value.type)).byte_width > 1


def _passes_on(value: SSAValue) -> bool:
    """Whether the next iteration reads a value."""
    return any(isinstance(use.operation, scf.YieldOp) for use in value.uses)


def _reads(dot: DotOp, loaded: Sequence[SSAValue]) -> bool:
    """Whether a product reads one of some loaded tiles, reshaped or not."""
    for operand in (dot.lhs, dot.rhs):
        while isinstance(operand.owner, Operation) and operand not in loaded:
            if len(operand.owner.operands) != 1:
                break
            operand = operand.owner.operands[0]
        if operand in loaded:
            return True
    return False
