"""The partition that copies tiles into shared memory, ahead of those that read them.

**Before**, in a kernel

    scf.for %k = ... {
      %a = kernel.descriptor_load %a_desc[%off_m, %k] ...
      %b = kernel.descriptor_load %b_desc[%k, %off_n] ...
      ...

**After**

    scf.for %k = ... iter_args(%count = %zero) {
      %slot, %phase = ...
      warps.wait %a_b_empty[%slot] parity (phase ^ 1)
      warps.expect %a_b_full[%slot] bytes ...
      warps.copy_in %a_desc[%off_m, %k] to (slot of %a_ring) then %a_b_full[%slot]
      warps.copy_in %b_desc[%k, %off_n] to (slot of %b_ring) then %a_b_full[%slot]
      scf.yield %count + 1
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.kernel.dead_code import remove_dead
from tilewright.codegen.passes.specialize.plan import Plan
from tilewright.codegen.passes.specialize.stages import Stage
from tilewright.codegen.passes.specialize.writer import Memory, Writer, constant
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import DescriptorLoadOp, LoadOp
from tilewright.ir.dialects.warps import (
    CopyInOp,
    ExpectOp,
    SlotOp,
    WaitOp,
    tile_bytes,
)


def write_loader(plan: Plan, memory: Memory) -> Block:
    """The body of the loader."""
    loader = _Loader(plan, memory)
    loader.write(plan.kernel.body.block)
    remove_dead(loader.block)
    return loader.block


class _Loader(Writer):
    """Follows the numbers and the loops of a kernel, and leaves its tiles out."""

    def write(self, block: Block) -> None:
        """Append what the loader does in a block."""
        for op in block.ops:
            match op:
                case _ if op in self.plan.numbers:
                    self._own(op)
                case DescriptorLoadOp():
                    self._load(op)
                case scf.ForOp():
                    self._loop(op)
                case _:
                    self._number(op)

    def _own(self, op: Operation) -> None:
        """Copy an op on tiles that numbers are computed of."""
        made = self.add(op.clone(self.values), op)
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
            self.values[old] = new

    def _number(self, op: Operation) -> None:
        """Copy arithmetic on numbers: offsets and bounds depend on it."""
        is_read = is_side_effect_free(op) or isinstance(op, LoadOp)
        is_tile = any(isinstance(value.type, VectorType) for value in op.results)
        if not op.results or not is_read or is_tile or op.regions:
            return
        if all(operand in self.values for operand in op.operands):
            self.copy(op, [result.type for result in op.results])

    def _loop(self, op: scf.ForOp) -> None:
        if not self.plan.rings_in(op):
            return
        self._need(op, (op.lb, op.ub, op.step))
        terminator = op.body.block.last_op
        assert isinstance(terminator, scf.YieldOp)
        numbers = [
            n
            for n, value in enumerate(op.iter_args)
            if not isinstance(value.type, VectorType) and value in self.values
        ]
        starts = [self.values[op.iter_args[n]] for n in numbers]
        carried = [op.body.block.args[1 + n] for n in numbers]
        loop, rings = self.carrying(op, starts, carried)
        with self.inside(loop.body.block):
            self.write(op.body.block)
            yielded = [terminator.arguments[n] for n in numbers]
            self._need(op, yielded)
            counts = [self.counts[ring] for ring in rings]
            self.add(scf.YieldOp(*[self.values[v] for v in yielded], *counts))
        self.leave(loop, rings)
        for place, n in enumerate(numbers):
            self.values[op.res[n]] = loop.res[place]

    def _load(self, op: DescriptorLoadOp) -> None:
        stage = next(stage for stage in self.plan.stages if op in stage.loads)
        self._need(op, op.offsets)
        if op is not stage.loads[-1]:
            return  # The last load of a stage brings the tiles of all.
        phase = self._free(stage)
        parts = range(self.plan.consumers)
        if self.plan.is_apart(stage.ring):
            for part in parts:
                self._fill(stage, phase, [part], part)
        else:
            self._fill(stage, phase, parts, 0)
        self.advance(stage.ring)

    def _fill(
        self, stage: Stage, phase: SSAValue, parts: Sequence[int], barrier: int
    ) -> None:
        """Wait until the tiles of some consumers have been read, and start copies."""
        first, ring, slot = stage.loads[0], stage.ring, self.held[stage]
        full, at = self.memory.full[ring], self.barrier_slot(ring, slot, barrier)
        copies = [
            (load, part)
            for load in stage.loads
            for part in (parts if load.result in self.plan.split else parts[:1])
        ]
        self.add(WaitOp(self.memory.empty[ring], at, phase), like=first)
        size = sum(tile_bytes(self.plan.share(load.result)) for load, _ in copies)
        self.add(ExpectOp(full, at, size), like=first)
        for load, part in copies:
            tile = self.memory.rings[load.result]
            view = self.add(SlotOp(tile, self.tile_slot(load.result, slot, part)))
            self.add(
                CopyInOp(
                    self.values[load.descriptor],
                    self.offsets(load.result, load.offsets, part),
                    view.result,
                    full,
                    at,
                    load.partial is not None,
                ),
                like=load,
            )

    def _free(self, stage: Stage) -> SSAValue:
        """Take the next slot; the parity of the phase in which it has been read."""
        _, phase = self.take(stage)
        known = constant(phase)
        if known is not None:
            return self.number(1 - known)
        return self.add(arith.XOrIOp(phase, self.number(1))).result

    def _need(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Refuse offsets and bounds that the loader does not compute."""
        if any(value not in self.values for value in values):
            refuse(
                op,
                "specialize: what it loads depends on tiles that the kernel computes",
                "leave 'specialize' off this grid",
            )
