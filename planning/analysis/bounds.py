"""What limits an op on a card: arithmetic or memory, and what of it fits on chip."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import Operand, OpFacts, Role


class Limit(StrEnum):
    """The part of a card that an op waits for, if nothing else does."""

    ARITHMETIC = "arithmetic"
    MEMORY = "memory"


@dataclass(frozen=True)
class Bound:
    """The least time of an op as a kernel of its own (its roofline)."""

    arithmetic_seconds: float
    memory_seconds: float

    @property
    def limit(self) -> Limit:
        """Whichever takes longer."""
        longer = self.arithmetic_seconds > self.memory_seconds
        return Limit.ARITHMETIC if longer else Limit.MEMORY

    @property
    def seconds(self) -> float:
        """The longer of both times."""
        return max(self.arithmetic_seconds, self.memory_seconds)


def bound_of(facts: OpFacts, target: Target) -> Bound:
    """The time of an op by its arithmetic and by its bytes, on one card."""
    rate = target.vector_flops
    if facts.role == Role.CONTRACTION:
        rate = target.product_flops(facts.inputs[0].element.name)
    moved = facts.read_bytes + facts.written_bytes
    return Bound(facts.flops / rate, moved / target.hbm_bandwidth)


@dataclass(frozen=True)
class Reuse:
    """An operand that several iterations read, and the loops that repeat it."""

    operand: Operand
    loops: tuple[int, ...]
    times: int
    """How often each element is read."""


def reuses(facts: OpFacts) -> Iterator[Reuse]:
    """The tensors that an op reads more than once."""
    for operand in facts.inputs:
        loops = facts.reuse(operand)
        if operand.is_read and loops:
            yield Reuse(operand, loops, facts.count(loops))


def row_bytes(facts: OpFacts) -> int:
    """The bytes of everything that one result of a reduction is computed from."""
    return sum(
        operand.element.byte_width
        * math.prod(facts.extents[i] for i in operand.loops if i in facts.reduced)
        for operand in facts.inputs
        if operand.is_read
    )


def holds_row(facts: OpFacts, target: Target) -> str:
    """Where a row of a reduction fits: registers, shared memory, or nowhere on chip.

    A program may use half of the registers of its multiprocessor.
    """
    length = row_bytes(facts)
    if length <= target.registers_per_sm * 4 // 2:
        return "registers"
    return "shared memory" if length <= target.shared_per_block else "memory"
