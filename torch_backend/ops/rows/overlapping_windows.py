"""Reductions of windows that overlap read the elements of a window in one body.

Before:

    windows = x.unfold(1, 25, 5)         tensor<256x3272x25xf32>, stored
    y = windows.sum(-1)

After:

    y[i, j] = x[i, 5 j] + x[i, 5 j + 1] + ... + x[i, 5 j + 24]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from xdsl.ir.affine import AffineMap

from tilewright.frontend.builder.gathers import generated
from tilewright.frontend.builder.ops.functions import maximum, minimum
from tilewright.frontend.builder.ops.reductions import Kind
from tilewright.frontend.builder.ops.reshapes import is_plain
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, as_scalar, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import ExtractOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.types import tensor_type
from tilewright.torch_backend.ops.elements.inlining import copied_body

_MOST_ELEMENTS = 64
"""The elements of a window that a body reads."""
_SHARED = 1.5
"""Windows overlap if elements are in as many of them, on average: those that are half
new are in two each, except at the ends."""
_COMBINED: dict[Kind, Callable[[Scalar, Scalar], Scalar]] = {
    "sum": lambda x, y: x + y,
    "prod": lambda x, y: x * y,
    "max": maximum,
    "min": minimum,
}


def reduced_windows(
    kind: Kind,
    x: Tensor,
    axes: Sequence[int],
    of: Callable[..., ScalarLike],
    dtype: str,
) -> Tensor | None:
    """A reduction of windows, without the reduced dimensions; None if `x` has none.

    `of` is the function of an element that is reduced, of type `dtype`.
    """
    maker = x.value.owner
    if not isinstance(maker, GenericOp) or kind not in _COMBINED or not is_plain(x):
        return None
    sizes = [size for size in x.shape if isinstance(size, int)]
    if len(sizes) < x.rank or len(axes) == x.rank or not _overlap(maker, sizes):
        return None
    if math.prod(sizes[axis] for axis in axes) > _MOST_ELEMENTS:
        return None
    kept = [axis for axis in range(x.rank) if axis not in axes]

    def element(*_: Scalar) -> ScalarLike:
        total: Scalar | None = None
        own = {axis: index(at) for at, axis in enumerate(kept)}
        body = own[kept[0]].body
        for inside in itertools.product(*(range(sizes[axis]) for axis in axes)):
            at = dict(zip(axes, inside, strict=True))
            places = [
                own[axis] if axis in own else as_scalar(body, at[axis], "index")
                for axis in range(x.rank)
            ]
            one = as_scalar(body, of(copied_body(maker, (), places)), dtype)
            total = one if total is None else _COMBINED[kind](total, one)
        assert total is not None
        return total

    return generated(x.builder, element, [sizes[axis] for axis in kept], dtype)


def _overlap(op: GenericOp, sizes: Sequence[int]) -> bool:
    """Whether an op reads each element of one tensor for several of its own."""
    reads = [each for each in op.body.block.ops if isinstance(each, ExtractOp)]
    if len(reads) != 1 or len(op.inputs) or len(op.results) != 1:
        return False
    written = op.indexing_maps.data[-1].data
    if not is_elementwise(op) or written != AffineMap.identity(len(sizes)):
        return False
    source = tensor_type(reads[0].operands[0]).get_shape()
    return math.prod(sizes) >= _SHARED * abs(math.prod(source))
