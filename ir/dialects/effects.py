"""Memory effects of our ops, which CSE, DCE and LICM ask for."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    get_effects,
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


def only_results_matter(op: Operation) -> bool:
    """Whether an op has no effect but its results, so that it is dead without uses.

    Upstream's rule: its only effects are reads and allocations of its own results.
    """
    effects = get_effects(op)
    return effects is not None and all(
        effect.kind == MemoryEffectKind.READ
        or (effect.kind == MemoryEffectKind.ALLOC and _is_own(op, effect.value))
        for effect in effects
    )


def _is_own(op: Operation, value: SSAValue | Attribute | None) -> bool:
    if not isinstance(value, SSAValue):
        return False
    return value.owner is op or op.is_ancestor(value.owner)
