"""The second of two grids in one launch: the work of the last program of a tile.

The two grids share indices, addresses and names, so they are lowered into one kernel.
The second one's work is the body of a `kernel.last_arriver` at the end of it, which a
pass (`passes/count_arrivals.py`) expands. `analysis/merged_grids.py` says which grids
may be merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Region, SSAValue

from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.analysis.merged_grids import Merge, check_merge
from tilewright.codegen.kernel.builder import Scope
from tilewright.codegen.lower.grid_facts import analyse, atom_of
from tilewright.ir.dialects.kernel import LastArriverOp

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering


def analyse_merge(lowering: KernelLowering, merge: Merge, level: int) -> None:
    """Read the second grid, its indices being the first one's."""
    for index, partner in merge.partners.items():
        lowering.indices.same(index, partner)
    analyse(lowering, merge.grid.body.block, level)
    split = [
        atom_of(lowering, index)
        for loop, index in enumerate(lowering.grid.induction_vars)
        if loop not in merge.loops
    ]
    lowering.partial = check_merge(merge, lowering.accesses, split)


def lower_merge(lowering: KernelLowering, merge: Merge, counters: SSAValue) -> None:
    """Lower the second grid's work as that of the last program of a tile."""
    builder = lowering.builder
    pointer = lowering.parameters.counters(counters)
    number = _tile_number(lowering, merge)
    body = Block()
    builder.scopes.append(Scope(body))
    hazards, lowering.hazards = lowering.hazards, Hazards()
    lowering.lower_block(merge.grid.body.block)
    lowering.hazards = hazards
    builder.scopes.pop()
    made = LastArriverOp(pointer, number, merge.arrivals, Region(body))
    builder.add(made, like=merge.grid)


def _tile_number(lowering: KernelLowering, merge: Merge) -> SSAValue:
    """The number of the second grid's tile, and so of its counter."""
    builder = lowering.builder
    number: SSAValue | None = None
    for loop in merge.loops:
        atom = atom_of(lowering, lowering.grid.induction_vars[loop])
        index = builder.atoms[atom]
        if number is not None:
            extent = lowering.grid.upper_bounds[loop]
            assert isinstance(extent, int), "checked when the merge was planned"
            name = f"TILES_{lowering.axes.letter_of_atom(atom) or loop}"
            tiles = builder.named(lowering.axes.other(name, extent), extent)
            number = builder.times(number, tiles, builder.home)
        number = builder.plus(number, index, builder.home)
    assert number is not None
    return number
