"""The time of kernels that hold rows: registers, programs at once, bytes in flight.

A program loads its rows, computes, and stores them. Its time is a latency plus the
arithmetic of its rows; a multiprocessor hides it by running several programs. The
numbers were fitted to softmax and norms on an H200 (`docs/performance.md`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.occupancy import programs_on_sm

OWN_REGISTERS = 8
"""The registers of a thread besides the elements it holds, when they are short."""
USUAL_REGISTERS = 24
"""The same in most kernels, from which the number of programs at once follows."""
EARLY_GROUPS, EARLY_ELEMENTS = 0.25, 1.0
"""The share of a vector such as a weight that the compiler loads before its use:
where 16 bytes are an access, and where an element is."""


@dataclass(frozen=True)
class Program:
    """One program: what it holds and moves."""

    warps: int
    elements: int
    """The lanes of its tiles, with those past the end of a row."""
    held: int
    """The values that a lane keeps across a reduction."""
    moved: float
    """The bytes that it reads and writes."""
    instructions: float
    """Machine instructions for each element."""
    reductions: int
    early: float = 0.0
    """The values that a lane loads before they are needed."""

    def each(self, target: Target) -> int:
        """The elements of a thread."""
        return math.ceil(self.elements / (target.warp * self.warps))

    def _limit(self, target: Target) -> int:
        """The registers that a thread may have."""
        threads = target.warp * self.warps
        return min(target.max_registers, target.registers_per_sm // threads)

    def fits(self, target: Target, spare: int = OWN_REGISTERS) -> bool:
        """Whether the elements that a thread holds stay in registers.

        A thread of a program of 32 warps has 64 registers. Rows that do not fit are
        spilled, which costs several times what a loop over the row costs.
        """
        needed = self.each(target) * (self.held + self.early) + spare
        return needed <= self._limit(target)

    def resident(self, target: Target) -> int:
        """The programs that run on a multiprocessor at once."""
        needed = self.each(target) * self.held + USUAL_REGISTERS
        registers = min(self._limit(target), needed)
        return max(1, programs_on_sm(target, self.warps, registers))

    def latency(self, target: Target) -> float:
        """The time of a program that runs alone on its multiprocessor."""
        fitted = target.calibration.rows
        lanes = min(target.lanes, fitted.warp_lanes * self.warps)
        arithmetic = self.elements * self.instructions / (lanes * target.clock)
        barriers = self.reductions * fitted.barrier if self.warps > 1 else 0.0
        return fitted.latency + barriers + arithmetic


def kernel_seconds(
    program: Program, count: int, target: Target, *, ahead: bool = False
) -> float:
    """The time of `count` programs; `ahead`: each loads its next rows as it works."""
    used = min(target.sms, count)
    resident = min(program.resident(target), -(-count // target.sms))
    in_flight = program.moved * resident * (2 if ahead else 1)
    by_latency = in_flight / program.latency(target)
    by_memory = target.hbm_bandwidth * target.calibration.memory.share / target.sms
    bytes_of_instruction = program.moved / program.elements / program.instructions
    by_arithmetic = bytes_of_instruction * target.lanes * target.clock
    rate = smooth_minimum(by_latency, by_memory, by_arithmetic)
    waves = count / (target.sms * resident)
    # The last wave leaves multiprocessors idle; it is half full on average.
    last = target.calibration.rows.last_wave / max(waves, 1.0)
    tail = 1 + last if count > target.sms else 1.0
    moving = program.moved * count / (used * rate)
    return target.calibration.launch + moving * tail


def smooth_minimum(*rates: float) -> float:
    """Less than the least rate if others are close to it: phases overlap in part."""
    return sum(rate**-3 for rate in rates) ** (-1 / 3)
