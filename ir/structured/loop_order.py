"""The order of an op's loops, changed in place."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects.linalg import GenericOp, IndexOp, maps_attribute
from tilewright.ir.indexing.semi_affine import substitute


def reorder_loops(op: GenericOp, order: Sequence[int]) -> None:
    """Let loop number i be what loop number `order[i]` was."""
    position = [order.index(loop) for loop in range(len(order))]
    dims = [AffineExpr.dimension(p) for p in position]
    maps = [
        AffineMap(len(order), 0, tuple(substitute(e, dims) for e in entry.data.results))
        for entry in op.indexing_maps
    ]
    kinds = op.iterator_types.data
    op.indexing_maps = maps_attribute(maps)
    op.iterator_types = ArrayAttr([kinds[loop] for loop in order])
    _renumber(op, position)


def _renumber(op: GenericOp, position: Sequence[int]) -> None:
    """Let each `linalg.index` name its loop's new number."""
    for index in [o for o in op.body.walk() if isinstance(o, IndexOp)]:
        block = index.parent_block()
        assert block is not None
        new = IndexOp(position[index.dim.value.data])
        new.location = index.location
        block.insert_op_before(new, index)
        index.result.replace_all_uses_with(new.result)
        block.erase_op(index)
