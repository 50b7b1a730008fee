"""Temporaries share memory where one is dead before the other is first used.

**Before**

    %tmp = memref.alloc() : memref<64xf32>
    kernel.launch @f(%a, %tmp) ...
    kernel.launch @g(%tmp, %out) ...
    %tmp2 = memref.alloc() : memref<64xf32>
    kernel.launch @f(%out, %tmp2) ...

**After**

    %tmp = memref.alloc() : memref<64xf32>
    kernel.launch @f(%a, %tmp) ...
    kernel.launch @g(%tmp, %out) ...
    kernel.launch @f(%out, %tmp) ...

Where types differ the memory is bytes, and each temporary a `memref.view` of them.

Sharing relies on the order of launches: a launch that writes shared memory comes after
all launches that read it for its former owner. `order_streams.py`, a later pass, orders
launches on several streams by the memory that they use.

**Requires** one block; results and arguments are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i8, i64
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.codegen.kernel.modules import launcher_of
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dtypes import byte_width

_ALIGNMENT = 64
"""Alignment of an allocation, in bytes."""

_LARGEST_WASTE = 4
"""Memory is not shared by temporaries that differ by more than this factor."""


@dataclass
class _Memory:
    """A piece of memory and the temporaries that use it, one after another."""

    size: int
    free_from: int
    owners: list[memref.AllocOp] = field(default_factory=list[memref.AllocOp])


def share_memory(module: ModuleOp) -> ModuleOp:
    """Let temporaries of the launcher use the memory of dead ones."""
    block = launcher_of(module).body.block
    order = {op: position for position, op in enumerate(block.ops)}
    pool: list[_Memory] = []
    for alloc, first, last in _temporaries(block, order):
        size = _bytes(alloc)
        memory = _choose(pool, alloc, size, first)
        if memory is None:
            memory = _Memory(size, last)
            pool.append(memory)
        memory.size = max(memory.size, size)
        memory.free_from = last
        memory.owners.append(alloc)
    for memory in pool:
        _merge(memory)
    return module


def _temporaries(
    block: Block, order: dict[Operation, int]
) -> list[tuple[memref.AllocOp, int, int]]:
    """Allocations that are not returned, with first and last use, by first use."""
    found: list[tuple[memref.AllocOp, int, int]] = []
    for op in block.ops:
        if not isinstance(op, memref.AllocOp) or op.dynamic_sizes:
            # Whether a temporary of unknown size fits is known only at run time.
            continue
        uses = _uses(op.memref)
        places = [order[_in(block, use)] for use in uses]
        if not places or any(isinstance(use, func.ReturnOp) for use in uses):
            continue
        found.append((op, min(places), max(places)))
    return sorted(found, key=lambda entry: entry[1])


def _uses(buffer: SSAValue) -> list[Operation]:
    """The ops that use a buffer, a part of it or a view of it in another shape."""
    found: list[Operation] = []
    for use in buffer.uses:
        found.append(use.operation)
        if isinstance(use.operation, Reshape | memref.SubviewOp):
            found += _uses(use.operation.result)
    return found


def _in(block: Block, op: Operation) -> Operation:
    """The op of a block that is, or contains, an op."""
    while op.parent is not block:
        around = op.parent_op()
        assert around is not None
        op = around
    return op


def _choose(
    pool: list[_Memory], alloc: memref.AllocOp, size: int, first: int
) -> _Memory | None:
    """Dead memory for an allocation: of its own type, else of the nearest size."""
    dead = [
        memory
        for memory in pool
        # A launch reads and writes in any order: its own buffers stay apart.
        if memory.free_from < first
        and max(memory.size, size) <= _LARGEST_WASTE * min(memory.size, size)
    ]

    def distance(memory: _Memory) -> tuple[bool, int]:
        same = all(o.memref.type == alloc.memref.type for o in memory.owners)
        return not same, abs(memory.size - size)

    return min(dead, key=distance, default=None)


def _bytes(alloc: memref.AllocOp) -> int:
    of = alloc.memref.type
    assert isinstance(of, MemRefType)
    return max(prod(of.get_shape()) * byte_width(of), 1)


def _merge(memory: _Memory) -> None:
    first, *others = memory.owners
    if not others:
        return
    if all(other.memref.type == first.memref.type for other in others):
        for other in others:
            _replace(other, first.memref)
        return
    size = -(-memory.size // _ALIGNMENT) * _ALIGNMENT
    bytes_ = memref.AllocOp(
        [], [], MemRefType(i8, [size]), IntegerAttr(_ALIGNMENT, i64)
    )
    bytes_.memref.name_hint = "memory"
    start = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
    block = first.parent
    assert block is not None
    block.insert_ops_before([bytes_, start], first)
    for owner in reversed(memory.owners):
        view = memref.ViewOp.create(
            operands=[bytes_.memref, start.result], result_types=[owner.memref.type]
        )
        view.location = owner.location
        view.result.name_hint = owner.memref.name_hint
        block.insert_op_after(view, start)
        _replace(owner, view.result)


def _replace(alloc: memref.AllocOp, by: SSAValue) -> None:
    alloc.memref.replace_all_uses_with(by)
    alloc.detach()
    alloc.erase()
