"""Reads of elements that are computed where they are read, instead of stored first.

A pooling reads each element of its operand once, or a few times. Where the operand is
made by element-wise ops, such as the batch norm and the relu behind a convolution, the
pooling computes them on the way, and their result is never in memory.

Before:

    y = relu(x + bias)              stored
    out[i, j] = max(y[2i, 2j], y[2i, 2j + 1], ...)

After:

    out[i, j] = max(relu(x[2i, 2j] + bias), relu(x[2i, 2j + 1] + bias), ...)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.ops.loop_order import order_of
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.loops import nest_of
from tilewright.torch_backend.ops.elements.inlining import copied_body, inlined, makers
from tilewright.torch_backend.ops.places.reading import whole_of

Read = Callable[..., Scalar]
"""From the indices of an element to its value."""
_MOST_OPS = 16
"""A longer computation is stored."""
_MOST_COPIES = 16
"""The body of a kernel has a copy of the computation for each place of a window."""
_ABOUT_ONCE = 1.25
"""What is read as often, because windows overlap a little, counts as read once."""


def computed_reads(x: Tensor, places: int, times: float) -> Read:
    """How to read a tensor, in a function of elements.

    The function reads `places` elements for each result, and each element `times`
    times. What is read several times is computed only if that is cheap.
    """
    value = x.value
    computed: set[Operation] = set()
    if places <= _MOST_COPIES:
        computed = makers(value, _MOST_OPS, cheap_only=times > _ABOUT_ONCE)
    if value.owner not in computed:
        whole = whole_of(x)
        return lambda *indices: gather(whole, *indices)

    def read(*indices: ScalarLike) -> Scalar:
        own: dict[int, ScalarLike] = {}
        for axis, index in zip(x.axes, indices, strict=True):
            if axis is not None:
                own[axis] = index
        return _read(x, value, [own[axis] for axis in sorted(own)], computed)

    return read


def moved_reads(x: Tensor) -> Read:
    """How to read a tensor whose elements only move, as into a frame.

    Rows that a kernel holds for their mean or their product are stored by that kernel.
    """
    leaves = [one.value for one in inlined(x, _MOST_OPS).tensors]
    if order_of(x) is None and _are_of_sums(leaves):
        whole = whole_of(x)
        return lambda *indices: gather(whole, *indices)
    return computed_reads(x, 1, 1)


def _are_of_sums(values: Sequence[SSAValue]) -> bool:
    """Whether some values are sums, or computed of sums element by element."""
    pending, seen = list(values), set[Operation]()
    while pending:
        maker = pending.pop().owner
        if not isinstance(maker, StructuredOp) or maker in seen:
            continue
        if nest_of(maker).reduced:
            return True
        seen.add(maker)
        pending += maker.inputs
    return False


def _read(
    like: Tensor,
    value: SSAValue,
    places: Sequence[ScalarLike],
    computed: set[Operation],
) -> Scalar:
    """An element of a value, computed if its op is among those that are."""
    kind = value.type
    assert isa(kind, TensorType)
    maker = value.owner
    if maker not in computed:
        dtype = element(kind.element_type).name
        return gather(like.like(value, tuple(kind.get_shape()), dtype), *places)
    assert isinstance(maker, GenericOp)
    maps = [each.data for each in maker.indexing_maps]
    given = [
        _read(like, operand, _through(each, places), computed)
        for operand, each in zip(maker.inputs, maps, strict=False)
    ]
    return copied_body(maker, given)


def _through(each: AffineMap, places: Sequence[ScalarLike]) -> list[ScalarLike]:
    """The indices of an operand at the indices of the loops."""
    return [
        places[expr.position] if isinstance(expr, AffineDimExpr) else 0
        for expr in each.results
    ]
