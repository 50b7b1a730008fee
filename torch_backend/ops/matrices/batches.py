"""Batches of matmuls that were joined from several dimensions, seen apart again.

torch multiplies matrices of two batch dimensions (batches, heads) by joining them to
one, for which it copies transposed tensors. Kernels run along each dimension by itself,
so they read the tensor before it was copied. Matmuls of a chain, as in attention, have
the batches apart even if nothing was copied: so have the ops between them.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import TransposeOp
from tilewright.ir.dialects.tensor import CollapseShapeOp


def separate_batches(
    x: Tensor, y: Tensor, *, always: bool = False
) -> tuple[Tensor, Tensor] | None:
    """The factors of a batched matmul with the batches apart.

    None if nothing was copied to join them, unless they are `always` seen apart.
    """
    for one in (x, y):
        sizes = _joined(one, only_copies=not always)
        if sizes is not None:
            return _apart(x, sizes), _apart(y, sizes)
    return None


def separate_rows(x: Tensor) -> Tensor | None:
    """A matrix with its rows in several dimensions, if a copy was made to join them."""
    sizes = _joined(x, only_copies=True)
    return None if sizes is None else _apart(x, sizes)


def _joined(x: Tensor, *, only_copies: bool) -> Shape | None:
    """The sizes that were joined to the first dimension of a tensor."""
    made = x.value.owner
    if x.axes[0] != 0 or not isinstance(made, CollapseShapeOp):
        return None
    groups = [[dim.value.data for dim in group] for group in made.reassociation]
    if len(groups[0]) < 2 or any(len(group) > 1 for group in groups[1:]):
        return None
    source = made.operands[0]
    if only_copies and not isinstance(source.owner, TransposeOp):
        return None
    sizes = x.builder.shapes.get(source)
    return None if sizes is None else sizes[: len(groups[0])]


def _apart(x: Tensor, sizes: Shape) -> Tensor:
    """A tensor with its first dimension as several, read before it was transposed."""
    whole = reshape(x, (*sizes, *x.shape[1:]))
    made = whole.value.owner
    if not isinstance(made, TransposeOp):
        return whole
    source, order = made.operands[0], made.permutation.get_values()
    axes = tuple(None if axis is None else order[axis] for axis in whole.axes)
    size_of = {order[axis]: size for axis, size in enumerate(whole.sizes)}
    before = tuple(size_of[axis] for axis in range(len(order)))
    return replace(whole, value=source, sizes=before, axes=axes)
