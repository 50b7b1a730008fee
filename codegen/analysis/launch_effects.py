"""The memory that the ops of a launcher read and write, and the streams they run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.reshapes import Reshape
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
    StoreOp,
)
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp

CALLER = 0
"""The stream a program is called on."""


@dataclass
class Work:
    """An op that a stream is given, and the memory it touches."""

    op: Operation
    stream: int
    reads: set[object] = field(default_factory=set[object])
    writes: set[object] = field(default_factory=set[object])

    def conflicts(self, other: Work) -> bool:
        """Whether the two may not change places."""
        touched = other.reads | other.writes
        return bool(self.writes & touched or self.reads & other.writes)


def written_memory(block: Block, kernels: Mapping[str, FuncOp]) -> set[object]:
    """The buffers that a launcher's ops may write; views count as their buffers."""
    written: set[object] = set()
    for op in block.ops:
        if isinstance(op, LibraryOp):
            for inner in op.walk():
                if isinstance(inner, StructuredOp):
                    written |= {_memory(value) for value in inner.outputs}
                elif isinstance(inner, SoftmaxOp):
                    written.add(_memory(inner.output))
        elif (work := work_of(op, kernels)) is not None:
            written |= work.writes
    return written


def work_of(op: Operation, kernels: Mapping[str, FuncOp]) -> Work | None:
    """The work that an op of a launcher gives to a stream; None if it gives none."""
    match op:
        case LaunchOp():
            work = Work(op, CALLER if op.stream is None else op.stream.value.data)
            kernel = kernels[op.kernel.string_value()]
            parameters = kernel.body.block.args
            # The parameters after the buffers are numbers.
            for value, parameter in zip(op.buffers, parameters, strict=False):
                reads, writes = _effects(parameter)
                work.reads |= {_memory(value)} if reads else set()
                work.writes |= {_memory(value)} if writes else set()
            return work
        case CopyOp() | CopyWindowOp():
            return Work(op, CALLER, {_memory(op.source)}, {_memory(op.target)})
        case LibraryOp():
            touched = {_memory(v) for inner in op.walk() for v in inner.operands}
            return Work(op, CALLER, touched, touched)
        case _:
            return None


def _memory(value: SSAValue) -> object:
    """The memory of a buffer. All counters share one memory."""
    owner = value.owner
    if isinstance(owner, memref.ViewOp | memref.SubviewOp):
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
