"""How much work a payload is: the longest reduction, products, iterations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

if TYPE_CHECKING:
    from tilewright.codegen.program import Shapes
    from tilewright.ir.dialects.linalg import StructuredOp


def reduction_length(payload: Operation, shapes: Shapes | None = None) -> int:
    """The length of the longest sum in a payload, which tolerances scale with.

    Sums over sizes known only at run time count for the `shapes` of the arguments.
    """
    from tilewright.ir.structured.loops import is_reduction

    longest = 1
    for op, extents in _loops(payload, shapes):
        summed = (
            extent or 1 for loop, extent in enumerate(extents) if is_reduction(op, loop)
        )
        longest = max(longest, math.prod(summed))
    return longest


def matmul_flops(payload: Operation, shapes: Shapes | None = None) -> int:
    """Multiplications and additions of the products of matrices in a payload."""
    from tilewright.ir.structured.loops import nest_of
    from tilewright.ir.structured.reductions import reductions_of

    total = 0
    for op, extents in _loops(payload, shapes):
        nest = nest_of(op)
        reductions = reductions_of(op) if nest.reduced else None
        if reductions and any(each.factors is not None for each in reductions):
            total += 2 * math.prod(extent or 1 for extent in extents)
    return total


def iterations(payload: Operation) -> int:
    """The iterations of all structured ops; an open size counts as 1."""
    return sum(
        math.prod(extent or 1 for extent in extents)
        for _, extents in _loops(payload, None)
    )


def _loops(
    payload: Operation, shapes: Shapes | None
) -> Iterator[tuple[StructuredOp, list[int | None]]]:
    """Every structured op with the extents of its loops; None if unknown."""
    from tilewright.ir.dialects.linalg import StructuredOp
    from tilewright.ir.structured.equal_extents import Extents
    from tilewright.transforms.core.extents import OpList
    from tilewright.transforms.structured.tile.one_tile import loop_ranges

    known = None
    if shapes is not None and isinstance(payload, ModuleOp):
        known = Extents(payload)
    for op in payload.walk():
        if not isinstance(op, StructuredOp):
            continue
        given = known.loops(op) if known is not None else ()
        found: list[int | None] = []
        for loop, extent in enumerate(loop_ranges(op, OpList())):
            if not isinstance(extent, int) and shapes is not None and given:
                extent = given[loop]
            if isinstance(extent, tuple) and shapes is not None:
                extent = shapes[extent[0]][extent[1]]
            found.append(extent if isinstance(extent, int) else None)
        yield op, found
