"""Features of a compiled program: the compiler's report in numbers.

Registers, spills and occupancy are those of the kernel with the largest estimate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tilewright.tuning.model.cost import estimate, objective
from tilewright.tuning.model.occupancy import programs_per_sm, resources

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.targets import Target

COMPILED_TABLE: Mapping[str, str] = {
    "compiled.estimate": "log of the estimate with the report over that without it",
    "compiled.registers": "registers a thread",
    "compiled.spills": "log of 1 + the bytes that a thread spills",
    "compiled.shared": "shared memory over the limit of a block",
    "compiled.resident": "programs that an SM holds",
    "compiled.threads": "share of an SM's threads that are in use",
    "compiled.wgmma": "log of 1 + the warp-group matrix instructions of all kernels",
    "compiled.tma": "log of 1 + the loads through descriptors of all kernels",
    "compiled.code": "log of 1 + the bytes of all binaries",
}
"""Every feature after compiling, by name; part of the features' version."""


def describe_compiled(
    program: GeneratedProgram, stats: tuple[CompiledStats, ...], target: Target
) -> dict[str, float]:
    """The features of the compiler's report; none where nothing was compiled."""
    by_name = {entry.kernel: entry for entry in stats}
    cost = estimate(program, stats, target)
    ranked = sorted(
        zip(program.kernels, cost.kernels, strict=True),
        key=lambda pair: pair[1].seconds,
    )
    if not ranked or ranked[-1][0].name not in by_name:
        return {}
    main = ranked[-1][0]
    need = resources(main, by_name[main.name], target)
    resident = programs_per_sm(need, target)
    exact = max(objective(program, stats, target), 1e-6)
    before = max(objective(program, None, target), 1e-6)
    features = {
        "compiled.estimate": math.log2(exact / before),
        "compiled.registers": float(need.registers),
        "compiled.spills": _log(need.spill_bytes),
        "compiled.shared": need.shared_bytes / target.shared_per_block,
        "compiled.resident": float(resident),
        "compiled.threads": resident * need.threads / target.max_threads_per_sm,
        "compiled.wgmma": _log(sum(entry.wgmma for entry in stats)),
        "compiled.tma": _log(sum(entry.tma_loads for entry in stats)),
        "compiled.code": _log(sum(entry.code_bytes for entry in stats)),
    }
    return {name: float(f"{features[name]:.6g}") for name in COMPILED_TABLE}


def _log(value: float) -> float:
    return math.log2(1.0 + value)
