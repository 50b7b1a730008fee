"""Occupancy: the resources of a kernel, and how many programs an SM holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.codegen.targets.occupancy import programs_on_sm
from tilewright.ir.dtypes import byte_width

if TYPE_CHECKING:
    from tilewright.codegen.program import Access, GeneratedProgram, KernelInfo
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.targets import Target

SPILL_LIMIT = 256
"""Bytes that a thread may spill. A few bytes in an epilogue cost little; accumulators
in memory (128x256 on four warps spills 624) make a kernel several times slower."""


@dataclass(frozen=True)
class Resources:
    """The resources of one program; exact after compilation, estimated before."""

    threads: int
    registers: int
    shared_bytes: int
    spill_bytes: int
    exact: bool


def resources(
    info: KernelInfo, stats: CompiledStats | None, target: Target
) -> Resources:
    """The compiler's statistics of a program, or else estimates from its tiles."""
    threads = info.num_warps * target.warp
    if stats is not None:
        return Resources(
            threads, stats.registers, stats.shared_bytes, stats.spill_bytes, True
        )
    # Accumulators are f32, spread over the threads; Triton's GEMMs need some 26 more
    # registers for addresses and counters.
    held = sum(dot.m * dot.n for dot in info.dots) // threads + 26
    return Resources(
        threads, min(held, target.max_registers), pipelined_bytes(info), 0, False
    )


def uses_wgmma(info: KernelInfo, target: Target) -> bool:
    """Whether dots become Hopper's warp-group instructions: four warps, 64 rows."""
    return (
        target.has_group_matmuls
        and info.num_warps % 4 == 0
        and all(dot.m >= 64 and dot.dtype != "f32" for dot in info.dots)
    )


def pipelined_bytes(info: KernelInfo) -> int:
    """A lower bound of the shared memory of the software pipeline.

    Every stage holds the operand tiles of the loop. With the older `mma` instructions
    one stage is in registers, so it does not count. Without a dot, only the loop over
    tiles of a persistent kernel is pipelined, with all its loads.
    """
    ahead = info.num_stages - 1
    if info.dots:
        staged = filter(is_looped_load, info.accesses)
        return max(ahead, 1) * sum(map(tile_bytes, staged))
    if not info.persistent:
        return 0
    loads = (access for access in info.accesses if access.kind == "load")
    return ahead * sum(map(tile_bytes, loads))


def least_shared_bytes(info: KernelInfo, target: Target) -> int:
    """A closer lower bound of a kernel's shared memory than that of the estimates.

    A warp-group product on Hopper reads its operands from shared memory while the next
    are on their way, so every stage counts. That holds for one dot whose operands are
    loaded and used as they are: an operand that is computed is in registers.
    """
    least = pipelined_bytes(info)
    staged = [access for access in info.accesses if is_looped_load(access)]
    if target.matrix_instructions != "wgmma" or len(info.dots) != 1 or len(staged) != 2:
        return least
    (dot,) = info.dots
    loaded_as_used = all(access.dtype == dot.dtype for access in staged)
    if not (uses_wgmma(info, target) and loaded_as_used and byte_width(dot.dtype) == 2):
        return least
    work = info.vector
    in_loop = min(access.count * math.prod(access.tile) for access in staged)
    if work.simple + work.special + work.reduced >= in_loop:
        return least  # an operand may be computed
    return max(least, info.num_stages * sum(map(tile_bytes, staged)))


def is_looped_load(access: Access) -> bool:
    """Whether this is a load in the main loop of a program."""
    return access.kind == "load" and access.count > 1


def tile_bytes(access: Access) -> int:
    """Bytes of one load or store."""
    size = byte_width(access.dtype)
    for extent in access.tile:
        size *= extent
    return size


def programs_per_sm(need: Resources, target: Target) -> int:
    """The number of programs that an SM holds at once; 0 where one does not fit."""
    warps = need.threads // target.warp
    return programs_on_sm(target, warps, need.registers, need.shared_bytes)


def prune(info: KernelInfo, stats: CompiledStats | None, target: Target) -> str | None:
    """Why a kernel cannot run, or not run well, on a target; None where it can.

    Without statistics only certain reasons count: the smallest possible pipeline, the
    number of threads, and descriptors on a card that has none.
    """
    if not target.has_descriptors and any(a.descriptor for a in info.accesses):
        return f"{info.name}: {target.name} has no tensor descriptors"
    need = resources(info, stats, target)
    if need.threads > target.max_threads_per_block:
        return (
            f"{info.name}: {need.threads} threads in a block, "
            f"{target.name} allows {target.max_threads_per_block}"
        )
    shared = need.shared_bytes if need.exact else least_shared_bytes(info, target)
    if shared > target.shared_per_block:
        least = "" if need.exact else "at least "
        return (
            f"{info.name}: needs {least}{shared} bytes of shared memory, "
            f"{target.name} allows {target.shared_per_block}"
        )
    if not need.exact:
        return None
    if need.spill_bytes > SPILL_LIMIT:
        return (
            f"{info.name}: spills {need.spill_bytes} bytes a thread "
            f"with {need.registers} registers"
        )
    if programs_per_sm(need, target) == 0:
        return (
            f"{info.name}: {need.registers} registers on {need.threads} threads do not "
            f"fit an SM of {target.name}"
        )
    return None


def prune_program(
    program: GeneratedProgram,
    stats: tuple[CompiledStats, ...] | None,
    target: Target,
) -> str | None:
    """The reason against the first kernel that cannot run well, or None."""
    by_name = {entry.kernel: entry for entry in stats or ()}
    for info in program.kernels:
        reason = prune(info, by_name.get(info.name), target)
        if reason is not None:
            return reason
    return None
