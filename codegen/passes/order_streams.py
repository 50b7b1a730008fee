"""Order launches on several streams by the memory that they read and write.

**Before**

    kernel.launch @f(%a, %x) ... stream 1
    kernel.launch @g(%a, %y) ...
    kernel.launch @h(%x, %y, %out) ...

**After**

    %ready = kernel.record 0
    kernel.wait 1 for %ready
    kernel.launch @f(%a, %x) ... stream 1
    %done = kernel.record 1
    kernel.launch @g(%a, %y) ...
    kernel.wait 0 for %done
    kernel.launch @h(%x, %y, %out) ...

A launch waits for every earlier launch on another stream that writes memory which it
reads or writes, or reads memory which it writes. Memory is compared, not buffers, since
temporaries may share memory. Each stream first waits for the caller's stream. At the
end the caller's stream waits for all others, because memory that goes back to torch's
allocator is free on the caller's stream. Buffers, constants and counters are made
before the first launch: torch fills them on the caller's stream, and the other streams
wait for that stream only once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.launch_effects import CALLER, Work, work_of
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import CountersOp, RecordOp, WaitOp

_MADE_BY_TORCH = (memref.AllocOp, memref.GetGlobalOp, CountersOp)

_ENTRY = -1
"""The position before the first op."""


def order_streams(module: ModuleOp) -> ModuleOp:
    """Insert events and waits where launches ask for streams."""
    block, kernels = launcher_of(module).body.block, kernels_of(module)
    works = [work for op in block.ops if (work := work_of(op, kernels)) is not None]
    if any(work.stream != CALLER for work in works):
        for op in list(block.ops):
            if isinstance(op, _MADE_BY_TORCH):
                _move_before(op, works[0].op)
        _Ordering(block, works).insert()
    return module


def _move_before(op: Operation, place: Operation) -> None:
    """Move an op before `place`, with the sizes it is computed from."""
    block = place.parent
    if block is None or op.parent is not block or op.is_before_in_block(place):
        return
    for operand in op.operands:
        if isinstance(operand.owner, Operation):
            _move_before(operand.owner, place)
    op.detach()
    block.insert_op_before(op, place)


class _Ordering:
    def __init__(self, block: Block, works: list[Work]):
        self.block = block
        self.works = works
        streams = {CALLER, *(work.stream for work in works)}
        self.known: dict[int, dict[int, int]] = {stream: {} for stream in streams}
        """For each stream, the last op of each other stream it has waited for."""
        self.after: dict[int, dict[int, int]] = {}
        """For each op, what its stream had waited for when the op was launched."""
        self.events: dict[int, SSAValue] = {}

    def insert(self) -> None:
        for position, work in enumerate(self.works):
            self._before(position, work)
        last = self.block.last_op
        assert last is not None
        for stream in sorted(set(self.known) - {CALLER}):
            final = max(p for p, w in enumerate(self.works) if w.stream == stream)
            self._wait(CALLER, stream, final, last)

    def _before(self, position: int, work: Work) -> None:
        latest: dict[int, int] = {}
        for earlier, other in enumerate(self.works[:position]):
            if other.stream != work.stream and work.conflicts(other):
                latest[other.stream] = earlier
        if work.stream != CALLER:
            # Inputs and memory come from the caller's stream.
            latest.setdefault(CALLER, _ENTRY)
        for stream in sorted(latest):
            self._wait(work.stream, stream, latest[stream], work.op)
        self.after[position] = dict(self.known[work.stream])

    def _wait(self, stream: int, other: int, position: int, before: Operation) -> None:
        known = self.known[stream]
        if known.get(other, _ENTRY - 1) >= position:
            return
        wait = WaitOp(stream, self._event(other, position))
        self.block.insert_op_before(wait, before)
        for third, reached in (
            self.after.get(position, {}) | {other: position}
        ).items():
            if third != stream:
                known[third] = max(known.get(third, _ENTRY - 1), reached)

    def _event(self, stream: int, position: int) -> SSAValue:
        if position not in self.events:
            record = RecordOp(stream)
            record.event.name_hint = "ready" if position == _ENTRY else "done"
            if position == _ENTRY:
                self.block.insert_op_before(record, self.works[0].op)
            else:
                self.block.insert_op_after(record, self.works[position].op)
            self.events[position] = record.event
        return self.events[position]
