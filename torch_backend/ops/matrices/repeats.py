"""Tensors whose parts are repeated along a dimension, and what they were before.

Grouped attention repeats each head of keys: a broadcast along a new dimension, which is
then joined with the heads. Kernels read the heads where they are. torch repeats a
matrix that all batches of a matmul share.
"""

from __future__ import annotations

from xdsl.ir.affine import AffineDimExpr

from tilewright.frontend.builder.ops.reshapes import drop_axis
from tilewright.frontend.builder.ops.views import transpose
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import CollapseShapeOp
from tilewright.ir.structured.bodies import passes_through


def unrepeated(x: Tensor, axis: int) -> Tensor | None:
    """The tensor before each part along an axis was repeated; None if none was.

    Element i of the result stands for the elements from i n to i n + n - 1.
    """
    if x.axes != tuple(range(x.rank)) or not isinstance(x.value.owner, CollapseShapeOp):
        return None
    collapse = x.value.owner
    groups = [[dim.value.data for dim in group] for group in collapse.reassociation]
    joined = [at for at, group in enumerate(groups) if len(group) > 1]
    if joined != [axis % x.rank] or len(groups[joined[0]]) != 2:
        return None
    return _before(x, collapse, groups[joined[0]][1])


def shared_matrix(x: Tensor) -> Tensor | None:
    """The matrix that a tensor repeats for every batch; None if it does not."""
    if x.axes != tuple(range(x.rank)):
        return None
    copy = x.value.owner
    if isinstance(copy, CollapseShapeOp):
        groups = [len(group) for group in copy.reassociation]
        if any(count > 1 for count in groups[1:]):
            return None
        copy = copy.operands[0].owner
    if not isinstance(copy, GenericOp) or not passes_through(copy):
        return None
    loops = copy.get_num_loops()
    return _source(x, copy, [loops - 2, loops - 1])


def _before(x: Tensor, collapse: CollapseShapeOp, new: int) -> Tensor | None:
    """The source of a copy that repeats it along the dimension `new` alone."""
    copy = collapse.operands[0].owner
    if not isinstance(copy, GenericOp):
        return None
    others = [loop for loop in range(copy.get_num_loops()) if loop != new]
    return _source(x, copy, others)


def _source(x: Tensor, copy: GenericOp, kept: list[int]) -> Tensor | None:
    """The source of a copy that repeats it along all loops but those that are kept."""
    if not passes_through(copy):
        return None
    loops = [
        expr.position if isinstance(expr, AffineDimExpr) else None
        for expr in copy.maps[0].results
    ]
    order = [loop for loop in loops if loop is not None]
    if sorted(order) != kept:
        return None
    source = copy.inputs[0]
    sizes = x.builder.shapes.get(source)
    if sizes is None:
        return None
    whole = x.like(source, sizes, x.dtype)
    for axis in reversed(range(len(loops))):
        if loops[axis] is None:
            whole = drop_axis(whole, axis)
    return transpose(whole, [order.index(loop) for loop in kept])
