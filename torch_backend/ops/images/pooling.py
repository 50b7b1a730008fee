"""Pooling: each element of the result reads the elements of its window.

The window is unrolled in the body, with a read for each of its elements. A window above
64 elements is reduced instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Literal

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.reductions import reduce
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.sizes import product
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.elements.promotion import compute, rounded
from tilewright.torch_backend.ops.images.windows import (
    MOST_PLACES,
    Windows,
    known_sizes,
    window_element,
    windows,
)
from tilewright.torch_backend.ops.indexing.reading import position, whole_of
from tilewright.torch_backend.ops.result import Result, refuse


def _reduced(
    out: Result, kind: Literal["sum", "max"], x: Tensor, moved: Windows, outside: float
) -> Tensor:
    """The sum or the maximum of each window, as loops over its elements."""
    rank, held = len(moved.kernel), computed_in(x.dtype)
    results = out.full(0, dtype=held)[(..., *[None] * rank)]
    window = out.full(0, moved.kernel, held)

    def element(result: Scalar, window: Scalar) -> Scalar:
        sizes = (*moved.sizes, *moved.counts)
        place = [position(x.rank + axis, *sizes) for axis in range(rank)]
        return window_element(x, moved, place, outside).cast(held)

    axes = range(x.rank, x.rank + rank)
    return reduce(kind, results, window, axis=axes, of=element)


def _whole(kind: Literal["sum", "max"], x: Tensor, rank: int) -> Tensor:
    """The sum or the maximum of the last dimensions, which stay with size 1."""
    held = computed_in(x.dtype)
    axes = range(x.rank - rank, x.rank)
    found = reduce(kind, x, axis=axes, of=lambda x: x.cast(held))
    return found[(..., *[None] * rank)]


def max_pool(rank: int) -> Callable[..., tuple[Tensor, Tensor | None]]:
    """The largest element of each window, and its index in the plane."""

    def op(
        out: Result,
        x: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        whole = whole_of(x)
        moved = windows(out.spec, x, rank, kernel_size, stride, padding, dilation)
        lowest = _lowest(x.dtype)
        if moved.is_whole and not out.is_used(1):
            return rounded(out, _whole("max", x, rank)), None
        if moved.is_large:
            if out.is_used(1):
                refuse(f"indices in windows of more than {MOST_PLACES} elements")
            found = _reduced(out, "max", whole, moved, lowest)
            return rounded(out, found), None

        if out.is_used(1):
            # Gradients need the operand in memory as well.
            made, places = out.generate_all(lambda: _largest(whole, moved, lowest))
            return made, places

        # The nearest element to a place in the padding is in the window as well.
        outside = None if set(moved.dilation) == {1} else lowest

        def largest() -> Scalar:
            found = [
                window_element(whole, moved, place, outside) for place in moved.places
            ]
            best = found[0]
            for one in found[1:]:
                best = maximum(best, one)
            return best

        return out.generate(largest), None

    return op


def _largest(x: Tensor, moved: Windows, lowest: float) -> tuple[Scalar, Scalar]:
    """The largest element of a window, and its index in the plane.

    It is the first of equal elements, and the last NaN.
    """
    first = x.rank - len(moved.kernel)
    plane = product(moved.sizes)
    is_short = isinstance(plane, int) and plane < 2**30
    best: Scalar | None = None
    where_best: Scalar | None = None
    for place in moved.places:
        one = window_element(x, moved, place, lowest)
        here: Scalar | None = None
        for one_at, size in zip(moved.at(first, place), moved.sizes, strict=True):
            at = one_at.cast("i32" if is_short else "i64")
            here = at if here is None else here * counted(size, at.dtype) + at
        assert here is not None
        inside = moved.inside(moved.at(first, place), place)
        if best is None or where_best is None:
            # A first place in the padding gives way to any element inside.
            best, where_best = one, here if inside is None else maximum(here, 0)
            continue
        better = one > best
        better = better | (one != one) if is_float(x.dtype) else better
        better = better if inside is None else better & inside
        best = where(better, one, best)
        where_best = where(better, here, where_best)
    assert best is not None and where_best is not None
    return best, where_best.cast("i64")


def _lowest(dtype: str) -> float:
    if is_float(dtype):
        return -math.inf
    return -(1 << (8 * element(dtype).byte_width - 1))


def average_pool(rank: int) -> Callable[..., Tensor]:
    """The mean of each window."""

    def op(
        out: Result,
        x: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        if not is_float(x.dtype):
            refuse("the mean of integers in windows")
        whole = whole_of(x)
        moved = windows(out.spec, x, rank, kernel_size, stride, padding)
        kind = computed_in(x.dtype)

        def quotient(total: Scalar) -> Scalar:
            if divisor_override is not None:
                return total / float(divisor_override)
            count = _count(moved, x.rank - rank, count_include_pad)
            return total / (
                float(count) if isinstance(count, int) else count.cast(kind)
            )

        if moved.is_whole:
            count = float(divisor_override or math.prod(moved.kernel))
            return compute(out, lambda x: x / count, _whole("sum", x, rank))
        if moved.is_large:
            total = _reduced(out, "sum", whole, moved, 0.0)
            return elementwise(quotient, total, dtype=out.dtype)

        def mean() -> Scalar:
            found = [
                window_element(whole, moved, place, 0.0).cast(kind)
                for place in moved.places
            ]
            total = found[0]
            for one in found[1:]:
                total = total + one
            return quotient(total)

        return out.generate(mean)

    return op


def _count(moved: Windows, first: int, with_padding: bool) -> Scalar | int:
    """How many elements the mean of a window is over; a number if it is for all."""
    total: Scalar | int = 1
    for axis, kernel in enumerate(moved.kernel):
        pad, size = moved.padding[axis], moved.sizes[axis]
        if _stays_inside(moved, axis) and (with_padding or not pad):
            total = total * kernel
            continue
        begin = index(first + axis).cast("i64") * moved.stride[axis] - pad
        length = counted(size, "i64")
        end = minimum(begin + kernel, length + pad)
        if not with_padding:
            begin, end = maximum(begin, 0), minimum(end, length)
        total = (end - begin) * total
    return total


def _stays_inside(moved: Windows, axis: int) -> bool:
    """Whether all windows are known to end inside of the padded tensor."""
    count, size = moved.counts[axis], moved.sizes[axis]
    if not isinstance(count, int) or not isinstance(size, int):
        return False
    last = (count - 1) * moved.stride[axis] + moved.kernel[axis]
    return last <= size + 2 * moved.padding[axis]


def adaptive_average_pool(rank: int) -> Callable[..., Tensor]:
    """Means of windows that cover the tensor evenly."""

    def op(out: Result, x: Tensor, output_size: Sequence[int]) -> Tensor:
        sizes, counts = known_sizes(out.spec, x, rank)
        pairs = list(zip(sizes, counts, strict=True))
        if any(size % count for size, count in pairs):
            return _uneven_means(out, x, pairs)
        kind = computed_in(x.dtype)
        split: list[object] = list(x.shape[:-rank])
        for size, count in pairs:
            split += [count, size // count]
        lead = x.rank - rank
        axes = [lead + 2 * axis + 1 for axis in range(rank)]
        parts = x.reshape(*split)  # pyright: ignore[reportArgumentType]
        total = reduce("sum", parts, axis=axes, of=lambda x: x.cast(kind))
        many = math.prod(sizes) / math.prod(counts)
        return compute(out, lambda x: x / many, total)

    return op


def _uneven_means(out: Result, x: Tensor, pairs: Sequence[tuple[int, int]]) -> Tensor:
    """The means of windows that differ in size.

    The mean of a rectangle is the mean of its rows' means, which are few reads each.
    """
    widest = [_widest(size, count) for size, count in pairs]
    if math.prod(widest) <= MOST_PLACES:
        return _means_of(out, x, pairs, out.dtype)
    if max(widest) > MOST_PLACES:
        refuse(f"rows of more than {MOST_PLACES} elements in a window")
    moved = [axis for axis, (size, count) in enumerate(pairs) if size != count]
    for axis in moved:
        sizes = known_sizes(out.spec, x, len(pairs))[0]
        own = [(size, size) for size in sizes]
        own[axis] = pairs[axis]
        dtype = out.dtype if axis == moved[-1] else computed_in(x.dtype)
        x = _means_of(out, x, own, dtype)
    return x


def _widest(size: int, count: int) -> int:
    """The length of the longest window along a dimension."""
    return max(-(-(at + 1) * size // count) - at * size // count for at in range(count))


def _means_of(
    out: Result, x: Tensor, pairs: Sequence[tuple[int, int]], dtype: str
) -> Tensor:
    """Window i goes from floor(i size / count) to ceil((i + 1) size / count)."""
    kind, lead = computed_in(x.dtype), x.rank - len(pairs)
    widest = [_widest(size, count) for size, count in pairs]
    places = list(itertools.product(*[range(width) for width in widest]))
    _, counts = zip(*pairs, strict=True)
    whole = whole_of(x)

    def bounds(axis: int) -> tuple[Scalar, Scalar]:
        size, count = pairs[axis]
        at = position(lead + axis, size * count)
        end = truncated_quotient(at * size + (size + count - 1), count)
        return truncated_quotient(at * size, count), end

    def mean() -> Scalar:
        moved = {
            axis: bounds(axis)
            for axis, (size, count) in enumerate(pairs)
            if size != count
        }
        total: Scalar | None = None
        for place in places:
            at: list[ScalarLike] = [index(axis) for axis in range(x.rank)]
            inside: Scalar | None = None
            for axis, (first, end) in moved.items():
                here, (size, count) = first + place[axis], pairs[axis]
                at[lead + axis] = here
                if place[axis] >= -(-size // count):
                    at[lead + axis] = minimum(here, size - 1)
                    inside = here < end if inside is None else inside & (here < end)
            value = gather(whole, *at).cast(kind)
            if inside is not None:
                value = where(inside, value, value.body.constant(0.0, kind))
            total = value if total is None else total + value
        assert total is not None
        for first, end in moved.values():
            total = total / (end - first).cast(kind)
        return total

    shape = (*x.shape[:lead], *counts)
    return out.generate(mean, shape, dtype, keeps_order=True)


TABLE: dict[str, Callable[..., object]] = {
    "aten.max_pool2d_with_indices.default": max_pool(2),
    "aten.max_pool3d_with_indices.default": max_pool(3),
    "aten.avg_pool1d.default": average_pool(1),
    "aten.avg_pool2d.default": average_pool(2),
    "aten.avg_pool3d.default": average_pool(3),
    "aten._adaptive_avg_pool2d.default": adaptive_average_pool(2),
    "aten._adaptive_avg_pool3d.default": adaptive_average_pool(3),
}
"""Pooling by name."""
MOVED_BY_STRIDES = frozenset(name for name in TABLE if "_adaptive" not in name)
"""Poolings whose windows may overlap: they read an element several times."""
