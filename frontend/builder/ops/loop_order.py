"""Ops on channels-last tensors run their loops in the order of memory.

A channels-last tensor is a view: its channels are dimension 1, and lie last in memory.
An op in the order of the view would read with strides, and write another order.

Before, for x of 8x3x4x5 that lies as 8x4x5x3:

    loops (n, c, h, w): x[n, h, w, c] -> out[n, c, h, w]

After, with the result a view of 8x3x4x5 again:

    loops (n, h, w, c): x[n, h, w, c] -> out[n, h, w, c]

Other transposed operands keep the loops of the view: products and attention read those
as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block

from tilewright.frontend.builder.generic import Trace
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.ir.dialects.linalg import IndexOp

Order: TypeAlias = tuple[int, ...]
"""The dimensions of a shape from the slowest to the fastest in memory."""
LINE = 3
IMAGE_RANKS = (LINE, 4, 5)
"""The ranks of lines, and of images of two and three dimensions."""


def channels_last(rank: int) -> Order:
    """The order of an image whose channels, dimension 1, lie last."""
    return (0, *range(2, rank), 1)


def order_of(x: TensorView) -> Order | None:
    """Channels last, if a view is of a value that lies so; None for others.

    New axes, such as that of a batch of one image, lie anywhere.
    """
    if x.rank not in IMAGE_RANKS:
        return None
    dims = [dim for dim, axis in enumerate(x.axes) if axis is not None]
    found = sorted(dims, key=lambda dim: x.axes[dim] or 0)
    order = channels_last(x.rank)
    lies_so = found == [dim for dim in order if dim in dims]
    return order if lies_so and found != dims else None


def common_order(tensors: Iterable[TensorView], loops: Shape) -> Order | None:
    """The order of a tensor with all loops that lies channels last; None if none does.

    One such image among others decides: the others are read with strides either way.
    Lines lie so only if all do: what looks like one may be the tokens of an image, and
    beside it is what a layer has made of them, as they are.
    """
    whole = [x for x in tensors if x.shape == loops]
    orders = [order_of(x) for x in whole]
    if len(loops) == LINE and any(x.axes == tuple(range(LINE)) for x in whole):
        return None
    return next((order for order in orders if order is not None), None)


def reordered(traced: Trace, order: Order) -> Trace:
    """The traced op with its loops in another order."""
    rank = len(traced.loops)

    def turned(x: T) -> T:
        axes = (*[None] * (rank - x.rank), *x.axes)
        return replace(x, axes=tuple(axes[dim] for dim in order))

    renumber(traced.body.block, order)
    tensors = {name: turned(x) for name, x in traced.tensors.items()}
    loops = tuple(traced.loops[dim] for dim in order)
    return replace(traced, tensors=tensors, loops=loops)


def renumber(block: Block, order: Order) -> None:
    """Let the indices in a body name the loops by their new places."""
    for op in block.walk():
        if isinstance(op, IndexOp):
            place = order.index(op.dim.value.data)
            op.properties["dim"] = IntegerAttr(place, i64)


def viewed(x: T, order: Order) -> T:
    """A result of loops in an order, as a view in the order before."""
    return replace(x, axes=tuple(order.index(dim) for dim in range(x.rank)))


def remaining(order: Order, reduced: Sequence[int]) -> Order:
    """The order of the dimensions that a reduction leaves, counted without the rest."""
    kept = [dim for dim in range(len(order)) if dim not in reduced]
    return tuple(kept.index(dim) for dim in order if dim in kept)
