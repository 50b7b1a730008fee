"""Order among launches on several streams, from the memory they read and write.

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

A launch waits for every earlier one on another stream that writes what it reads or
writes, or reads what it writes. What counts is memory, so that temporaries which share
it are kept apart too. Each stream begins after what the caller's had to do, and at the
end the caller's stream waits for all: memory that goes back to torch's allocator is
free there. Buffers, constants and counters are made before the first launch: torch
fills them on the caller's stream, which the other streams wait for only then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.reshapes import Reshape
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    FuncOp,
    LaunchOp,
    LibraryOp,
    LoadOp,
    OffsetOp,
    RecordOp,
    StoreOp,
    WaitOp,
)
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp

CALLER = 0
"""The stream a program is called on."""

_MADE_BY_TORCH = (memref.AllocOp, memref.GetGlobalOp, CountersOp)

_ENTRY = -1
"""The moment before the first op."""


@dataclass
class _Work:
    """An op that a stream is given, and the memory it touches."""

    op: Operation
    stream: int
    reads: set[object] = field(default_factory=set[object])
    writes: set[object] = field(default_factory=set[object])

    def conflicts(self, other: _Work) -> bool:
        """Whether the two may not change places."""
        touched = other.reads | other.writes
        return bool(self.writes & touched or self.reads & other.writes)


def order_streams(block: Block, kernels: dict[str, FuncOp]) -> None:
    """Insert events and waits where launches of a block ask for streams."""
    works = [work for op in block.ops if (work := _work(op, kernels)) is not None]
    if any(work.stream != CALLER for work in works):
        for op in list(block.ops):
            if isinstance(op, _MADE_BY_TORCH):
                _move_before(op, works[0].op)
        _Ordering(block, works).insert()


def written_memory(block: Block, kernels: dict[str, FuncOp]) -> set[object]:
    """The buffers that a launcher's ops may write; no views of them."""
    written: set[object] = set()
    for op in block.ops:
        if isinstance(op, LibraryOp):
            for inner in op.walk():
                if isinstance(inner, StructuredOp):
                    written |= {_memory(value) for value in inner.outputs}
                elif isinstance(inner, SoftmaxOp):
                    written.add(_memory(inner.output))
        elif (work := _work(op, kernels)) is not None:
            written |= work.writes
    return written


def _move_before(op: Operation, place: Operation) -> None:
    """Move an op up, behind the sizes it is computed from."""
    block = place.parent
    if block is None or op.parent is not block or op.is_before_in_block(place):
        return
    for operand in op.operands:
        if isinstance(operand.owner, Operation):
            _move_before(operand.owner, place)
    op.detach()
    block.insert_op_before(op, place)


class _Ordering:
    def __init__(self, block: Block, works: list[_Work]):
        self.block = block
        self.works = works
        streams = {CALLER, *(work.stream for work in works)}
        self.known: dict[int, dict[int, int]] = {stream: {} for stream in streams}
        """For each stream: up to which work of each other stream it has waited."""
        self.after: dict[int, dict[int, int]] = {}
        """What was known to its stream when a work was given to it."""
        self.events: dict[int, SSAValue] = {}

    def insert(self) -> None:
        for position, work in enumerate(self.works):
            self._before(position, work)
        last = self.block.last_op
        assert last is not None
        for stream in sorted(set(self.known) - {CALLER}):
            final = max(p for p, w in enumerate(self.works) if w.stream == stream)
            self._wait(CALLER, stream, final, last)

    def _before(self, position: int, work: _Work) -> None:
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


def _work(op: Operation, kernels: dict[str, FuncOp]) -> _Work | None:
    match op:
        case LaunchOp():
            work = _Work(op, CALLER if op.stream is None else op.stream.value.data)
            kernel = kernels[op.kernel.string_value()]
            parameters = kernel.body.block.args
            # Numbers come behind the buffers.
            for value, parameter in zip(op.buffers, parameters, strict=False):
                reads, writes = _effects(parameter)
                work.reads |= {_memory(value)} if reads else set()
                work.writes |= {_memory(value)} if writes else set()
            return work
        case CopyOp() | CopyWindowOp():
            return _Work(op, CALLER, {_memory(op.source)}, {_memory(op.target)})
        case LibraryOp():
            touched = {_memory(v) for inner in op.walk() for v in inner.operands}
            return _Work(op, CALLER, touched, touched)
        case _:
            return None


def _memory(value: SSAValue) -> object:
    """What a buffer lives in; counters of equal number are the same ones."""
    owner = value.owner
    if isinstance(owner, memref.ViewOp):
        return _memory(owner.source)
    if isinstance(owner, Reshape):
        return _memory(owner.src)
    return CountersOp if isinstance(owner, CountersOp) else value


def _effects(parameter: SSAValue) -> tuple[bool, bool]:
    """Whether a kernel reads and writes through a parameter."""
    reads = writes = False
    for use in parameter.uses:
        match use.operation:
            case LoadOp() | DescriptorLoadOp():
                reads = True
            case StoreOp() | DescriptorStoreOp():
                writes = True
            case OffsetOp() as offset:
                inner = _effects(offset.result)
                reads, writes = reads or inner[0], writes or inner[1]
            case _:
                return True, True
    return reads, writes
