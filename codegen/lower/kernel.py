"""One grid becomes one kernel.

**Before** (buffer level)

    scf.forall (%i, %j) in (4, 4) {
      %subview = memref.subview %a[...] ...
      %x = vector.transfer_read %subview[%c0, %c0], %pad ...
      ...
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}

**After** (kernel level)

    kernel.func @f(%a_ptr: !kernel.ptr<f16>, ...) ... {
      %tile_m = kernel.program_id 1
      %offs_m = ...
      %a = kernel.load %a_tile ...
    }

**Requires** a grid mapped to blocks; tiles with extents that are powers of two;
only the ops of `codegen/lower/ops/table.py` inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Block, Region, SSAValue

from tilewright.codegen.analysis.descriptors import Descriptors
from tilewright.codegen.analysis.elements.atoms import Given, Linear, Runtime
from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.analysis.merged_grids import Merge
from tilewright.codegen.analysis.read_once import buffers_read_once
from tilewright.codegen.analysis.unused_attributes import refuse_unused_attributes
from tilewright.codegen.kernel.cache_hints import CacheHints
from tilewright.codegen.kernel.dead_code import remove_dead
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.kernel.size_requirements import (
    Requirement,
    computed_sizes,
    countable,
    requirements_of,
    row_pitch,
)
from tilewright.codegen.lower.grid_facts import GridFacts, analyse_grid
from tilewright.codegen.lower.merged_grid import lower_merge
from tilewright.codegen.lower.ops.table import OpLowering
from tilewright.codegen.lower.ops.transfers import MemoryRules
from tilewright.codegen.lower.tile_numbers import lower_tiles
from tilewright.codegen.refusal import IN_REGISTERS, refuse
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import FuncOp, ReturnOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.warps import WARP_GROUP
from tilewright.ir.launch_attributes.table import (
    CONSUMER_REGISTERS,
    CONSUMERS,
    STAGES,
)
from tilewright.ir.launch_attributes.values import (
    asked_held,
    launch_attribute,
    launch_number,
)


@dataclass(frozen=True)
class LoweredKernel:
    """A kernel and how to launch it."""

    func: FuncOp
    buffers: tuple[SSAValue, ...]
    """The buffers of the function, in the order of the kernel's parameters."""
    scalars: tuple[Given, ...]
    """The numbers that it takes, in the order of the parameters."""
    tiles: tuple[Linear, ...]
    """Extents of the tile grid, outermost first."""
    grid: tuple[tuple[Linear, ...], ...]
    """Programs along the launch axes, each a product."""
    requirements: tuple[Requirement, ...]
    persistent: int
    num_warps: int
    num_stages: int
    notes: tuple[str, ...]


def lower_kernel(
    grid: ForallOp,
    name: str,
    names: Mapping[SSAValue, str],
    same: Mapping[Runtime, Runtime | int],
    merge: Merge | None = None,
    counters: SSAValue | None = None,
) -> LoweredKernel:
    """Analyse a grid, then build its kernel.

    `names` are the names of the function's buffers and numbers. `same` maps equal
    extents to one representative. `merge` is the second grid of the launch, and
    `counters` the buffer of its arrival counters.
    """
    _refuse_memory(grid)
    facts = analyse_grid(grid, names, same, merge)
    rules = MemoryRules(
        Descriptors(grid, names),
        CacheHints(grid, [names[buffer] for buffer in _read_once(facts)]),
        Hazards(),
        launch_number(grid, "triton.store_parts"),
    )
    kernel = KernelBuilder.begin(grid, names, facts.axes, facts.home)
    ops = OpLowering.begin(facts, rules, kernel)

    def lower_tile() -> None:
        ops.lower_block(grid.body.block)
        rules.hazards.between_programs(facts.distinguishing_atoms())
        if merge is not None:
            assert counters is not None
            own = replace(ops, rules=replace(rules, hazards=Hazards()))
            lower_merge(merge, counters, facts, kernel, own.lower_block)

    lower_tiles(facts, kernel.ops, kernel.addresses, lower_tile)
    kernel.ops.add(ReturnOp())
    refuse_unused_attributes(grid, kernel.entry, facts.accesses.values())
    rules.hints.check(names[access.base] for access in facts.accesses.values())
    return _assemble(name, facts, rules, kernel)


