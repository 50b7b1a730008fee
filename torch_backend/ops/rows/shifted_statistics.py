"""Mean and squared deviations across rows, in one pass over memory.

The places of a channel of a channels-last image lie apart, and so do the elements of a
column of a matrix, so that no program holds them all. Instead of the mean, which is not
known before the end, deviations are from the mean of a few rows in the middle:

    shift = mean of the middle rows           a small part of the tensor
    first, second = sum(x - shift), sum((x - shift)^2)        one pass for both
    mean = shift + first / n
    squares = second - first^2 / n

The difference cancels where the shift is far from the mean. By Jensen's inequality
`squares` is at least the number of elements in the middle times the squared distance
of shift and mean. So the error of `second`, relative to `squares`, grows by at most
the number of such parts in a tensor, `MOST_PARTS`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum
from tilewright.frontend.builder.ops.loop_order import order_of
from tilewright.frontend.builder.ops.reductions import divided, reduce, with_units
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.elements.promotion import converted

MOST_PARTS = 64
"""The parts of the reduced elements, of which the shift is the mean of one."""
LONG_COLUMN = 512
"""The rows of a column that no program holds, so that two sums read it twice."""
QUICK_BYTES = 6 << 20
"""Bytes that an H200 reads again in 1.3 us, before a further kernel would start."""


def by_images(
    x: Tensor, axes: Sequence[int], kind: str, shape: Sequence[Size] | None = None
) -> tuple[Tensor, Tensor] | None:
    """The mean and the sum of squared deviations over places, and over images.

    `axes` are all places, and perhaps the batch. Statistics of places get a shape, if
    one is given. None if two sums are as good.
    """
    places = tuple(range(2, x.rank))
    if not is_image(x) or tuple(axes) not in (places, (0, *places)):
        return None
    if 0 not in axes and _places(x) < LONG_COLUMN:
        return None
    mean, squares = _shifted(x, places, kind, shape)
    if 0 not in axes:
        return mean, squares
    return combined(mean, squares, (0,), _places(x))


def by_columns(
    x: Tensor, axes: Sequence[int], kind: str
) -> tuple[Tensor, Tensor] | None:
    """The mean and the sum of squared deviations over neighbouring axes before others.

    None if two sums are as good: programs hold short columns.
    """
    sizes = [size for size in x.shape if isinstance(size, int)]
    if len(sizes) < x.rank or x.axes != tuple(range(x.rank)):
        return None
    if not axes or tuple(axes) != tuple(range(axes[0], axes[-1] + 1)):
        return None
    is_row = axes[-1] == x.rank - 1
    is_long = math.prod(sizes[axis] for axis in axes) >= LONG_COLUMN
    if _is_small(x, sizes) or is_row or not is_long:
        return None
    return _shifted(x, axes, kind)


def combined(
    mean: Tensor, squares: Tensor, axes: Sequence[int], places: int
) -> tuple[Tensor, Tensor]:
    """The same over axes of the means and squares of parts.

    A part has as many elements as there are places.
    """
    several = math.prod(s for axis in axes if isinstance(s := mean.shape[axis], int))

    def apart(squares: Scalar, mean: Scalar, total: Scalar) -> Scalar:
        away = mean - total * (1.0 / several)
        return squares + away * away * float(places)

    total = reduce("sum", mean, axis=axes)
    far = reduce("sum", squares, mean, with_units(total, axes), axis=axes, of=apart)
    return divided(total, [several]), far


def is_image(x: Tensor) -> bool:
    """Whether an image lies channels last, and is not small."""
    sizes = [size for size in x.shape if isinstance(size, int)]
    if order_of(x) is None or len(sizes) < x.rank:
        return False
    return not _is_small(x, sizes)


def _is_small(x: Tensor, sizes: Sequence[int]) -> bool:
    return math.prod(sizes) * element(x.dtype).byte_width < QUICK_BYTES


def _places(x: Tensor) -> int:
    return math.prod(size for size in x.shape[2:] if isinstance(size, int))


def _shifted(
    x: Tensor, axes: Sequence[int], kind: str, shape: Sequence[Size] | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the squares along axes, from distances to a mean of some rows."""
    sizes = {axis: s for axis in axes if isinstance(s := x.shape[axis], int)}
    count, longest = math.prod(sizes.values()), max(sizes, key=lambda at: sizes[at])
    height = sizes[longest]
    rows = -(-height // MOST_PARTS)
    start = (height - rows) // 2
    cut = (*[slice(None)] * longest, slice(start, start + rows))

    def value(x: Scalar) -> Scalar:
        made = converted(x, kind)
        assert isinstance(made, Scalar)
        return made

    # The bodies divide: a mean of its own would keep the two sums apart.
    part = 1.0 / (rows * count // height)

    def away(x: Scalar, some: Scalar) -> Scalar:
        return value(x) - some * part

    def squared(x: Scalar, some: Scalar) -> Scalar:
        far = away(x, some)
        return far * far

    some = reduce("sum", x[cut], axis=axes, of=value)
    operands = [x, with_units(some, axes)]
    first = reduce("sum", *operands, axis=axes, of=away)
    second = reduce("sum", *operands, axis=axes, of=squared)

    if shape is not None:
        some, first, second = (reshape(one, shape) for one in (some, first, second))

    def mean(some: Scalar, first: Scalar) -> Scalar:
        return some * part + first * (1.0 / count)

    def squares(first: Scalar, second: Scalar) -> Scalar:
        return maximum(second - first * first * (1.0 / count), 0.0)

    return elementwise(mean, some, first), elementwise(squares, first, second)
