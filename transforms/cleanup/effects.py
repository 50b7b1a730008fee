"""What the clean-ups ask about an op: has it effects, is it dead, may it run early."""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from xdsl.dialects.builtin import IntegerAttr, MemRefType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    NoMemoryEffect,
    SymbolOpInterface,
    get_effects,
    is_speculatable,
)

from tilewright.ir.types import is_tensor

READS = {MemoryEffectKind.READ}
HARMLESS = {MemoryEffectKind.READ, MemoryEffectKind.ALLOC}
"""Effects that nobody misses if nobody uses the result."""


@cache
def _is_always_pure(kind: type[Operation]) -> bool:
    """Whether ops of a kind never have an effect, whatever they are given."""
    found = [trait for trait in kind.traits if isinstance(trait, MemoryEffect)]
    return bool(found) and all(isinstance(trait, NoMemoryEffect) for trait in found)


def kinds_of_effects(op: Operation) -> Set[MemoryEffectKind] | None:
    """Which effects an op has; None where that is not known."""
    if _is_always_pure(type(op)):
        return frozenset()
    effects: Set[EffectInstance] | None = get_effects(op)
    return None if effects is None else {effect.kind for effect in effects}


def has_no_effect(op: Operation) -> bool:
    """Whether an op only computes its results."""
    return _is_always_pure(type(op)) or kinds_of_effects(op) == set()


def only_reads(op: Operation) -> bool:
    """Whether the only effect of an op is to read memory."""
    return kinds_of_effects(op) == READS


def may_write(op: Operation) -> bool:
    """Whether memory may hold something else after an op."""
    kinds = kinds_of_effects(op)
    return kinds is None or not kinds <= HARMLESS


def is_dead(op: Operation) -> bool:
    """Whether erasing `op` changes nothing."""
    for result in op.results:
        if result.first_use is not None:
            return False
    if _must_stay(type(op)):
        return False
    kinds = kinds_of_effects(op)
    return kinds is not None and kinds <= HARMLESS


@cache
def _must_stay(kind: type[Operation]) -> bool:
    """Whether a kind of op is needed without anyone reading its results."""
    return kind.has_trait(IsTerminator) or kind.has_trait(SymbolOpInterface)


DIVISIONS = frozenset(
    f"arith.{name}"
    for name in "divsi divui remsi remui ceildivsi ceildivui floordivsi".split()
)
DIMS = frozenset({"tensor.dim", "memref.dim"})
TRANSFERS = frozenset({"vector.transfer_read", "vector.transfer_write"})


def may_run_early(op: Operation) -> bool:
    """Whether running an op where it might not have run is defined, and ends."""
    name = op.name
    if name in DIVISIONS:
        return _divides(op.operands[1], signed="u" not in name)
    if name in DIMS:
        dim, kind = _number(op.operands[1]), op.operands[0].type
        if dim is None or not isinstance(kind, TensorType | MemRefType):
            return False
        return 0 <= dim < len(kind.shape)
    if name in TRANSFERS:
        return any(is_tensor(operand.type) for operand in op.operands)
    if name == "scf.for" and _number(op.operands[2]) != 1:
        return False  # in other steps a loop may not come to its end
    if name in ("scf.for", "scf.if"):
        return all(
            inner.has_trait(IsTerminator) or may_run_early(inner)
            for region in op.regions
            for block in region.blocks
            for inner in block.ops
        )
    return is_speculatable(op)


def _divides(divisor: SSAValue, *, signed: bool) -> bool:
    """Whether a divisor is a number that never traps."""
    number = _number(divisor)
    return bool(number) and not (signed and number == -1)


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.constant":
        return None
    attr = owner.properties["value"]
    return attr.value.data if isinstance(attr, IntegerAttr) else None