def _read_once(facts: GridFacts) -> set[SSAValue]:
    """The buffers that the grid reads once, without those between its programs."""
    programs = facts.distinguishing_atoms()
    return buffers_read_once(facts.accesses, programs, facts.atom_of) - facts.partial


def _assemble(
    name: str, facts: GridFacts, rules: MemoryRules, kernel: KernelBuilder
) -> LoweredKernel:
    """The finished kernel, without unused ops and parameters."""
    grid, layout = facts.grid, facts.layout
    held, accesses = asked_held(grid), facts.accesses.values()
    stages = _most_stages(kernel.entry)
    remove_dead(kernel.entry)
    kernel.parameters.finish()
    func = FuncOp(
        name,
        facts.axes.constants,
        [e.constant if e.is_constant else DYNAMIC_INDEX for e in layout.tiles],
        layout.group,
        Region(kernel.entry),
        rules.store_parts,
        aligned_rows=bool(launch_number(grid, "triton.aligned_rows")),
        held_operands=held if isinstance(held, str) else "all" if held else None,
        consumers=launch_number(grid, CONSUMERS),
        consumer_registers=launch_number(grid, CONSUMER_REGISTERS),
    )
    func.location = grid.location
    return LoweredKernel(
        func,
        tuple(kernel.parameters.buffers),
        tuple(kernel.parameters.numbers),
        layout.tiles,
        layout.programs,
        (
            *_requirements(name, facts, rules.descriptors, wide=kernel.ops.wide),
            *computed_sizes(kernel.parameters.computed, accesses, name),
        ),
        layout.persistent,
        _warps(grid),
        stages,
        tuple(rules.descriptors.notes),
    )


def _warps(grid: ForallOp) -> int:
    """Warps of a program; where they have roles, those that compute, if not set."""
    consumers = launch_number(grid, CONSUMERS)
    if consumers and launch_attribute(grid, "triton.num_warps") is None:
        return WARP_GROUP * consumers
    return launch_number(grid, "triton.num_warps")


def _requirements(
    kernel: str, facts: GridFacts, descriptors: Descriptors, *, wide: bool
) -> tuple[Requirement, ...]:
    """The requirements of this kernel on sizes."""
    names, tiles = facts.names, facts.layout.tiles
    found = requirements_of(facts.accesses.values(), names, wide=wide)
    pitches = [
        requirement
        for access in descriptors.accesses
        for requirement in row_pitch(access, names[access.base], tiles)
    ]
    counts = countable(tiles, kernel) if wide else ()
    return (*found, *pitches, *counts)


def _most_stages(entry: Block) -> int:
    """The greatest pipeline depth of the loops, an argument of the launch."""
    depths = (op.attributes.get(STAGES) for op in entry.walk())
    numbers = (d.value.data for d in depths if isinstance(d, IntegerAttr))
    return max(numbers, default=1)


def _refuse_memory(grid: ForallOp) -> None:
    """Refuse ops on memory of a grid's own: a tile is a value, not a buffer.

    Such a buffer usually comes from an op that is not vectorized, so the message names
    that op.
    """
    structured = [op for op in grid.walk() if isinstance(op, StructuredOp)]
    if structured:
        others = ", ".join(f"'{op.name}'" for op in structured[1:])
        refuse(
            structured[0],
            "not vectorized, and a program works on vectors only"
            + (f" ({others} neither)" if others else ""),
            "vectorize it before 'bufferize'",
        )
    for op in grid.walk():
        if isinstance(op, memref.AllocOp | memref.AllocaOp):
            refuse(op, "a buffer is allocated inside a grid", IN_REGISTERS)
