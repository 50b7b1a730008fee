"""The second of two grids in one launch, done by the last program of a tile.

What may be merged, and why that is right, stands in `merge.py`. Here the kernel of the
first grid gets its tail: count the program in, and if all others of the tile have come,
do the second grid's work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.analysis.merged_grids import Merge, check_merge
from tilewright.codegen.kernel.builder import Scope
from tilewright.codegen.lower.grid_facts import analyse, atom_of
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import ArriveOp, CompareOp, OffsetOp, StoreOp

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
    """Count the program in; the last one of a tile does the second grid's work."""
    builder = lowering.builder
    pointer = lowering.parameters.counters(counters)
    number = _tile_number(lowering, merge)
    counter = builder.add(OffsetOp(pointer, number), hint="counter")
    before = builder.add(ArriveOp(counter), like=merge.grid, hint="arrived")
    count = merge.arrivals
    last = builder.named(lowering.axes.other("PARTS", count), count)
    is_last = builder.add(
        CompareOp("eq", before, builder.minus(last, builder.integer(1), 0))
    )
    body = Block()
    builder.scopes.append(Scope(body))
    hazards, lowering.hazards = lowering.hazards, Hazards()
    lowering.lower_block(merge.grid.body.block)
    lowering.hazards = hazards
    builder.add(StoreOp(counter, builder.integer(0)))
    builder.add(scf.YieldOp())
    builder.scopes.pop()
    branch = scf.IfOp(is_last, [], [body])
    branch.attributes["kernel.one_of"] = IntegerAttr(count, i64)
    builder.add(branch, like=merge.grid)


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
