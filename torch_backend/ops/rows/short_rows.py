"""Reductions of a few elements, of which all are computed from smaller tensors.

The squared distances of all pairs of points are such: a row has three elements, and
no tensor in memory has the rows. Element-wise, each operand is read once for a tile.

Before:

    d = sum((x[:, None, :] - y[None, :, :]) ** 2, axis=2)

After:

    d = (x[:, None, 0] - y[None, :, 0]) ** 2 + (x[:, None, 1] - y[None, :, 1]) ** 2 ...
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce

from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum
from tilewright.frontend.builder.ops.reductions import Kind
from tilewright.frontend.builder.ops.reshapes import drop_axis
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.inlining import inlined

MOST_ELEMENTS = 8
"""The longest row: the body of the op has a copy of the computation for each."""
_MOST_OPS = 16
"""A longer computation of an element is stored."""
_MOST_OPERANDS = 24

_COMBINED: dict[Kind, Callable[..., ScalarLike]] = {
    "sum": operator.add,
    "prod": operator.mul,
    "max": lambda a, b: maximum(a, b),
    "min": lambda a, b: minimum(a, b),
}


def unrolled(
    kind: Kind,
    x: Tensor,
    axes: Sequence[int],
    element: Callable[..., ScalarLike],
    dtype: str,
) -> Tensor | None:
    """A reduction as an element-wise op; None if it is one of longer or stored rows."""
    if len(axes) != 1 or kind not in _COMBINED:
        return None
    (axis,) = axes
    shape = [size for size in x.shape if isinstance(size, int)]
    if len(shape) != x.rank or shape[axis] > MOST_ELEMENTS:
        return None
    found = inlined(x, _MOST_OPS)
    if any(one.shape == x.shape for one in found.tensors):
        return None
    before = [slice(None)] * axis
    operands: list[Tensor] = []
    for place in range(shape[axis]):
        for one in found.tensors:
            is_same = one.shape[axis] == 1
            part = one if is_same else one[(*before, slice(place, place + 1))]
            operands.append(drop_axis(part, axis))
    each = len(found.tensors)
    rest = [*shape[:axis], *shape[axis + 1 :]]
    is_read = [
        any(one.shape[dim] == size for one in operands) for dim, size in enumerate(rest)
    ]
    if len(operands) > _MOST_OPERANDS or not all(is_read):
        return None

    def combined(*given: Scalar) -> ScalarLike:
        elements = [
            element(found.function(*given[start : start + each]))
            for start in range(0, len(given), each)
        ]
        return reduce(_COMBINED[kind], elements)

    return elementwise(combined, *operands, dtype=dtype)
