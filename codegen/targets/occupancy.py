"""How many programs a multiprocessor holds at once: the one answer for all models."""

from __future__ import annotations

from tilewright.codegen.targets.target import Target

_REGISTER_UNIT = 8
"""Registers of a thread are allocated in multiples of this number."""


def allocated_registers(registers: float, target: Target) -> int:
    """The registers that a thread gets where it needs so many; a whole unit more than
    `max_registers` stands for as many as there are."""
    units = -(-registers // _REGISTER_UNIT)
    return int(min(units * _REGISTER_UNIT, target.max_registers + 1))


def programs_on_sm(
    target: Target, warps: int, registers: float = 0, shared_bytes: int = 0
) -> int:
    """The programs that a multiprocessor holds; 0 where not even one fits.

    `registers` are those of a thread. `shared_bytes` are without the reserved ones.
    """
    threads = warps * target.warp
    if threads > target.max_threads_per_block or shared_bytes > target.shared_per_block:
        return 0
    fitting = [target.max_threads_per_sm // threads, target.max_blocks_per_sm]
    if registers:
        used = allocated_registers(registers, target) * threads
        fitting.append(target.registers_per_sm // used)
    if shared_bytes:
        fitting.append(target.shared_per_sm // (shared_bytes + target.reserved_shared))
    return min(fitting)
