"""The partitions that compute: each has its part of the rows of every product.

**Before**, in a kernel

    scf.for %k = ... iter_args(%acc = %zero) {
      %a = kernel.descriptor_load ...
      %b = kernel.descriptor_load ...
      %next = kernel.dot %a, %b, %acc
      scf.yield %next

**After**

    scf.for %k = ... iter_args(%acc = %zero, %count = ...) {
      warps.wait %a_b_full[%slot] parity %phase
      %started = warps.dot (slot of %a_ring), (slot of %b_ring), %acc
      %next = warps.dot_wait 1, %started
      warps.arrive %a_b_empty[slot of the step before] if (not the first step)
      scf.yield %next, %count + 1
    }
    warps.dot_wait 0 ...
    warps.arrive %a_b_empty[slot of the last step]

A loop that only adds products up keeps those of one step under way while the next one
is waited for. In other loops a product is waited for where its result is read, or at
the end of the block; what was computed in the meantime is an operand of the wait, so
that it stays in front of it. A slot is released once all products that read it are
complete.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.codegen.kernel.dead_code import remove_dead
from tilewright.codegen.passes.specialize.plan import Plan
from tilewright.codegen.passes.specialize.product_loops import adds_up, dots_of
from tilewright.codegen.passes.specialize.running import RunningProducts
from tilewright.codegen.passes.specialize.stages import Ring
from tilewright.codegen.passes.specialize.writer import TURN, Memory, constant
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CompareOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FullOp,
    ReshapeOp,
    ReturnOp,
    TransOp,
    shape_of,
)
from tilewright.ir.dialects.warps import (
    ArriveOp,
    CopyOutOp,
    FenceOp,
    PartOp,
    ReadOp,
    SlotOp,
    StoreWaitOp,
    SyncOp,
    TransposeOp,
    WaitOp,
    WriteOp,
)
from tilewright.ir.dialects.warps import DotOp as StartDotOp
from tilewright.ir.dialects.warps import ReshapeOp as ReshapeViewOp


def write_consumer(plan: Plan, memory: Memory) -> Block:
    """The body of a consumer; it asks which part of the rows it has."""
    consumer = _Consumer(plan, memory)
    consumer.write(plan.kernel.body.block)
    if consumer.stores:
        consumer.add(StoreWaitOp(0))
    remove_dead(consumer.block)
    return consumer.block


class _Consumer(RunningProducts):
    """Computes one part of the rows."""

    def __init__(self, plan: Plan, memory: Memory):
        super().__init__(plan, memory)
        self.stores = False
        if plan.consumers > 1:
            self.part = self.named(PartOp(), "part")

    def write(self, block: Block) -> None:
        """Append what the consumer does in a block."""
        here = [stage for stage in self.plan.stages if stage.home is block]
        loop = block.parent_op()
        started = dots_of(loop) if loop in self.plan.turns else []
        for op in block.ops:
            for stage in here:
                if op is stage.first_reader:
                    self.acquire(stage)
            if not (op is block.last_op and self._adds_up(loop)):
                self.complete_for(op)
            if op in started[:1]:
                self._take_turn(op)
            self._op(op)
            if op in started[-1:]:
                self._pass_turn(op)
            for stage in here:
                if op is stage.last_reader:
                    self.release_after(op, stage)

    def _op(self, op: Operation) -> None:
        match op:
            case DescriptorLoadOp() | scf.YieldOp() | ReturnOp():
                pass
            case DotOp():
                self._dot(op)
            case scf.ForOp():
                self._loop(op)
            case scf.IfOp():
                self._branch(op)
            case DescriptorStoreOp():
                self._store(op)
            case ReshapeOp() | TransOp() if _is_view(op.source):
                pass
            case ReshapeOp() if all(
                _is_stored(use.operation) for use in op.result.uses
            ):
                pass
            case arith.ConstantOp():
                self._constant(op)
            case ArangeOp() if op.result in self.plan.split:
                self._arange(op)
            case _:
                self._tiles(op)

    # Tiles.

    def _types(self, values: Sequence[SSAValue]) -> list[Attribute]:
        return [
            self.plan.share(value) if isinstance(value.type, VectorType) else value.type
            for value in values
        ]

    def _tiles(self, op: Operation) -> None:
        """The same op on this consumer's part."""
        for operand in op.operands:
            if operand not in self.values and _is_view(operand):
                self.values[operand] = self.add(ReadOp(self.view(operand)), op).result
        made = self.copy(op, self._types(op.results))
        self.computed(op)
        dim = self.plan.split.get(op.results[0]) if op.results else None
        if isinstance(made, FullOp) and made.extents is not None and dim is not None:
            # The name of a size is that of a whole tile's.
            names = [name.data for name in made.extents]
            names[dim] = ""
            made.properties["extents"] = ArrayAttr([StringAttr(n) for n in names])

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        if op.result in self.plan.split and isinstance(value, DenseIntOrFPElementsAttr):
            first = value.get_values()[0]
            part = dense_of(self.plan.share(op.result), [first])
            made = self.add(arith.ConstantOp(part), like=op)
            self.values[op.result] = made.result
            return
        self.copy(op, [op.result.type])

    def _arange(self, op: ArangeOp) -> None:
        """The numbers of this consumer's rows."""
        of = self.plan.share(op.result)
        rows = shape_of(of)[0]
        numbers = self.add(ArangeOp(rows), like=op).result
        first = self.first_row(op.result, self.part)
        assert isinstance(first, SSAValue), "several consumers share the rows"
        every = self.add(vector.BroadcastOp(first, of)).vector
        moved = self.add(arith.AddiOp(numbers, every), like=op).result
        moved.name_hint = op.result.name_hint
        self.values[op.result] = moved

    def view(self, value: SSAValue) -> SSAValue:
        """A loaded tile in shared memory, as an op reads it."""
        owner = value.owner
        if isinstance(owner, ReshapeOp):
            shape = shape_of(self.plan.share(value))
            return self.add(ReshapeViewOp(self.view(owner.source), shape)).result
        if isinstance(owner, TransOp):
            order = [int(dim) for dim in owner.order.get_values()]
            return self.add(TransposeOp(self.view(owner.source), order)).result
        assert isinstance(owner, DescriptorLoadOp)
        stage = next(stage for stage in self.plan.stages if owner in stage.loads)
        slot = self.tile_slot(value, self.held[stage], self.part)
        return self.add(SlotOp(self.memory.rings[value], slot)).result

    # Products.

    def _dot(self, op: DotOp) -> None:
        lhs = self.view(op.lhs) if _is_view(op.lhs) else self.values[op.lhs]
        acc = None if op.acc is None else self.values[op.acc]
        of = self.plan.share(op.result)
        started = self.add(StartDotOp(lhs, self.view(op.rhs), acc, of), like=op).result
        started.name_hint = op.result.name_hint
        self.values[op.result] = started
        self.start(op, started, lhs)

    # Turns.

    def rings_in(self, op: Operation) -> list[Ring]:
        """The rings that are read inside an op, and the turn, which has a count too."""
        turns = [TURN] if any(op.is_ancestor(loop) for loop in self.plan.turns) else []
        return [*super().rings_in(op), *turns]

    def _take_turn(self, like: Operation) -> None:
        """Wait for the consumer before this one; the first one goes first."""
        assert self.memory.turns is not None
        assert isinstance(self.part, SSAValue), "several consumers take turns"
        groups = self.plan.consumers
        # A fresh barrier lets a wait for parity 1 pass.
        raised = self.add(arith.AddiOp(self.part, self.number(groups - 1))).result
        is_later = self.add(arith.DivSIOp(raised, self.number(groups))).result
        count = self.add(arith.AddiOp(self.count(TURN), self.number(1))).result
        number = self.add(arith.AddiOp(count, is_later)).result
        parity = self.add(arith.AndIOp(number, self.number(1))).result
        self.add(WaitOp(self.memory.turns, self.part, parity), like=like)
        self.counts[TURN] = count
        count.name_hint = "turn"

    def _pass_turn(self, like: Operation) -> None:
        """Let the next consumer start its products."""
        assert self.memory.turns is not None and isinstance(self.part, SSAValue)
        after = self.add(arith.AddiOp(self.part, self.number(1))).result
        groups = self.number(self.plan.consumers)
        following = self.add(arith.RemSIOp(after, groups)).result
        self.add(ArriveOp(self.memory.turns, following), like=like)

    # Control.

    def _loop(self, op: scf.ForOp) -> None:
        starts = [self.values[value] for value in op.iter_args]
        loop, rings = self.carrying(op, starts, op.body.block.args[1:])
        terminator = op.body.block.last_op
        assert isinstance(terminator, scf.YieldOp)
        adds_up = self._adds_up(op)
        with self.inside(loop.body.block):
            self.write(op.body.block)
            if adds_up:
                self._end_step(loop, rings)
            counts = [self.counts[ring] for ring in rings]
            yielded = [self.values[value] for value in terminator.arguments]
            self.add(scf.YieldOp(*yielded, *counts))
        self.leave(loop, rings)
        for old, new in zip(op.res, loop.res, strict=False):
            self.values[old] = new
            new.name_hint = old.name_hint
        if adds_up:
            self._end_sum(op, loop, rings)

    def _end_step(self, loop: scf.ForOp, rings: Sequence[Ring]) -> None:
        """Wait for the products of the step before, and release its slots."""
        dots = self.forget()
        started = [self.values[dot.result] for dot in dots]
        done = self.wait(len(dots), started, loop)
        for dot, value in zip(dots, done, strict=True):
            self.values[dot.result] = value
        index, first = loop.body.block.args[0], loop.lb
        later = self.add(CompareOp("gt", index, first)).result
        for ring in rings:
            # The count is that of the next step.
            self._release_before(ring, 2, later, loop)

    def _end_sum(self, op: scf.ForOp, loop: scf.ForOp, rings: Sequence[Ring]) -> None:
        """After the loop: the last products, and the slots that they read."""
        sums = [n for n, value in enumerate(op.res) if _is_sum(op, n)]
        done = self.wait(0, [loop.res[n] for n in sums], op)
        for n, value in zip(sums, done, strict=True):
            self.values[op.res[n]] = value
        runs = None
        if not _runs(op):
            runs = self.add(CompareOp("lt", loop.lb, loop.ub)).result
        for ring in rings:
            self._release_before(ring, 1, runs, op)

    def _release_before(
        self, ring: Ring, steps: int, condition: SSAValue | None, like: Operation
    ) -> None:
        """Release the slot of so many steps ago."""
        count = self.count(ring)
        back = ring.slots - steps
        before = count
        if back:
            before = self.add(arith.AddiOp(count, self.number(back))).result
        barrier = self.barrier_slot(ring, self.slot(ring, before), self.part)
        self.add(ArriveOp(self.memory.empty[ring], barrier, condition), like=like)

    def _adds_up(self, loop: Operation | None) -> bool:
        """Whether a loop only adds products up, and may keep those of a step."""
        if not isinstance(loop, scf.ForOp) or not adds_up(loop):
            return False
        return all(ring.slots > 1 for ring in self.plan.rings_in(loop))

    def _branch(self, op: scf.IfOp) -> None:
        regions: list[Region] = []
        for region in (op.true_region, op.false_region):
            if not region.blocks:
                regions.append(Region())
                continue
            block = Block()
            with self.inside(block):
                self.write(region.block)
                terminator = region.block.last_op
                assert isinstance(terminator, scf.YieldOp)
                values = [self.values[value] for value in terminator.arguments]
                self.add(scf.YieldOp(*values))
            regions.append(Region(block))
        made = type(op).create(
            operands=[self.values[op.cond]],
            result_types=self._types(op.results),
            regions=regions,
            location=op.location,
        )
        self.add(made)
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
            self.values[old] = new

    # Stores.

    def _store(self, op: DescriptorStoreOp) -> None:
        """Through shared memory, by a copy that runs by itself."""
        ring = self.memory.store_ring(self.plan, op)
        value = op.value
        owner = value.owner
        slot = self.part if isinstance(self.part, SSAValue) else self.number(0)
        view = self.add(SlotOp(ring, slot)).result
        target = view
        if isinstance(owner, ReshapeOp) and value not in self.values:
            value = owner.source
            shape = shape_of(self.plan.share(value))
            target = self.add(ReshapeViewOp(view, shape)).result
        # The copy before may still read the tile; the thread that started it waits.
        self.add(StoreWaitOp(0), like=op)
        self.add(SyncOp(), like=op)
        self.add(WriteOp(self.values[value], target), like=op)
        self.add(FenceOp(), like=op)
        self.add(SyncOp(), like=op)
        offsets = self.offsets(op.value, op.offsets, self.part)
        descriptor = self.values[op.descriptor]
        partial = op.partial is not None
        self.add(CopyOutOp(descriptor, offsets, view, partial), like=op)
        self.stores = True


def _is_view(value: SSAValue) -> bool:
    """Whether a tile is in shared memory."""
    owner = value.owner
    if isinstance(owner, ReshapeOp | TransOp):
        return _is_view(owner.source)
    return isinstance(owner, DescriptorLoadOp)


def _is_stored(op: Operation) -> bool:
    return isinstance(op, DescriptorStoreOp)


def _is_sum(loop: scf.ForOp, number: int) -> bool:
    terminator = loop.body.block.last_op
    assert isinstance(terminator, scf.YieldOp)
    return isinstance(terminator.arguments[number].owner, DotOp)


def _runs(loop: scf.ForOp) -> bool:
    """Whether a loop is known to run at least once."""
    first, end = constant(loop.lb), constant(loop.ub)
    return first is not None and end is not None and first < end
