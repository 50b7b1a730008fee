"""Memory effects of our ops, which CSE, DCE and LICM ask for."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)

from tilewright.ir.types import is_buffer


class BufferEffect(MemoryEffect):
    """No effect on tensors; reads and writes where an operand is a memref."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """Read and write if any operand is a buffer."""
        if not any(is_buffer(operand.type) for operand in op.operands):
            return set()
        return {
            EffectInstance(MemoryEffectKind.READ),
            EffectInstance(MemoryEffectKind.WRITE),
        }


class BufferReadEffect(MemoryEffect):
    """No effect on tensors; reads where an operand is a memref."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """Read if any operand is a buffer."""
        if not any(is_buffer(operand.type) for operand in op.operands):
            return set()
        return {EffectInstance(MemoryEffectKind.READ)}


class BufferWriteEffect(MemoryEffect):
    """No effect on tensors; writes where an operand is a memref."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """Write if any operand is a buffer."""
        if not any(is_buffer(operand.type) for operand in op.operands):
            return set()
        return {EffectInstance(MemoryEffectKind.WRITE)}


class AllocatesResult(MemoryEffect):
    """New memory behind each result: never merged, but erased if unused."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """An allocation for each result."""
        return {EffectInstance(MemoryEffectKind.ALLOC, value) for value in op.results}
