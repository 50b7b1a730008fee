"""Side effects of ops: whether an op is pure, dead, or may run speculatively."""

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
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
    is_speculatable,
)

from tilewright.ir.types import is_tensor

NONE: frozenset[MemoryEffectKind] = frozenset()
READS = {MemoryEffectKind.READ}
HARMLESS = {MemoryEffectKind.READ, MemoryEffectKind.ALLOC}
"""Effects that do not matter if the result is not used."""


@cache
def _is_always_pure(kind: type[Operation]) -> bool:
    """Whether ops of a class never have an effect."""
    found = [trait for trait in kind.traits if isinstance(trait, MemoryEffect)]
    return bool(found) and all(isinstance(trait, NoMemoryEffect) for trait in found)


@cache
def _does_what_is_inside(kind: type[Operation]) -> bool:
    """Whether the effects of a class of ops are those of the ops in their regions."""
    found = [trait for trait in kind.traits if isinstance(trait, MemoryEffect)]
    return [type(trait) for trait in found] == [RecursiveMemoryEffect]


def kinds_of_effects(op: Operation) -> Set[MemoryEffectKind] | None:
    """The kinds of effects of an op; None if they are unknown."""
    kind = type(op)
    if _is_always_pure(kind):
        return NONE
    if _does_what_is_inside(kind):
        return _kinds_inside(op)
    effects: Set[EffectInstance] | None = get_effects(op)
    return None if effects is None else {effect.kind for effect in effects}


def _kinds_inside(op: Operation) -> Set[MemoryEffectKind] | None:
    found: set[MemoryEffectKind] = set()
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                kinds = kinds_of_effects(inner)
                if kinds is None:
                    return None
                found |= kinds
    return found


def has_no_effect(op: Operation) -> bool:
    """Whether an op only computes its results."""
    return kinds_of_effects(op) == NONE


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
def is_terminator(kind: type[Operation]) -> bool:
    """Whether ops of a kind end a block."""
    return kind.has_trait(IsTerminator)


@cache
def _must_stay(kind: type[Operation]) -> bool:
    """Whether ops of a class are needed even if their results are not used."""
    return is_terminator(kind) or kind.has_trait(SymbolOpInterface)


DIVISIONS = frozenset(
    f"arith.{name}"
    for name in "divsi divui remsi remui ceildivsi ceildivui floordivsi".split()
)
DIMS = frozenset({"tensor.dim", "memref.dim"})
TRANSFERS = frozenset({"vector.transfer_read", "vector.transfer_write"})


def may_run_early(op: Operation) -> bool:
    """Whether an op may run speculatively: it is always defined and it terminates."""
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
        return False  # with another step a loop may not end
    if name in ("scf.for", "scf.if"):
        return all(
            is_terminator(type(inner)) or may_run_early(inner)
            for region in op.regions
            for block in region.blocks
            for inner in block.ops
        )
    return is_speculatable(op)


def _divides(divisor: SSAValue, *, signed: bool) -> bool:
    """Whether a divisor is a constant with which no division traps."""
    number = _number(divisor)
    return bool(number) and not (signed and number == -1)


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.constant":
        return None
    attr = owner.properties["value"]
    return attr.value.data if isinstance(attr, IntegerAttr) else None
