"""What limits ops on a GPU, and what of them fits on chip."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.limits import Limit, limit_of
from tilewright.planning.analysis.facts import Operand, OpFacts, Role


@dataclass(frozen=True)
class Bound:
    """The least time of a kernel: its roofline."""

    arithmetic_seconds: float
    memory_seconds: float
    launch_seconds: float

    @property
    def seconds(self) -> float:
        """The longer of arithmetic and memory, both at full rate."""
        return max(self.arithmetic_seconds, self.memory_seconds)

    def limit(self) -> Limit:
        """Whichever takes longest."""
        return limit_of(
            {
                Limit.ARITHMETIC: self.arithmetic_seconds,
                Limit.MEMORY: self.memory_seconds,
                Limit.LAUNCH: self.launch_seconds,
            }
        )


def bound_of(facts: OpFacts, target: Target) -> Bound:
    """The time of an op as a kernel of its own."""
    return kernel_bound([facts], facts.read_bytes + facts.written_bytes, target)


def kernel_bound(ops: Iterable[OpFacts], moved: int, target: Target) -> Bound:
    """The time of some ops as one kernel, which moves some bytes."""
    arithmetic = sum(facts.flops / _rate(facts, target) for facts in ops)
    return Bound(arithmetic, moved / target.hbm_bandwidth, target.calibration.launch)


def _rate(facts: OpFacts, target: Target) -> float:
    if facts.role == Role.CONTRACTION:
        return target.matmul_flops(facts.inputs[0].element.name)
    return target.vector_flops


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
