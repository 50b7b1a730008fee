"""Extents of loops at run time, and operands laid out over the loops.

Laid out, an operand has one axis for each loop: of the loop's extent, or of size 1
where its map does not use the loop. Scalar ops then run on whole operands by
broadcasting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import Value, fail, is_array
from tilewright.ir.interpreter.core.windows import checked_indices
from tilewright.ir.structured.loops import Nest
from tilewright.ir.structured.maps import is_projection, named_loops


def extents_of(nest: Nest, operands: Sequence[Value]) -> tuple[int, ...]:
    """The extent of every loop, from the operands' shapes, which have to agree."""
    extents: dict[int, int] = {}
    for position, (map, operand) in enumerate(zip(nest.maps, operands, strict=True)):
        sizes = np.shape(operand)
        for dim, (expr, size) in enumerate(zip(map.results, sizes, strict=True)):
            if not isinstance(expr, AffineDimExpr):
                continue
            if extents.setdefault(expr.position, size) != size:
                known = extents[expr.position]
                fail(
                    nest.op,
                    f"operand {position} has size {size} in dimension {dim}, where "
                    f"loop d{expr.position} runs to {known}",
                )
    if len(extents) != nest.rank:
        fail(nest.op, "the operands' shapes do not give every loop's extent")
    return tuple(extents[loop] for loop in range(nest.rank))


def grid_of(extents: Sequence[int]) -> list[Array]:
    """The index of each loop, laid out over the loops."""
    return list(np.ogrid[tuple(slice(0, extent) for extent in extents)])


def laid_out(nest: Nest, map: AffineMap, operand: Value, grid: Sequence[Any]) -> Value:
    """An operand over the loops; a view where its map is a projection."""
    if not is_array(operand):
        return operand
    if not is_projection(map):
        return gathered(nest, map.results, operand, grid)
    constants = tuple(
        expr.value if isinstance(expr, AffineConstantExpr) else slice(None)
        for expr in map.results
    )
    checked = [(c, s) for c, s in zip(constants, operand.shape, strict=True)]
    if any(isinstance(c, int) and not 0 <= c < size for c, size in checked):
        fail(nest.op, f"map {map} leaves an operand of shape {list(operand.shape)}")
    view = operand[constants]
    dims = named_loops(map)
    view = view.transpose(np.argsort(dims)) if dims else view
    missing = [loop for loop in range(nest.rank) if loop not in dims]
    return np.expand_dims(view, missing)


def gathered(
    nest: Nest, exprs: Sequence[AffineExpr], operand: Array, indices: Sequence[Any]
) -> Array:
    """An operand's elements at the given loop indices, which may be arrays."""
    places = [expr.eval(indices, ()) for expr in exprs]
    return operand[checked_indices(nest.op, operand, places)]


def to_operand(map: AffineMap, value: Value, shape: Sequence[int]) -> Array:
    """The reverse for an output: from its layout over the loops to its own."""
    dims = named_loops(map)
    array = np.asarray(value)
    if array.ndim == 0:
        return np.broadcast_to(array, shape)
    rest = [loop for loop in range(array.ndim) if loop not in dims]
    moved = array.transpose([*dims, *rest])
    moved = moved.reshape(moved.shape[: len(dims)])
    return np.broadcast_to(moved, shape)
