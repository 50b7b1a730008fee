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
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.elements.inlining import inlined
from tilewright.torch_backend.ops.elements.promotion import converted
from tilewright.torch_backend.ops.rows import statistics

MOST_PARTS = 64
"""The shift is the mean of one of as many parts of the reduced elements."""
LONG_COLUMN = 512
"""No program holds columns of this length, so that two sums read them twice."""
MOST_OPS = 64
"""A longer computation of the elements is stored."""


def by_images(
    x: Tensor, axes: Sequence[int], kind: str
) -> tuple[Tensor, Tensor] | None:
    """The mean and the sum of squared deviations over places, and over images.

    `axes` are all places, and perhaps the batch. None if two sums are as good.
    """
    places = tuple(range(2, x.rank))
    if not is_large_image(x) or tuple(axes) not in (places, (0, *places)):
        return None
    mean, squares = _shifted(x, places, kind)
    return (mean, squares) if 0 not in axes else combined(mean, squares, x, (0,))


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
    width = element(x.dtype).byte_width
    is_row = axes[-1] == x.rank - 1
    is_long = math.prod(sizes[axis] for axis in axes) >= LONG_COLUMN
    is_large = math.prod(sizes) * width >= statistics.LARGE
    return _shifted(x, axes, kind) if is_large and is_long and not is_row else None


def combined(
    mean: Tensor, squares: Tensor, x: Tensor, axes: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """The same over further axes of the means and squares of equal parts."""
    several = math.prod(s for axis in axes if isinstance(s := mean.shape[axis], int))
    each = float(_places(x))

    def apart(squares: Scalar, part: Scalar, total: Scalar) -> Scalar:
        away = part - total * (1.0 / several)
        return squares + away * away * each

    total = reduce("sum", mean, axis=axes)
    whole = with_units(total, axes)
    far = reduce("sum", squares, mean, whole, axis=axes, of=apart)
    return divided(total, [several]), far


def is_large_image(x: Tensor) -> bool:
    """Whether an image lies channels last and is larger than caches are."""
    sizes = [size for size in x.shape if isinstance(size, int)]
    if order_of(x) is None or len(sizes) < x.rank:
        return False
    return math.prod(sizes) * element(x.dtype).byte_width >= statistics.LARGE


def _places(x: Tensor) -> int:
    return math.prod(size for size in x.shape[2:] if isinstance(size, int))


def _shifted(x: Tensor, axes: Sequence[int], kind: str) -> tuple[Tensor, Tensor]:
    """The mean and the squares along axes, from distances to a mean of some rows."""
    sizes = {axis: s for axis in axes if isinstance(s := x.shape[axis], int)}
    count, longest = math.prod(sizes.values()), max(sizes, key=lambda at: sizes[at])
    parts = inlined(x, MOST_OPS)
    height = sizes[longest]
    rows = -(-height // MOST_PARTS)
    start = (height - rows) // 2
    cut = (*[slice(None)] * longest, slice(start, start + rows))
    middle = [one if one.shape[longest] == 1 else one[cut] for one in parts.tensors]

    def value(*given: Scalar) -> Scalar:
        made = converted(parts.function(*given), kind)
        assert isinstance(made, Scalar)
        return made

    # The bodies divide: a mean of its own would keep the two sums apart.
    part = 1.0 / (rows * count // height)

    def away(*given: Scalar) -> Scalar:
        return value(*given[:-1]) - given[-1] * part

    def squared(*given: Scalar) -> Scalar:
        far = away(*given)
        return far * far

    some = reduce("sum", *middle, axis=axes, of=value)
    operands = [*parts.tensors, with_units(some, axes)]
    first = reduce("sum", *operands, axis=axes, of=away)
    second = reduce("sum", *operands, axis=axes, of=squared)

    def mean(some: Scalar, first: Scalar) -> Scalar:
        return some * part + first * (1.0 / count)

    def squares(first: Scalar, second: Scalar) -> Scalar:
        return maximum(second - first * first * (1.0 / count), 0.0)

    return elementwise(mean, some, first), elementwise(squares, first, second)
