"""The second of two grids in one launch: the work of the last program of a tile.

The two grids share indices, addresses and names, so they are lowered into one kernel.
The work of the second grid is the body of a `kernel.last_arriver` at the end of the
kernel, which a pass (`passes/count_arrivals.py`) expands. `analysis/merged_grids.py`
decides which grids are merged.
"""

from __future__ import annotations

from xdsl.ir import Block, Region, SSAValue

from tilewright.codegen.analysis.merged_grids import Merge
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.branches import LowerBlock
from tilewright.ir.dialects.kernel import LastArriverOp


def lower_merge(
    merge: Merge,
    counters: SSAValue,
    facts: GridFacts,
    kernel: KernelBuilder,
    lower_block: LowerBlock,
) -> None:
    """Lower the second grid's work as that of the last program of a tile."""
    builder = kernel.ops
    pointer = kernel.parameters.counters(counters)
    number = _tile_number(merge, facts, kernel)
    body = Block()
    with builder.inside(body):
        lower_block(merge.grid.body.block)
    made = LastArriverOp(pointer, number, merge.arrivals, Region(body))
    builder.add(made, like=merge.grid)


def _tile_number(merge: Merge, facts: GridFacts, kernel: KernelBuilder) -> SSAValue:
    """The number of the second grid's tile, which is the number of its counter."""
    builder, grid = kernel.ops, facts.grid
    number: SSAValue | None = None
    for loop in merge.loops:
        atom = facts.atom_of(grid.induction_vars[loop])
        index = builder.atoms[atom]
        if number is not None:
            extent = grid.upper_bounds[loop]
            assert isinstance(extent, int), "checked when the merge was planned"
            name = f"TILES_{facts.axes.letter_of_atom(atom) or loop}"
            tiles = builder.named(facts.axes.other(name, extent), extent)
            number = builder.times(number, tiles, builder.home)
        number = builder.plus(number, index, builder.home)
    return number if number is not None else builder.integer(0)
