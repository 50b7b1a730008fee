"""Memory effects for ops that xDSL leaves without, so that CSE, DCE and LICM act."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.hints import isa


class BufferEffect(MemoryEffect):
    """No effect on tensors; reads and writes where an operand is a memref."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """Read and write if any operand is a buffer."""
        if not any(isa(operand.type, MemRefType) for operand in op.operands):
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
        if not any(isa(operand.type, MemRefType) for operand in op.operands):
            return set()
        return {EffectInstance(MemoryEffectKind.READ)}


class BufferWriteEffect(MemoryEffect):
    """No effect on tensors; writes where an operand is a memref."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """Write if any operand is a buffer."""
        if not any(isa(operand.type, MemRefType) for operand in op.operands):
            return set()
        return {EffectInstance(MemoryEffectKind.WRITE)}
